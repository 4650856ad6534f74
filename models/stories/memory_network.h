// The memory network stores each sentence of a story as a vector. A question attends to the story in one or several
// hops (attention steps), and the answer is one word. It is from Sukhbaatar et al. 2015, "End-to-end memory networks":
//
//   m_i = sum_j l_j A x_ij + T_A(age_i)          section 4.1: position encoding, time
//   c_i = sum_j l_j C x_ij + T_C(age_i)
//   u   = sum_j l_j B q_j
//   p_i = softmax_i(u' m_i)                      eq. 1
//   o   = sum_i p_i c_i                          eq. 2
//   a   = softmax(W (o + u))                     eq. 3
//   u^(h+1) = u^h + o^h                          eq. 4, hop by hop
//   l_kj = (1 - j/J) - (k/d) (1 - 2 j/J)         j = 1 .. J words, k = 1 .. d
//
// x_ij is word j of sentence i, and q_j is word j of the question. A, B and C are embedding tables of width d. age_i is
// the number of sentences after sentence i, and T_A and T_C have one learned vector per age. The vector l_j weights the
// word at position j, so the order of the words counts. m_i is the key and c_i is the value of sentence i. p_i is the
// attention weight of sentence i, and the vector a gives the probability of each answer.
//
// Section 2.2 describes two ways to share the tables between the hops h = 1 .. K. H is a learned matrix:
//   adjacent     A^(h+1) = C^h, B = A^1, W' = C^K
//   layer-wise   A^h = A, C^h = C, u^(h+1) = H u^h + o^h; B is free, and here W' = C
//
// The sums of eq. 3 and eq. 4 are linear in u and o. With the option `relu`, half of the units are nonlinear after
// every hop, as in the language models of section 5. Unit k of d units becomes
//   u^(h+1)_k = max(0, u^(h+1)_k)   for k > d/2
//
// Section 4.1 adds noise to the ages: during training, the model counts invented empty sentences between the sentences
// of a story, so older sentences get a larger age.
#pragma once

#include <cstddef>
#include <vector>

#include "layers/attention/memory.h"
#include "layers/dense/embedding.h"
#include "models/one_word.h"
#include "models/seq2seq.h"
#include "models/stories/story.h"

namespace softalign::models {

using autograd::Ids;
using autograd::Var;

class MemoryNetwork {
 public:
  // The enum Weighting says how attend() computes the weights of the sentences.
  enum class Weighting { softmax, linear, mean };

  struct Options {
    std::size_t words = 0;      // V
    std::size_t width = 32;     // d
    std::size_t sentences = 8;  // number of ages; all older sentences share the oldest age
    std::size_t hops = 1;
    HopTying tying = HopTying::adjacent;
    bool relu = false;  // ReLU on half of the units after every hop
  };
  MemoryNetwork(const Options& options, const autograd::Params& p);

  // The embedded stories and questions.
  struct EmbeddedStories {
    Var u;                             // (B, d) u^1
    std::vector<Var> keys, values;     // m and c of each hop, (S, B, d)
    std::vector<std::size_t> lengths;  // (B) sentences
  };
  // Embeds stories and questions. If `training` is given, the ages of the sentences get random noise (section 4.1 of
  // the paper).
  EmbeddedStories embed(const Stories& stories, const Training* training = nullptr) const;

  struct Attended {
    Var u;                     // (R, d) o + u of the last hop
    std::vector<Var> weights;  // attention weights p of each hop, (R, S)
  };
  // Attends to the stories and returns one row per entry of `rows`. Row r uses the question and the sentences of story
  // rows[r]. With the weighting `softmax`, eq. 1 gives the attention weights p. `linear` leaves the softmax out, as in
  // the first part of the paper's training (section 4.2, linear start). `mean` gives all sentences the same weight, for
  // a comparison without attention. `hook` may change the attention weights p before the model computes the weighted
  // sum o.
  Attended attend(const EmbeddedStories& embedded, const Ids& rows, Weighting weighting,
                  const layers::AttentionHook& hook = {}) const;
  const layers::Embedding& last_words() const { return words_[value_table(options_.hops - 1)]; }  // C^K, (V, d)

  struct Output {
    Var logits;                // (B, V)
    std::vector<Var> weights;  // attention weights p of each hop, (B, S)
  };
  Output operator()(const Stories& stories, Weighting weighting) const;

 private:
  bool adjacent() const { return options_.tying == HopTying::adjacent; }
  std::size_t key_table(std::size_t hop) const { return adjacent() ? hop : 0; }
  std::size_t value_table(std::size_t hop) const { return adjacent() ? hop + 1 : 1; }

  Options options_;
  std::vector<layers::Embedding> words_, ages_;  // adjacent: A^1, C^1 = A^2, .. and their T; layer-wise: A, C
  layers::Embedding question_words_;             // B
  Var H_;                                        // (d, d) layer-wise
};

// The class Hops is the decoder, which writes the answer. If embeddings are tied, the table C of the last hop is also
// the output layer, as in section 2.2. Otherwise the output layer has its own matrix.
class Hops : public OneWord {
 public:
  Hops(const ModelOptions& options, const autograd::Params& p);
  Memory memory(const Batch& batch, const Training* training) const;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;

 private:
  Answer answer(const Memory& memory, const Ids& sources, const Training* training) const override;
  const TargetEmbedding& words() const override { return words_; }

  MemoryNetwork network_;
  TargetEmbedding words_;
  AttentionHook hook_;
};

class Sukhbaatar : public Seq2Seq {
 public:
  Sukhbaatar(const ModelOptions& options, const autograd::Params& p) : decoder_(options, p) {}
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override { return decoder_.memory(batch, training); }

  Hops decoder_;
};

}  // namespace softalign::models
