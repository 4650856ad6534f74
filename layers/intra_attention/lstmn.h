// LSTMN: an LSTM that looks back at all of its states. Cheng et al. 2016, "Long short-term memory-networks for machine
// reading", section 3.2.
#pragma once

#include <vector>

#include "layers/attention/additive.h"
#include "layers/recurrent/cell.h"

namespace softalign::layers {

// a_ti = v' tanh(W_h h_i + W_x x_t + W_h~ h~_{t-1})       i = 1 .. t-1         eq. 4
// s_t = softmax(a_t)                                                           eq. 5
// [h~_t; c~_t] = sum_i s_ti [h_i; c_i]                                         eq. 6
// h_t, c_t = LSTM(x_t, h~_t, c~_t)                                             eq. 7-9
// The first word has nothing to look at: h~_1 = c~_1 = 0.
struct Lstmn {
  LSTM cell;
  Var W_h;  // (H, A)
  Var W_x;  // (E, A)
  Var W_t;  // (H, A), of h~
  Var v;    // (A)

  Lstmn(const Params& p, std::size_t E, std::size_t H, std::size_t A, const Scheme& init);

  // What it keeps of the words so far, which grows with them; R texts.
  struct Past {
    std::vector<Var> tape;  // [h_i; c_i] of each word, (R, 2H)
    std::vector<Var> keys;  // W_h h_i, (R, A)
    Var h_tilde;            // h~_{t-1}, (R, H)
    template <class Visit>
    void each(Visit&& visit) {
      visit("tape", tape), visit("keys", keys), visit("h_tilde", h_tilde);
    }
  };
  Past start(std::size_t R) const;

  // What the words say to the gates and to the scores, for any number of steps at once.
  struct Asked {
    Var gates;  // x W + b  (.., 4H)
    Var query;  // x W_x    (.., A)
  };
  Asked ask(const Var& x) const { return {cell.project(x), matmul(x, W_x)}; }  // (.., E)

  // What a word finds in the past, for whoever makes its state otherwise than step.
  struct Look {
    Var h_tilde, c_tilde;  // h~_t, c~_t (R, H)
    Var weights;           // s_t (R, t-1); undefined of the first word
  };
  Look look(const Asked& asked, const Past& past) const;
  Past kept(Past past, const Look& look, const LSTMState& now) const;  // with that word, whose state h_t, c_t is `now`

  struct Step {
    LSTMState now;  // h_t, c_t
    Var weights;    // s_t (R, t-1); undefined of the first word
    Past past;      // with this word
  };
  Step step(const Asked& asked, Past past) const;

  struct Sequence {
    Var h, c;                  // (S, B, H) of each word
    Cell::State last;          // of the last word that is read: forwards of the text's last one, backwards of its first
    std::vector<Var> weights;  // s_t of each word but the first, in the order in which they are read: (B, t-1)
  };
  // x (S, B, E), of lengths S if none are given; backwards a text is read from its own last word on. A step sees what
  // it has read, so that the padding, read last, harms none.
  Sequence run(const Var& x, std::vector<std::size_t> lengths = {},
               autograd::Direction direction = autograd::Direction::forward) const;
};

}  // namespace softalign::layers
