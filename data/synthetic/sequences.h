// Sequence tasks: pairs in which one source word determines each target word, and the gold link names it.
//
//   copy      a c b d        -> a c b d      t attends to t: positions alone, the diagonal
//   reverse   a c b d        -> d b c a      t attends to n-1-t: positions alone
//   rotate    a c b d        -> c b d a      t attends to t-3, modulo n: positions alone
//   twin      a/2 b/4 b/1 a/3 -> 3 1 4 2     every letter stands twice; name the other one's number: words alone
//   recall    a 3 c 1 b 3 c  -> 1            pairs of key and value, all keys different, then a key: its value
//   rewrite   a 3 c 1 a 2 a  -> 2            the same where keys come again: the last value counts
// In these two the key before the value is a possible link.
//   induction a c b d a c -> b d             a text that begins again: the rest of it (Olsson et al. 2022)
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
  std::size_t shortest, longest;  // source words that it can have
  std::size_t step;               // only every so many lengths, from the shortest on
  Pair (*draw)(std::size_t length, autograd::Random& random);
};

const std::vector<SequenceTask>& sequence_tasks();

struct SequenceOptions {
  std::size_t pairs = 0;
  std::size_t min_length = 2, max_length = 25;  // words of the source; every length that the task can have is as likely
  std::uint64_t seed = 1;
};

// Returns pairs with different sources that are not in `excluded`. The same options give the same pairs. Error: an
// unknown task (the message names the known ones), an impossible length, or too few different pairs.
std::vector<Pair> sample_sequences(const std::string& task, const SequenceOptions& options,
                                   const std::vector<Pair>& excluded = {});

}  // namespace softalign::data
