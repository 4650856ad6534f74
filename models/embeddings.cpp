#include "models/embeddings.h"

#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "data/corpus/batch.h"
#include "models/encoder.h"

namespace softalign::models {

using layers::Embedding;

namespace {

// chosen_columns keeps the given columns: (V) -> (K), (l, V) -> (l, K)
Array chosen_columns(const Array& x, const Ids& columns) {
  const std::size_t V = x.shape().back(), rows = V ? x.size() / V : 0;
  Array y(x.rank() == 1 ? autograd::Shape{columns.size()} : autograd::Shape{rows, columns.size()});
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < columns.size(); ++k)
      y[row * columns.size() + k] = x[row * V + static_cast<std::size_t>(columns[k])];
  return y;
}

}  // namespace

TargetEmbedding::TargetEmbedding(Embedding target, const ModelOptions& o, std::size_t l, const autograd::Params& p,
                                 const layers::InitialiserConfig& init)
    : embedding(std::move(target)),
      W(o.tie == Tie::none ? (p / "output").declare("W", {l, o.target_vocabulary}, init.input(1)) : Var()),
      b((p / "output").declare("b", {o.target_vocabulary}, layers::zeros())) {}

Var TargetEmbedding::logits(const Var& t) const {
  return W.defined() ? affine(t, W, b) : matmul_transposed(t, embedding.E) + b;
}

TargetEmbedding TargetEmbedding::only(const Ids& words) const {
  TargetEmbedding few = *this;
  few.embedding.E = variable(gather(embedding.E, words).value());
  if (W.defined()) few.W = variable(chosen_columns(W.value(), words));
  few.b = variable(chosen_columns(b.value(), words));
  return few;
}

Var TargetEmbedding::losses(const Var& t, const Ids& words, const Training* training) const {
  const Real smoothing = training ? training->label_smoothing : 0;
  return layers::output_cross_entropy(t, W.defined() ? W : transpose(embedding.E), b, words, smoothing, data::pad_id);
}

Embedding target_embedding(const ModelOptions& o, std::size_t E, const autograd::Params& p,
                           const layers::InitialiserConfig& init) {
  return {p / "target", o.target_vocabulary, E, init.embedding};
}

Embeddings make_embeddings(const ModelOptions& o, std::size_t E, std::size_t l, const autograd::Params& p,
                           const layers::InitialiserConfig& init) {
  const Embedding target = target_embedding(o, E, p, init);
  const auto own = [&] {
    return Embedding(p / "source", o.source_vocabulary, encoder_kind(o.encoder).embedding(o),
                     encoder_initialiser(o).embedding);
  };
  const TargetEmbedding words(target, o, l, p, init);
  if (reads_pictures(o)) return {{}, words};
  return {o.tie == Tie::all ? target : own(), words};
}

}  // namespace softalign::models
