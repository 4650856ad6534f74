// A Batch has sentence pairs as padded matrices of ids. A model sees nothing else of a text.
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

// The target words of B sentences, where they are known: in training and for teacher forcing. Both lists are
// time-major, row t*B + b.
struct Targets {
  std::size_t steps = 0;  // T = longest target + 1; 0 where only the source is known
  Ids in;                 // (T*B)  <s> y_1 .. y_m <pad> ..     what the decoder reads
  Ids out;                // (T*B)  y_1 .. y_m </s> <pad> ..    what it must write
};

// A Batch is one minibatch; docs/notation.md explains the letters. Both sides include the closing </s>. All ids are
// time-major, row t*B + b, so that one time step is a contiguous slab.
struct Batch {
  std::size_t size = 0;          // B
  std::size_t source_steps = 0;  // S = longest source + 1
  Ids source;                    // (S*B)  x_1 .. x_n </s> <pad> ..   each part of a source ends with </s>
  Targets targets;
  std::vector<std::size_t> source_lengths;  // (B) with </s>, 1..S
  std::vector<std::size_t> places;          // (B) positions for attention: source_lengths, or the sentences of a story
  std::vector<std::size_t> target_lengths;  // (B) with </s>, 1..T
  std::vector<std::size_t> index;           // (B) position of each pair in the corpus
  std::vector<Links> sure;                  // (B) the pair's sure gold links; none without gold links
  std::vector<std::shared_ptr<const Picture>>
      pictures;  // (B) sources that are pictures: no ids, S their cells; or none
};

// Returns the number of positions of source b. If the batch does not say, its positions are its words.
inline std::size_t places_in(const Batch& batch, std::size_t b) {
  return (batch.places.empty() ? batch.source_lengths : batch.places).at(b);
}

// Returns the words of source b, with its </s>.
inline Ids words_of_source(const Batch& batch, std::size_t b) {
  Ids words;
  for (std::size_t s = 0; s < batch.source_lengths.at(b); ++s) words.push_back(batch.source[s * batch.size + b]);
  return words;
}

// Returns the number of columns of the weights of a batch. This is S, or the largest number of positions if sources are
// not words.
inline std::size_t most_places(const Batch& batch) {
  if (batch.places.empty() || batch.places == batch.source_lengths) return batch.source_steps;
  return *std::max_element(batch.places.begin(), batch.places.end());
}

// Returns the number of target words of a batch, with </s> and without padding. Losses are means over these words.
inline std::size_t target_words(const Batch& batch) {
  return std::accumulate(batch.target_lengths.begin(), batch.target_lengths.end(), std::size_t{0});
}

// Splits a batch by sentences, so that several threads can work on its parts. There are at most `parts` batches of
// consecutive sentences. They have almost equal numbers of sentences, and none is empty. Each is padded only to its own
// longest sentence.
std::vector<Batch> split(const Batch& batch, std::size_t parts);

}  // namespace softalign::data
