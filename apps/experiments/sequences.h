// The tasks of data/synthetic/sequences.h as numbers for the small models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "autograd/var.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

using autograd::Id;
using autograd::Ids;

// B sequences of n words, something to be said at each, and the word it is read off: row t*B + b.
struct Labelled {
  std::size_t n = 0, B = 0;
  Ids words, labels, gold;
};

// B memories of n pairs and what is asked of each.
struct Recalled {
  std::size_t n = 0, B = 0;
  Ids keys, values;          // row i*B + b
  Ids asked, answers, gold;  // (B) gold: the pair that counts
};

// Batches of B of the task (data/synthetic/sequences.h), sources all different; the same seed draws the same.
class SequenceBatches {
 public:
  SequenceBatches(const std::string& task, std::size_t length, std::size_t B, std::size_t batches, std::uint64_t seed);

  Labelled labelled(std::size_t batch) const;  // of reverse, rotate and twin
  Recalled recalled(std::size_t batch) const;  // of recall and rewrite
  static std::size_t words();                  // V: letters, their forms with a colour, and numbers have their own ids

 private:
  std::size_t B_;
  std::vector<data::Pair> pairs_;
};

}  // namespace softalign::apps
