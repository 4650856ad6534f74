// A Batch has sentence pairs as matrices of word ids. Short sentences are filled up with padding. Models read texts
// only in this form.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <vector>

#include "autograd/array.h"
#include "data/corpus/links.h"
#include "data/corpus/picture.h"

namespace softalign::data {

using autograd::Id;
using autograd::Ids;

// Every vocabulary starts with these special entries: <pad> <unk> <s> </s>.
inline constexpr Id pad_id = 0, unk_id = 1, start_id = 2, end_id = 3;

// The struct Targets contains the target words of B sentences. They are known in training and in teacher forcing. Entry
// t*B + b of `in` and `out` belongs to step t of sentence b.
struct Targets {
  std::size_t steps = 0;  // T = longest target + 1; 0 if only the source is known
  Ids in;                 // (T*B)  <s> y_1 .. y_m <pad> ..     what the decoder reads
  Ids out;                // (T*B)  y_1 .. y_m </s> <pad> ..    what it must write
};

// A Batch has B sentence pairs. The words of sources and targets include the last </s>. Entry s*B + b of `source` is
// word s of source b, so the words of one step are next to each other in memory.
struct Batch {
  std::size_t size = 0;          // B
  std::size_t source_steps = 0;  // S = longest source + 1
  Ids source;                    // (S*B)  x_1 .. x_n </s> <pad> ..   each part of a source ends with </s>
  Targets targets;
  std::vector<std::size_t> source_lengths;  // (B) with </s>, 1..S
  std::vector<std::size_t> places;          // (B) positions for attention: source_lengths, or the sentences of a story
  std::vector<std::size_t> target_lengths;  // (B) with </s>, 1..T
  std::vector<std::size_t> index;           // (B) position of each pair in the corpus
  std::vector<Links> sure;                  // (B) the sure gold links of each pair; empty without gold links
  std::vector<std::shared_ptr<const Picture>>
      pictures;  // (B) the pictures, if sources are pictures; then there are no ids, and S counts cells
};

// Returns the number of positions of source b. If `places` is empty, the positions are the words of the source.
inline std::size_t places_in(const Batch& batch, std::size_t b) {
  return (batch.places.empty() ? batch.source_lengths : batch.places).at(b);
}

// Returns the words of source b, with its </s>.
inline Ids words_of_source(const Batch& batch, std::size_t b) {
  Ids words;
  for (std::size_t s = 0; s < batch.source_lengths.at(b); ++s) words.push_back(batch.source[s * batch.size + b]);
  return words;
}

// Returns the number of columns that attention weights of this batch have. This is the largest number of source
// positions.
inline std::size_t most_places(const Batch& batch) {
  if (batch.places.empty() || batch.places == batch.source_lengths) return batch.source_steps;
  return *std::max_element(batch.places.begin(), batch.places.end());
}

// Returns the number of target words of a batch, with </s> and without padding. Losses are means over these words.
inline std::size_t target_words(const Batch& batch) {
  return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(), std::size_t{0});
}

// Splits a batch into at most `parts` smaller batches, for several threads. A part has consecutive sentences. The parts
// have almost equal sizes, and no part is empty. Each part is padded only to its own longest sentence.
std::vector<Batch> split(const Batch& batch, std::size_t parts);

}  // namespace softalign::data
