// A Decoder writes a sentence, one step at a time, while it attends to a Memory. Search, sampling, ensembles,
// interventions and scheduled sampling use only the types in this file, so they work with every model.
//
//   Memory   what an encoder computes for B sources: words, the cells of a picture, the sentences of a story
//   State    what a decoder carries from step to step: one row per hypothesis
//   Step     the logits of the next word, the next state, and the attention weights
//
// docs/notation.md explains the letters. Here B counts sources, and S the positions of the longest one.
#pragma once

#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/batch.h"
#include "layers/state.h"
#include "models/batch_weights.h"

namespace softalign::models {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Random;
using autograd::Real;
using autograd::Var;
using data::Targets;
using layers::AttentionHook;

// The structs of a decoder pass as std::any through code that does not know them. Throws std::logic_error if the struct
// belongs to another decoder.
template <class Parts>
const Parts& own(const std::any& parts) {
  if (const Parts* known = std::any_cast<Parts>(&parts)) return *known;
  throw std::logic_error("a decoder was given the memory or the state of another one");
}

// The output of an encoder, which a decoder attends to. It has B entries, one per source. It does not say which kind of
// source was read.
class Memory {
 public:
  Memory() = default;
  // `parts` is a struct of the decoder, computed once per source: encoder outputs, keys, and the initial state.
  template <class Parts>
  Memory(std::vector<std::size_t> source_lengths, Parts parts)
      : lengths(std::move(source_lengths)), parts_(std::move(parts)) {}

  std::vector<std::size_t> lengths;  // (B) positions of each source that can be attended to: words and </s>, cells ..
  std::vector<std::size_t> index;    // (B) the sources' places in the input, for messages; empty: 0 .. B-1
  std::size_t size() const { return lengths.size(); }  // B

  template <class Parts>
  const Parts& as() const {
    return own<Parts>(parts_);
  }

 private:
  std::any parts_;
};

// The state that a decoder carries from step to step. It has R rows, one per hypothesis. Search reorders them and does
// not need to know what they mean.
class State {
 public:
  using Visit = std::function<void(const std::string& name, Var& part)>;

  State() = default;
  // `parts` is a struct of the decoder that names its Vars, as in layers/state.h.
  template <class Parts>
  State(Parts parts, Ids sentences)
      : sentence(std::move(sentences)),
        parts_(std::move(parts)),
        each_([](std::any& all, const Visit& visit) { layers::each_var("", std::any_cast<Parts&>(all), visit); }) {}

  Ids sentence;  // (R) the entry of the memory that each row attends to

  template <class Parts>
  const Parts& as() const {
    return own<Parts>(parts_);
  }
  void each(const Visit& visit) {
    if (each_) each_(parts_, visit);
  }

 private:
  std::any parts_;
  void (*each_)(std::any&, const Visit&) = nullptr;
};

// Returns a state whose row r is row rows[r] of `state`. Rows may repeat.
State select(State state, const Ids& rows);

struct Step {
  Var logits;  // (R, V)
  State state;
  BatchWeights weights;  // attention weights with which this step's word was written
};

// Training has inputs of a forward pass that only training uses.
struct Training {
  Random& random;  // for dropout
  Real label_smoothing = 0;
  // Only memory networks use these (models/stories/memory_network.h).
  double time_noise = 0;      // share of empty sentences between those of a story
  bool linear_start = false;  // attention without the softmax
};

// TeacherForced is the result of teacher forcing.
struct TeacherForced {
  Var losses;            // (T*B) -log p(y_t | y_<t, x), smoothed by option; 0 on padding
  BatchWeights weights;  // of T*B rows
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual bool attends() const = 0;                      // whether steps have weights
  virtual bool has_scores() const { return attends(); }  // and these are the softmax of scores
  virtual State start(const Memory& memory) const = 0;   // one row per source
  virtual Step step(const Ids& previous, const State& state, const Memory& memory) const = 0;
  // Computes teacher forcing. The meaning is step by step, but a decoder may compute all steps at once.
  virtual TeacherForced teacher_forced(const Memory& memory, const Targets& targets,
                                       const Training* training = nullptr) const = 0;
  // Returns this decoder with a hook, which changes the attention weights before the context is computed. Throws
  // std::invalid_argument if the decoder has no attention. A step throws it if `hook` returns another shape.
  virtual std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const;
  // Returns this decoder restricted to K of its words, which it reads and writes as 0 .. K-1 in their order. Memories
  // stay valid. Throws std::invalid_argument for a decoder that always needs all words.
  virtual std::unique_ptr<Decoder> with_words(const Ids& words) const;
};

// Returns the random numbers for dropout, or nullptr outside training.
inline Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

// Returns one row per source: 0 .. B-1.
inline Ids each_once(const Memory& memory) { return autograd::all_rows(memory.size()); }

}  // namespace softalign::models
