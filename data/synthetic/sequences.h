// This file generates pairs for sequence tasks. Each target word is determined by one source word, and the gold link of
// the target word names this source word. Target word t of n words attends to this source word:
//
//   copy      a c b d        -> a c b d      word t
//   reverse   a c b d        -> d b c a      word n-1-t
//   rotate    a c b d        -> c b d a      word t-3 modulo n
//   twin      a/2 b/4 b/1 a/3 -> 3 1 4 2     Every letter occurs twice: answer with the number of the other one.
//   recall    a 3 c 1 b 3 c  -> 1            Pairs of key and value, then a key: answer with its value.
//   rewrite   a 3 c 1 a 2 a  -> 2            As recall, but keys may be repeated: the last value counts.
//   induction a c b d a c -> b d             A text that begins again: write the rest of it (Olsson et al. 2022).
//
// In copy, reverse and rotate, only positions matter. In recall and rewrite, the key before the value is a possible
// link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

struct SequenceTask {
  std::string_view name;
  std::string_view about;
  std::size_t shortest, longest;  // smallest and largest number of source words
  std::size_t step;               // the lengths are shortest, shortest + step, ..
  Pair (*draw)(std::size_t length, autograd::Random& random);
};

const std::vector<SequenceTask>& sequence_tasks();

struct SequenceOptions {
  std::size_t pairs = 0;
  std::size_t min_length = 2, max_length = 25;  // words of the source; all possible lengths are equally probable
  std::uint64_t seed = 1;
};

// Returns pairs with different sources. None of these sources is in `excluded`. The same options give the same pairs.
// Throws Error for an unknown task (the message names the known tasks), for an impossible length, or if there are too
// few different pairs.
std::vector<Pair> sample_sequences(const std::string& task, const SequenceOptions& options,
                                   const std::vector<Pair>& excluded = {});

}  // namespace softalign::data
