// How a source sentence is read, and other small steps that several models share.
#pragma once

#include "layers/recurrent/recurrent_stack.h"
#include "models/seq2seq.h"

namespace models {

Random* randomness(const Training* training);  // of dropout; none outside training

// The source with each sentence's words in reverse order, its </s> still last   Sutskever et al. 2014, section 3.3
Ids reversed(const Batch& batch);
// x (S*B, K), a row per step of such a source -> a row per word in its own place.
Var back_in_order(const Var& x, const Batch& batch);

Ids each_sentence_once(const Memory& memory);  // 0 .. B-1

// Row r of x (T*B, K) at step i: (B, K)
inline Var at_step(const Var& x, std::size_t i, std::size_t B) { return slice(x, 0, i * B, (i + 1) * B); }

}  // namespace models
