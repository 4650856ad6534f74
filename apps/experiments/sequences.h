// The sequence tasks of data/synthetic/sequences.h as numbers, and small models (models/tagger.h) that learn them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "autograd/array.h"
#include "autograd/var.h"
#include "data/corpus/corpus.h"
#include "models/tagger.h"

namespace softalign::apps {

// Words as numbers, in the order of a list.
using WordIds = std::map<std::string, autograd::Id>;

inline WordIds word_ids(const std::vector<std::string>& words) {
  WordIds ids;
  for (const std::string& word : words) ids.emplace(word, static_cast<autograd::Id>(ids.size()));
  return ids;
}

using autograd::Id;
using autograd::Ids;

// B sequences of n words, with a target for each word and the word that determines it: row t*B + b.
struct Labelled {
  std::size_t n = 0, B = 0;
  Ids words, labels, gold;
};

// B lists of n pairs, and the key that each is asked for.
struct Recalled {
  std::size_t n = 0, B = 0;
  Ids keys, values;          // row i*B + b
  Ids asked, answers, gold;  // (B) gold: the pair that counts
};

// Batches of B examples of the task (data/synthetic/sequences.h). All sources differ, and the same seed gives the same
// examples.
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

// Taggers (models/tagger.h) trained on a sequence task, and their accuracy on other sequences.

struct TaggingTask {
  std::string name;                       // data/synthetic/sequences.h
  std::size_t shortest = 0, length = 16;  // sequences of all lengths between; 0: of one length
  std::size_t steps = 800, batch = 32;
  double rate = 3e-3;
};

// In percent.
struct TaggerScores {
  double accuracy = 0;
  std::optional<double> hit, mass;  // the largest weight lies on the word that counts; weight there; none without
};

// A tagger with these layers and positions, trained from a seed.
class TrainedTagger {
 public:
  TrainedTagger(models::Tagger::Layer layer, layers::PositionKind positions, const TaggingTask& task,
                std::uint64_t seed);

  // Accuracy on 200 sequences of that length. `counts` says which positions t of n count; if it is empty, all count.
  TaggerScores reach(std::size_t length, const std::function<bool(std::size_t t, std::size_t n)>& counts = {}) const;

 private:
  std::string task_;
  autograd::Params params_;
  models::Tagger model_;
};

}  // namespace softalign::apps
