#include "models/tagger.h"

#include "autograd/ops/elementwise.h"

namespace softalign::models {

namespace {

using layers::AttentionOutput;

constexpr std::size_t neighbours = 5, rank = 8;
constexpr autograd::Real sharpness = 8;

template <class AnyLayer>
AnyLayer make_layer(const Tagger::Options& o, const autograd::Params& p, const layers::InitialiserConfig& init) {
  using Layer = Tagger::Layer;
  const std::size_t d = o.width;
  if (o.layer == Layer::recurrence)
    return layers::recurrent_stack(p, layers::CellKind::lstm, {.input = d, .hidden = d / 2, .layers = 1}, init);
  if (o.layer == Layer::convolution)
    return layers::Convolution(p, neighbours, d, d, layers::Window::centred, init.input(1));
  if (o.layer == Layer::attention) return layers::MultiHead(p, d, 1, init);
  if (o.layer == Layer::positional) return layers::PositionTable(p, 1, o.max_positions);
  return layers::FactorizedPositionTable(p, 1, o.max_positions, rank);
}

// Mix applies a layer of any kind to x (n, B, d). Positional attention also uses `value`.
struct Mix {
  const Var& x;
  const std::optional<layers::Linear>& value;
  bool rotary;  // queries and keys are rotated by their positions

  AttentionOutput operator()(const layers::RecurrentStack& recurrence) const {
    const std::vector<std::size_t> lengths(x.dim(1), x.dim(0));
    return {recurrence(x, lengths).states, {}};
  }
  AttentionOutput operator()(const layers::Convolution& convolution) const { return {relu(convolution(x)), {}}; }
  AttentionOutput operator()(const layers::MultiHead& attention) const {
    Var q = attention.query(x);
    layers::MultiHead::Keys y = attention.keys(x);
    if (rotary) {
      const layers::RotaryEmbedding turned(0, x.dim(0), x.dim(2));
      q = turned(std::move(q)), y.keys = turned(std::move(y.keys));
    }
    return attention(q, y, {}, layers::ReturnWeights::yes);
  }
  AttentionOutput operator()(const layers::PositionTable& places) const { return positional(places()); }
  AttentionOutput operator()(const layers::FactorizedPositionTable& places) const { return positional(places()); }
  AttentionOutput positional(const Var& P) const {
    return layers::positional_attention(P * sharpness, (*value)(x), 1, {});
  }
};

}  // namespace

Tagger::Tagger(const Options& o, const autograd::Params& p)
    : d_(o.width),
      words_(p / "words", o.words, d_, layers::normal(1)),
      positions_(p / "positions", o.positions, o.max_positions, d_, layers::normal(0.1)),
      layer_(make_layer<AnyLayer>(o, p / "layer", initialiser_)),
      first_(p / "first", d_),
      second_(p / "second", d_),
      feed_forward_(p / "feed_forward", d_, 2 * d_, initialiser_),
      output_(p / "output", d_, o.labels, initialiser_.input(1)) {
  if (o.layer == Layer::positional || o.layer == Layer::factorized)
    value_.emplace(p / "layer" / "value", d_, d_, initialiser_.input(1));
}

Tagger::Output Tagger::operator()(const Ids& words, std::size_t B) const {
  const Var x = positions_(words_(words, B));  // (n, B, d)
  const Var normal = first_(x);
  const AttentionOutput attended = std::visit(Mix{normal, value_, positions_.rotary()}, layer_);
  const Var y = x + attended.context;
  return {output_(y + feed_forward_(second_(y))), attended.weights};
}

}  // namespace softalign::models
