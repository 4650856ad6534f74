#include "models/recurrent/recurrent_encoder.h"

#include <utility>

#include "layers/padding.h"
#include "layers/recurrent/lstmn.h"
#include "models/decoder.h"

namespace softalign::models {

namespace {

RecurrentEncoder::Stack make_stack(const ModelOptions& o, std::optional<layers::CellKind> cell, Directions directions,
                                   const autograd::Params& p, const layers::InitialiserConfig& init) {
  const layers::StackOptions options{.input = o.embedding,
                                     .hidden = o.hidden,
                                     .layers = o.layers,
                                     .bidirectional = directions != Directions::forward,
                                     .residual = o.residual,
                                     .add_directions = directions == Directions::added};
  if (cell) return layers::recurrent_stack(p, *cell, options, init);
  return layers::LayerStack<layers::Lstmn>(p, options, [&](const autograd::Params& layer, std::size_t E) {
    return layers::Lstmn(layer, E, o.hidden, o.attention_size, init);
  });
}

template <class Sequence>
std::vector<layers::Cell::State> last_of(const std::vector<Sequence>& layers) {
  std::vector<layers::Cell::State> last;
  for (const Sequence& layer : layers) last.push_back(layer.last);
  return last;
}

// heads_of_layers returns the self-attention weights of each layer: of the forward direction, and of the backward
// direction if there is one. Row i of the encoder's input is row rows[i] of the batch.
std::vector<Heads> heads_of_layers(const layers::LayerStack<layers::Lstmn>::Output& read, const Batch& batch,
                                   const Ids& rows) {
  const std::vector<std::size_t>& lengths = batch.source_lengths;
  Ids turned = layers::reversed_rows(batch.source_steps, lengths);
  for (Id& row : turned) row = rows[static_cast<std::size_t>(row)];
  std::vector<Heads> self_attention;
  for (std::size_t l = 0; l < read.forward.size(); ++l) {
    std::vector<Var> directions{layers::lstmn_weights(read.forward[l].weights, rows, batch.size)};
    if (!read.backward.empty())
      directions.push_back(layers::lstmn_weights(read.backward[l].weights, turned, batch.size));
    self_attention.push_back({l, data::HeadKind::encoder_self, autograd::concat(directions, 1)});
  }
  return self_attention;
}

}  // namespace

RecurrentEncoder::RecurrentEncoder(const ModelOptions& o, std::optional<layers::CellKind> cell, Directions directions,
                                   layers::Embedding source, const autograd::Params& p,
                                   const layers::InitialiserConfig& init)
    : reverse_(o.reverse_source),
      dropout_{o.dropout, o.variational_dropout},
      source_(std::move(source)),
      stack_(make_stack(o, cell, directions, p, init)) {}

EncoderOutput RecurrentEncoder::operator()(const Batch& batch, ReturnWeights return_weights,
                                           const Training* training) const {
  Ids rows = autograd::all_rows(batch.source.size()), words = batch.source;
  if (reverse_) {
    std::vector<std::size_t> before_end = batch.source_lengths;
    for (std::size_t& words_of_b : before_end) --words_of_b;
    rows = layers::reversed_rows(batch.source_steps, before_end);
    for (std::size_t i = 0; i < rows.size(); ++i) words[i] = batch.source[static_cast<std::size_t>(rows[i])];
  }
  const Var x = dropout_(source_(words, batch.size), randomness(training));  // (S, B, E)
  return std::visit(
      [&](const auto& stack) {
        const auto h = stack(x, batch.source_lengths, dropout_, randomness(training));
        const auto in_order = [&](const Var& read) { return reverse_ ? layers::reordered(read, rows) : read; };
        EncoderOutput read{in_order(h.states), last_of(h.forward), last_of(h.backward)};
        if constexpr (requires { h.forward[0].weights; }) {
          const Var& right = h.forward.back().c;
          read.cells = in_order(h.backward.empty() ? right : stack.joined(right, h.backward.back().c));
          if (return_weights == ReturnWeights::yes) read.self_attention = heads_of_layers(h, batch, rows);
        }
        return read;
      },
      stack_);
}

EncoderKind recurrent_encoder() {
  EncoderKind k{.names = layers::all_names<layers::CellKind>(), .uses = {"embedding", "residual"}};
  k.recurrent = true;
  k.embedding = [](const ModelOptions& o) { return o.embedding; };
  k.conflicts = [](const ModelOptions&) { return Conflicts{}; };
  k.make = [](const ModelOptions& o, Directions directions, layers::Embedding source, const autograd::Params& p,
              const layers::InitialiserConfig& init) -> std::unique_ptr<Encoder> {
    return std::make_unique<RecurrentEncoder>(o, layers::value_named<layers::CellKind>(o.encoder), directions,
                                              std::move(source), p, init);
  };
  return k;
}

EncoderKind lstmn_encoder() {
  EncoderKind k = recurrent_encoder();
  k.names = {"lstmn"};
  k.uses.push_back("attention-size");
  return k;
}

}  // namespace softalign::models
