// A Decoder writes a sentence, one word per step, while it attends to a Memory. Search, sampling, ensembles,
// interventions and scheduled sampling use only the types in this file. Therefore they work with every model.
//
//   - Memory: what an encoder computes for B sources, for example for words, the cells of a picture, or the sentences
//     of a story. S is the number of positions of the longest source.
//   - State: what a decoder carries from step to step, with one row per hypothesis.
//   - Step: the logits of the next word, the next state, and the attention weights.
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

// Memory and State store a struct of the decoder as std::any, so other code need not know its type. The function own
// returns this struct. Throws std::logic_error if the struct belongs to another decoder.
template <class Parts>
const Parts& own(const std::any& parts) {
  if (const Parts* known = std::any_cast<Parts>(&parts)) return *known;
  throw std::logic_error("a decoder was given the memory or the state of another one");
}

// The class Memory contains the output of an encoder, to which a decoder attends. It has one entry per source, B in
// total. It does not say whether a source was a text, a picture or a story.
class Memory {
 public:
  Memory() = default;
  // `parts` is a struct of the decoder, for example with encoder outputs, keys and the initial state.
  template <class Parts>
  Memory(std::vector<std::size_t> source_lengths, Parts parts)
      : lengths(std::move(source_lengths)), parts_(std::move(parts)) {}

  std::vector<std::size_t> lengths;  // (B) number of positions of each source: words and </s>, cells ..
  std::vector<std::size_t> index;    // (B) the position of each source in the input, for messages; empty: 0 .. B-1
  std::size_t size() const { return lengths.size(); }  // B

  template <class Parts>
  const Parts& as() const {
    return own<Parts>(parts_);
  }

 private:
  std::any parts_;
};

// The class State contains what a decoder carries from step to step. It has R rows, one per hypothesis. Beam search
// reorders the rows and does not know what they mean.
class State {
 public:
  using Visit = std::function<void(const std::string& name, Var& part)>;

  State() = default;
  // `parts` is a struct of the decoder with the function each(), which names its Vars (layers/state.h).
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

// The struct Training contains the inputs that only the forward pass of a training step uses.
struct Training {
  Random& random;  // for dropout
  Real label_smoothing = 0;
  // Only memory networks use these (models/stories/memory_network.h).
  double time_noise = 0;      // share of empty sentences that are inserted into a story
  bool linear_start = false;  // attention without the softmax
};

// TeacherForced is the result of teacher forcing.
struct TeacherForced {
  Var losses;            // (T*B) -log p(y_t | y_<t, x), with label smoothing if chosen; 0 on padding
  BatchWeights weights;  // of T*B rows
};

class Decoder {
 public:
  virtual ~Decoder() = default;
  virtual bool attends() const = 0;                      // whether steps have attention weights
  virtual bool has_scores() const { return attends(); }  // whether the weights are a softmax of scores
  virtual State start(const Memory& memory) const = 0;   // returns one row per source
  virtual Step step(const Ids& previous, const State& state, const Memory& memory) const = 0;
  // Computes the losses of the target words, while the decoder reads the right previous words. A decoder may compute
  // all steps at once, if the result is the same as step by step.
  virtual TeacherForced teacher_forced(const Memory& memory, const Targets& targets,
                                       const Training* training = nullptr) const = 0;
  // Returns a copy of this decoder with a hook, which changes the attention weights before the context is computed.
  // Throws std::invalid_argument if the decoder has no attention. A step throws std::invalid_argument if `hook` returns
  // another shape.
  virtual std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const;
  // Returns a copy of this decoder with a smaller vocabulary: only the K words in `words`. The copy gives these words
  // the ids 0 .. K-1, in the order of `words`. It can attend to a Memory of this decoder. Throws std::invalid_argument
  // for a decoder that always needs all words.
  virtual std::unique_ptr<Decoder> with_words(const Ids& words) const;
};

// Returns the random stream for dropout, or nullptr outside of training.
inline Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

// Returns one row per source: 0 .. B-1.
inline Ids each_once(const Memory& memory) { return autograd::all_rows(memory.size()); }

}  // namespace softalign::models
