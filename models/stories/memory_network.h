// MemoryNetwork: a story is kept sentence by sentence, a question looks at it once or more often, and a word answers.
// Sukhbaatar et al. 2015, "End-to-end memory networks":
//
//   m_i = sum_j l_j A x_ij + T_A(age_i)          section 4.1: position encoding, time; c_i the same with C
//   u   = sum_j l_j B q_j
//   p_i = softmax_i(u' m_i)                      eq. 1
//   o   = sum_i p_i c_i                          eq. 2
//   a   = softmax(W (o + u))                     eq. 3
//   u^(h+1) = u^h + o^h                          eq. 4, hop by hop
//   l_kj = (1 - j/J) - (k/d) (1 - 2 j/J)         j = 1 .. J words, k = 1 .. d
// Tables are shared between hops as in section 2.2, adjacent: A^(h+1) = C^h, B = A^1, W' = C^H.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/memory.h"
#include "layers/dense/linear.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

// B stories and a question to each: word j of sentence i of story b at (i*B + b)*J + j, of the question at b*J + j;
// -1 where a sentence has no more words.
struct Stories {
  std::size_t S = 0, B = 0, J = 0;     // most sentences, stories, most words
  Ids sentences, questions;            // (S*B*J), (B*J)
  std::vector<std::size_t> lengths{};  // (B) sentences, the newest last
};

class MemoryNetwork {
 public:
  // How sentences are weighed: eq. 1; without the softmax, as the paper begins to train (section 4.2, linear start); or
  // all alike, which is no attention.
  enum class Look { softmax, linear, mean };

  struct Options {
    std::size_t words = 0;      // V
    std::size_t width = 32;     // d
    std::size_t sentences = 8;  // the oldest age that is told apart
    std::size_t hops = 1;
  };
  MemoryNetwork(const Options& options, const autograd::Params& p);

  // What stories are turned into, for looks to be taken at.
  struct Kept {
    Var u;                             // (B, d) u^1
    std::vector<Var> m;                // of each table (S, B, d): m of the first hop, c of it and m of the second, ..
    std::vector<std::size_t> lengths;  // (B) sentences
  };
  Kept keep(const Stories& stories) const;

  struct Looked {
    Var u;                     // (R, d) o + u of the last hop
    std::vector<Var> weights;  // p of each hop, (R, S)
  };
  // Row r asks what story r asked of the story rows[r]. Weights pass through `change` on their way to o.
  Looked look(const Kept& kept, const Ids& rows, Look look, const layers::Reweight& change = {}) const;
  const layers::Embedding& last_words() const { return words_.back(); }  // C^H, (V, d)

  struct Output {
    Var logits;                // (B, V)
    std::vector<Var> weights;  // p of each hop, (B, S)
  };
  Output operator()(const Stories& stories, Look look) const;

 private:
  Options options_;
  std::vector<layers::Embedding> words_, ages_;  // A^1, C^1 = A^2, .. and their T
};

}  // namespace softalign::models
