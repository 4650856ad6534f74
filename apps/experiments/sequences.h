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

// The struct Labelled contains B sequences of n words. Each word has a label, which the model must predict. For word t
// of sequence b, entry t*B + b of `words` is the word, entry t*B + b of `labels` is its label, and entry t*B + b of
// `gold` is the position of the word that determines this label.
struct Labelled {
  std::size_t n = 0, B = 0;
  Ids words, labels, gold;
};

// The struct Recalled contains B lists of n pairs of a key and a value. For each list, `asked` has one of its keys, and
// `answers` has the value that belongs to this key.
struct Recalled {
  std::size_t n = 0, B = 0;
  Ids keys, values;          // row i*B + b
  Ids asked, answers, gold;  // (B) gold: index of the pair with the right answer
};

// SequenceBatches has batches of B examples of a task (data/synthetic/sequences.h). No two examples have the same
// input. The same seed gives the same examples.
class SequenceBatches {
 public:
  SequenceBatches(const std::string& task, std::size_t length, std::size_t B, std::size_t batches, std::uint64_t seed);

  Labelled labelled(std::size_t batch) const;  // for the tasks reverse, rotate and twin
  Recalled recalled(std::size_t batch) const;  // for the tasks recall and rewrite
  static std::size_t words();                  // V: letters, their forms with a colour, and numbers have their own ids

 private:
  std::size_t B_;
  std::vector<data::Pair> pairs_;
};

// The class TrainedTagger below trains a tagger (models/tagger.h) on a sequence task, and measures its accuracy on
// other sequences.

struct TaggingTask {
  std::string name;                       // data/synthetic/sequences.h
  std::size_t shortest = 0, length = 16;  // lengths from `shortest` to `length`; if shortest is 0, only `length`
  std::size_t steps = 800, batch = 32;
  double rate = 3e-3;
};

// The scores of a tagger are in percent.
struct TaggerScores {
  double accuracy = 0;
  // The gold position of a word is the position that determines its label. `hit` is the share of words whose largest
  // attention weight is at the gold position. `mass` is the mean attention weight at the gold position. Both have no
  // value if the tagger has no attention.
  std::optional<double> hit, mass;
};

// TrainedTagger trains a tagger with the given layers and position encodings. The seed determines its initial weights.
class TrainedTagger {
 public:
  TrainedTagger(models::Tagger::Layer layer, layers::PositionKind positions, const TaggingTask& task,
                std::uint64_t seed);

  // Returns the scores on 200 sequences of the given length. In a sequence of n words, the function scores the word at
  // position t only if counts(t, n) is true. If `counts` is empty, it scores all words.
  TaggerScores reach(std::size_t length, const std::function<bool(std::size_t t, std::size_t n)>& counts = {}) const;

 private:
  std::string task_;
  autograd::Params params_;
  models::Tagger model_;
};

}  // namespace softalign::apps
