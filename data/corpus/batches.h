// Makes batches from encoded pairs. It adds padding, shifts the words that the decoder reads against those that it
// writes, and groups pairs of similar length in an order that depends on the seed. No other code pads or shifts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/batch.h"
#include "data/corpus/vocabulary.h"

namespace softalign::data {

// One pair as ids, without <s> and </s> (but one between the parts of a source that has several), and the links between
// them that its gold is sure of.
struct EncodedPair {
  Ids source, target;
  Links sure = {};
  std::size_t places = 0;                       // as of a Pair; 0: its words and </s>
  std::shared_ptr<const Picture> picture = {};  // the same
};
std::vector<EncodedPair> encode(const std::vector<Pair>& pairs, const Vocabulary& source, const Vocabulary& target);
// The words of all parts, with </s> between the parts. Without parts, the words are unchanged.
Ids with_ends(const Ids& words, const std::vector<std::size_t>& parts);

// FNV-1a (64 bits) of all ids, pictures and links in their order: a corpus that was changed since has another.
std::uint64_t hash(const std::vector<EncodedPair>& pairs);

using autograd::Indices;  // of the pairs of a corpus that make one batch

// The batch of corpus[i] for each i of `indices`, in that order. std::invalid_argument for no index, or one out of
// range, and for a mixture of pictures and words.
Batch make_batch(const std::vector<EncodedPair>& corpus, const Indices& indices);
// The same for sources only (in translation): targets.steps is 0.
Batch make_source_batch(const std::vector<EncodedPair>& corpus, const Indices& indices);

// The size of batches, by one measure or the other.
struct BatchOptions {
  std::size_t sentences = 32;  // pairs in a batch
  std::size_t tokens = 0;  // if not 0, instead: at most so many target ids, </s> and padding included (a longer pair
                           // makes a batch of its own)
  std::uint64_t seed = 1;
};

// All pairs of a corpus once. A batch has pairs of similar length, so there is little padding, and the order of batches
// is random. Pairs of the same length are shuffled in each epoch. The result depends only on corpus, options and epoch,
// so a resumed training gets the same batches.
std::vector<Indices> plan_batches(const std::vector<EncodedPair>& corpus, const BatchOptions& options,
                                  std::size_t epoch);

}  // namespace softalign::data
