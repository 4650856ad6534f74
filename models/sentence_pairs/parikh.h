// Decomposable attention that says whether a hypothesis follows from a premise: Parikh et al. 2016, its equations in
// models/sentence_pairs/decomposable_attention.h. Nothing looks at the words while the label is written; what it rests
// on is told by what their comparisons come to:
//
//   alignment_i = sum_k v_ik / sum_j sum_k v_jk         over the words of both, v >= 0
#pragma once

#include "models/one_word.h"
#include "models/sentence_pairs/decomposable_attention.h"
#include "models/seq2seq.h"

namespace softalign::models {

class Label : public OneWord {
 public:
  Label(const ModelOptions& options, const autograd::Params& p, const layers::Scheme& init)
      : words_({}, options, options.hidden, p, init) {}
  // told (B, H), alignment (B, S)
  Memory memory(const std::vector<std::size_t>& places, const Var& told, const Var& alignment) const;
  bool has_scores() const override { return false; }

 private:
  struct Judged {
    Var told, alignment;
  };
  Answer answer(const Memory& memory, const Ids& sources, const Training* training) const override;
  const TargetWords& words() const override { return words_; }

  TargetWords words_;
};

class Parikh : public Seq2Seq {
 public:
  Parikh(const ModelOptions& options, const autograd::Params& p);
  const Decoder& decoder() const override { return decoder_; }
  // Of the words of both sentences, with the mark between them: a head that looks at the other sentence, and with
  // intra-sentence attention one that looks at its own. The mark looks at itself.
  std::vector<Heads> self_attention(const Batch& batch) const override;

 private:
  Memory read(const Batch& batch, const Training* training) const override;

  layers::Scheme scheme_ = layers::scheme("default");
  DecomposableAttention compare_;
  Label decoder_;
};

}  // namespace softalign::models
