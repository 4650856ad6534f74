#include "models/recurrent/word_tables.h"

#include "autograd/fused/output_cross_entropy.h"
#include "autograd/ops/elementwise.h"

namespace models {

using layers::Embedding;

namespace {

Embedding source_table(const ModelOptions& o, const autograd::Params& p, const Embedding& target,
                       const layers::Scheme& init) {
  return o.tie == "all" ? target : Embedding(p / "source", o.source_vocabulary, o.embedding, init.embedding);
}

}  // namespace

WordTables::WordTables(const ModelOptions& o, std::size_t l, const autograd::Params& p, const layers::Scheme& init)
    : target(p / "target", o.target_vocabulary, o.embedding, init.embedding),
      source(source_table(o, p, target, init)),
      W(o.tie == "none" ? (p / "output").declare("W", {l, o.target_vocabulary}, init.input(1)) : Var()),
      b((p / "output").declare("b", {o.target_vocabulary}, layers::zeros())) {}

Var WordTables::logits(const Var& t) const {
  return W.defined() ? affine(t, W, b) : matmul_transposed(t, target.E) + b;
}

Var WordTables::losses(const Var& t, const Ids& words, const Training* training) const {
  const Real smoothing = training ? training->label_smoothing : 0;
  return output_cross_entropy(t, W.defined() ? W : transpose(target.E), b, words, smoothing, data::pad_id);
}

}  // namespace models
