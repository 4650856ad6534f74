// This file turns the sequence tasks of data/synthetic/sequences.h into numbers, and trains small models
// (models/tagger.h) on them.
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

// WordIds gives each word of a list its index in the list.
using WordIds = std::map<std::string, autograd::Id>;

inline WordIds word_ids(const std::vector<std::string>& words) {
  WordIds ids;
  for (const std::string& word : words) ids.emplace(word, static_cast<autograd::Id>(ids.size()));
  return ids;
}

using autograd::Id;
using autograd::Ids;

// Labelled has B sequences of n words. Row t*B + b has word t of sequence b, its target label, and in `gold` the
// position of the word that determines the label.
struct Labelled {
  std::size_t n = 0, B = 0;
  Ids words, labels, gold;
};

// Recalled has B lists of n pairs of a key and a value. It also has the key that each list is asked for.
struct Recalled {
  std::size_t n = 0, B = 0;
  Ids keys, values;          // row i*B + b
  Ids asked, answers, gold;  // (B) gold: the pair that counts
};

// SequenceBatches has batches of B examples of a task (data/synthetic/sequences.h). All sources differ. The same seed
// gives the same examples.
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

// The classes below train taggers (models/tagger.h) on a sequence task. They measure the accuracy on other sequences.

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

// TrainedTagger trains a tagger with the given layers and position encodings. The seed determines its initial weights.
class TrainedTagger {
 public:
  TrainedTagger(models::Tagger::Layer layer, layers::PositionKind positions, const TaggingTask& task,
                std::uint64_t seed);

  // Returns the accuracy on 200 sequences of that length. `counts` says which positions t of the n positions count. If
  // `counts` is empty, all positions count.
  TaggerScores reach(std::size_t length, const std::function<bool(std::size_t t, std::size_t n)>& counts = {}) const;

 private:
  std::string task_;
  autograd::Params params_;
  models::Tagger model_;
};

}  // namespace softalign::apps
