// These functions make batches from sentence pairs whose words are ids. They add padding. They arrange the target words
// so that the decoder reads each word one step after the step that writes it. They group pairs of similar length, in an
// order that depends on the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/batch.h"
#include "data/corpus/vocabulary.h"

namespace softalign::data {

// An EncodedPair is a sentence pair as word ids, with its sure gold links. The ids have no <s> and no final </s>. A
// source may have several parts, for example a story and a question. There is </s> between these parts.
struct EncodedPair {
  Ids source, target;
  Links sure = {};
  std::size_t places = 0;                       // number of source positions, as in Pair; 0: words and </s>
  std::shared_ptr<const Picture> picture = {};  // as Pair::picture
};
std::vector<EncodedPair> encode(const std::vector<Pair>& pairs, const Vocabulary& source, const Vocabulary& target);
// Returns the words of a source with </s> between its parts, for example between the sentences of a story. `parts` has
// the number of words of each part. If `parts` is empty, the words are unchanged.
Ids with_ends(const Ids& words, const std::vector<std::size_t>& parts);

// Returns the FNV-1a hash (64 bits) of all ids, pictures and links in their order. If the corpus changes, the hash
// changes.
std::uint64_t hash(const std::vector<EncodedPair>& pairs);

using autograd::Indices;  // the pairs of a corpus that form one batch

// Returns the batch of the pairs corpus[i] for each i in `indices`, in this order. Throws std::invalid_argument if
// `indices` is empty, if an index is out of range, or if some pairs have pictures and others have words.
Batch make_batch(const std::vector<EncodedPair>& corpus, const Indices& indices);
// Returns a batch of sources only, for translation: targets.steps is 0.
Batch make_source_batch(const std::vector<EncodedPair>& corpus, const Indices& indices);

// BatchOptions says how large batches are, in sentences or in tokens.
struct BatchOptions {
  std::size_t sentences = 32;  // pairs in a batch
  // If `tokens` is not 0, it limits the batch instead of `sentences`: a batch has at most this many target ids, with
  // </s> and padding. A pair that exceeds the limit gets its own batch.
  std::size_t tokens = 0;
  std::uint64_t seed = 1;
};

// Returns batches that together contain each pair of the corpus once. A batch has pairs of similar length, so there is
// little padding. The order of the batches is random, and each epoch shuffles pairs of the same length. The result
// depends only on corpus, options and epoch. So if you resume a training, you get the same batches.
std::vector<Indices> plan_batches(const std::vector<EncodedPair>& corpus, const BatchOptions& options,
                                  std::size_t epoch);

}  // namespace softalign::data
