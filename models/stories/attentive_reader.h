// The attentive reader answers a question about a story with one word: Hermann et al. 2015, "Teaching machines to read
// and comprehend", section 2.2. The paper attends to words, but this model attends to sentences. [a; b] joins two
// vectors, and a prime (w') means the transpose. H is the size of a recurrent state.
//
//   s_i = the last state of a recurrent network over the words of sentence i        (H)
//   y_i = [y->_i; y<-_i], the states of a bidirectional network over s_1 .. s_n      (2H)
//   u   = the last state of a third network over the words of the question          (H)
//   m_i = tanh(W_ym y_i + W_um u)        p = softmax_i(w_ms' m_i)        r = sum_i p_i y_i
//   g   = tanh(W_rg r + W_ug u)          a = softmax(W g)
//
// p_i is the attention weight of sentence i, and r is the weighted sum of the sentences. The vector a gives each word
// of the vocabulary its probability to be the answer. Every W and w_ms is learned.
#pragma once

#include "layers/attention/attention.h"
#include "layers/dense/dropout.h"
#include "layers/recurrent/stacks.h"
#include "models/one_word.h"
#include "models/seq2seq.h"

namespace softalign::models {

// Computes the answer from the encoded story and question.
class AttentiveAnswer : public OneWord {
 public:
  AttentiveAnswer(const ModelOptions& options, const autograd::Params& p, const layers::InitialiserConfig& init);
  // Stores the states y (S, B, 2H) of the sentences and the states u (B, H) of the questions, for B stories of at most
  // S sentences. H is the size of a recurrent state. `sentences` has the number of sentences of each story.
  Memory memory(const std::vector<std::size_t>& sentences, const Var& y, const Var& u) const;
  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override;

 private:
  struct Source {
    layers::AttentionMemory y;
    Var u;
  };
  Answer answer(const Memory& memory, const Ids& sources, const Training* training) const override;
  const TargetEmbedding& words() const override { return words_; }

  layers::Dropout dropout_;
  layers::Attention attention_;
  Var W_rg_, W_ug_;  // (2H, H), (H, H)
  TargetEmbedding words_;
};

class Hermann : public Seq2Seq {
 public:
  Hermann(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::InitialiserConfig initialiser_;
  layers::Dropout dropout_;
  layers::Embedding words_;
  layers::RecurrentStack sentence_, story_, question_;
  AttentiveAnswer decoder_;
};

}  // namespace softalign::models
