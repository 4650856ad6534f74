#include "models/encoders/recurrent_encoder.h"

#include <utility>

#include "autograd/storage/all_rows.h"
#include "models/time_steps.h"

namespace models {

namespace {

// For each row j*B + b of the source the row of the word that comes there when b is reversed; its own inverse.
Ids reversed_rows(const Batch& batch) {
  const std::size_t B = batch.size;
  Ids rows = autograd::all_rows(batch.source.size());
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t words = batch.source_lengths[b] - 1;
    for (std::size_t j = 0; j < words; ++j) rows[j * B + b] = static_cast<Id>((words - 1 - j) * B + b);
  }
  return rows;
}

layers::RecurrentStack::Options stack_options(const ModelOptions& o, const std::string& cell, Directions directions) {
  return {.cell = cell,
          .input = o.embedding,
          .hidden = o.hidden,
          .layers = o.layers,
          .bidirectional = directions != Directions::forward,
          .residual = o.residual,
          .add_directions = directions == Directions::added};
}

}  // namespace

RecurrentEncoder::RecurrentEncoder(const ModelOptions& o, const std::string& cell, Directions directions,
                                   layers::Embedding source, const autograd::Params& p, const layers::Scheme& init)
    : reverse_(o.reverse_source),
      dropout_{o.dropout, o.variational_dropout},
      source_(std::move(source)),
      stack_(p, stack_options(o, cell, directions), init) {}

Reading RecurrentEncoder::operator()(const Batch& batch, Wanted, const Training* training) const {
  Ids words = batch.source;
  const Ids rows = reverse_ ? reversed_rows(batch) : Ids();
  for (std::size_t i = 0; i < rows.size(); ++i) words[i] = batch.source[static_cast<std::size_t>(rows[i])];
  const Var x = dropout_(source_(words, batch.size), randomness(training));  // (S, B, E)
  auto h = stack_(x, batch.source_lengths, dropout_, randomness(training));
  if (reverse_) {
    const autograd::Shape shape = h.states.shape();
    h.states = reshape(gather(reshape(h.states, {shape[0] * shape[1], shape[2]}), rows), shape);
  }
  return {h.states, h.last_forward, h.last_backward};
}

EncoderKind recurrent_encoder() {
  EncoderKind k{.names = layers::known_cells(), .uses = {"embedding", "residual"}, .initialiser = "default"};
  k.embedding = [](const ModelOptions& o) { return o.embedding; };
  k.conflicts = [](const ModelOptions&) { return Conflicts{}; };
  k.make = [](const ModelOptions& o, Directions directions, layers::Embedding source, const autograd::Params& p,
              const layers::Scheme& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<RecurrentEncoder>(o, o.encoder, directions, std::move(source), p, init);
  };
  return k;
}

}  // namespace models
