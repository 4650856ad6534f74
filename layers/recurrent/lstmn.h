// The long short-term memory-network (LSTMN) is an LSTM that attends to all of its earlier states. Cheng et al. 2016,
// "Long short-term memory-networks for machine reading", define the layer (section 3.2), and its deep fusion with a
// source sentence (section 4). docs/notation.md explains the notation.
#pragma once

#include <vector>

#include "layers/attention/scores.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/cell.h"
#include "layers/recurrent/lstm.h"
#include "layers/types.h"

namespace softalign::layers {

// At word t, the LSTMN attends to the states h_i and c_i of all earlier words i, with the weights s_t. It uses the
// attention outputs h~_t and c~_t in place of the last state of the LSTM. For the first word, there is no earlier word,
// so h~_1 = c~_1 = 0. x_t is the vector of word t, a_ti are scores, and v and the W are learned.
// a_ti = v' tanh(W_h h_i + W_x x_t + W_h~ h~_{t-1})       i = 1 .. t-1         eq. 4
// s_t = softmax(a_t)                                                           eq. 5
// [h~_t; c~_t] = sum_i s_ti [h_i; c_i]                                         eq. 6
// h_t, c_t = LSTM(x_t, h~_t, c~_t)                                             eq. 7-9
struct Lstmn {
  LSTM cell;
  Var W_h;  // (H, A)
  Var W_x;  // (E, A)
  Var W_t;  // (H, A), of h~
  Var v;    // (A)

  Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const InitialiserConfig& init);

  // A Cache has the states and keys of all words so far, for R texts. It grows by one entry per word.
  struct Cache {
    std::vector<Var> tape;  // (R, 2H) [h_i; c_i] of each word
    std::vector<Var> keys;  // (R, A) W_h h_i of each word
    Var h_tilde;            // (R, H) h~_{t-1}
    template <class Visit>
    void each(Visit&& visit) {
      visit("tape", tape), visit("keys", keys), visit("h_tilde", h_tilde);
    }
  };
  Cache start(std::size_t R) const;

  // The gates and the attention scores are computed from sums. InputTerms has the terms of these sums that depend only
  // on the input x. They can be computed for many steps at once.
  struct InputTerms {
    Var gates;  // x W + b  (.., 4H)
    Var query;  // x W_x    (.., A)
  };
  InputTerms terms(const Var& x) const { return {cell.project(x), matmul(x, W_x)}; }  // (.., E)

  // The struct Attended is the result of the attention of a word to the words before it. A decoder that computes the
  // new state in another way, for example with DeepFusion, calls attend() and kept() instead of step().
  struct Attended {
    Var h_tilde, c_tilde;  // h~_t, c~_t (R, H)
    Var weights;           // s_t (R, t-1); undefined for the first word
  };
  Attended attend(const InputTerms& input, const Cache& cache) const;
  Cache kept(Cache cache, const Attended& attended, const LSTMState& now) const;  // adds the word's state `now`

  struct Step {
    LSTMState now;  // h_t, c_t
    Var weights;    // s_t (R, t-1); undefined for the first word
    Cache cache;    // with this word
  };
  Step step(const InputTerms& input, Cache cache) const;

  struct Sequence {
    Var h, c;                  // (S, B, H) of each word
    Cell::State last;          // state after the last word that is read: backwards, the first word of the text
    std::vector<Var> weights;  // s_t of each word but the first, in the order in which they are read: (B, t-1)
  };
  // Computes all steps of B texts, x (S, B, E). Without `lengths`, all texts have S words. In the backward direction,
  // the layer reads each text from its last word to its first. A step attends only to steps that the layer has already
  // read. The layer reads padding last, so padding has no effect.
  Sequence run(const Var& x, std::vector<std::size_t> lengths = {},
               autograd::Direction direction = autograd::Direction::forward) const;
};

// DeepFusion lets an LSTMN decoder add cell states of the encoder to its own cell state. Cheng et al. 2016, section 4,
// define it.
struct DeepFusion {
  Linear W_r;  // (D + E, H)

  DeepFusion(const Params& p, std::size_t D, std::size_t E, std::size_t H, const InitialiserConfig& init)
      : W_r(p, D + E, H, init.input(1)) {}

  // Computes the new state from five inputs. a = W [h~_t; x_t] + b (R, 4H) has the sums inside the gates, for the gates
  // i and f, the candidate c^ and the gate o. c~_t (R, H) is the cell state that the decoder attended to in its own
  // past. gamma~_t (R, D) and alpha~_t (R, H) are the hidden state and the cell state that it attended to in the
  // source. x_t (R, E) is the word. The gate r_t says how much of the source enters the cell; sigma is the sigmoid
  // function:
  // r_t = sigma(W_r [gamma~_t; x_t])                          eq. 13
  // c_t = r_t * alpha~_t + f_t * c~_t + i_t * c^_t            eq. 14
  // h_t = o_t * tanh(c_t)                                     eq. 15
  LSTMState operator()(const Var& a, const Var& c_tilde, const Var& gamma, const Var& alpha, const Var& x) const {
    const std::size_t H = c_tilde.dim(1);
    const Var i = sigmoid(slice(a, 1, 0, H)), f = sigmoid(slice(a, 1, H, 2 * H));
    const Var c_hat = tanh(slice(a, 1, 2 * H, 3 * H)), o = sigmoid(slice(a, 1, 3 * H, 4 * H));
    const Var r = sigmoid(W_r(autograd::concat({gamma, x}, 1)));
    const Var c = r * alpha + f * c_tilde + i * c_hat;
    return {o * tanh(c), c};
  }
};

// Returns the attention of an LSTMN as matrices (S*B, 1, S), for B texts of S words. Row i*B + b has the attention
// weights of word i of text b. The first word that the layer reads attends to nothing, so its row is 0.
//
// `weights` has one entry (B, t) for each step t = 1 .. S-1 of reading, where steps count from 0. The entry has the
// weights of the word that was read at step t on the words that were read before it. `rows` says which word was read at
// step t of text b: the word in row rows[t*B + b] of the texts (layers/padding.h).
inline Var lstmn_weights(const std::vector<Var>& weights, const Ids& rows, std::size_t B) {
  const std::size_t S = weights.size() + 1;
  const auto place = [&](std::size_t t, std::size_t b) { return static_cast<std::size_t>(rows[t * B + b]); };
  Array matrix = autograd::zeros({S * B, 1, S});
  for (std::size_t t = 1; t < S; ++t)
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t i = 0; i < t; ++i) matrix[place(t, b) * S + place(i, b) / B] = weights[t - 1].value()[b * t + i];
  return autograd::constant(matrix);
}

}  // namespace softalign::layers
