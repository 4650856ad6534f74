#include "tests/benchmarks/peer_model.h"

using namespace softalign;

namespace benchmarks {

namespace {

// The sum has the embeddings, the output layer, the layers and one final norm per side. Each layer has attention (q, k,
// v and output, with biases except for k), a feed-forward network and layer norms. The baseline's keys have a bias too,
// but the softmax cancels it.
PeerModel transformer_peer(const Sizes& z, const models::ModelOptions& o) {
  const std::size_t d = o.hidden, f = o.feed_forward, L = o.layers;
  const std::size_t attention = 4 * d * d + 3 * d, network = 2 * d * f + f + d, norm = 2 * d;
  const std::size_t encoder = attention + network + 2 * norm, decoder = 2 * attention + network + 3 * norm;
  return {2 * z.V * d + (d + 1) * z.V + L * (encoder + decoder) + 2 * norm, 3 * L * d, ""};
}

}  // namespace

std::optional<PeerModel> peer_model(const Sizes& z, const models::ModelOptions& o) {
  if (o.model == "transformer")
    return o.norm == layers::Norm::pre && o.self_attention == layers::SelfAttentionKind::softmax &&
                   o.positions == layers::PositionKind::sinusoidal && o.tie == models::Tie::none
               ? std::optional(transformer_peer(z, o))
               : std::nullopt;
  const bool additive = o.attention == layers::ScoreKind::additive, concat = o.attention == layers::ScoreKind::concat,
             general = o.attention == layers::ScoreKind::general, dot = o.attention == layers::ScoreKind::dot,
             none = o.attention == layers::ScoreKind::none;
  const bool luong = o.model == "luong";
  if (o.attention_window != layers::WindowKind::global || !(luong ? concat || general || dot : additive || none))
    return {};

  const std::size_t D = 2 * z.H, context = none ? 0 : dot ? z.H : D;
  const std::size_t cell_in = z.E + (additive ? context : 0) + (luong ? z.E : 0);
  std::size_t p = 2 * z.V * z.E + 2 * 4 * z.H * (z.E + z.H + 1) + (D + 1) * z.H;  // embeddings, encoder, s_0
  if (additive || concat) p += (D + z.H + 1) * z.A;
  if (general) p += D * z.H;
  p += 4 * z.H * (cell_in + z.H + 1) + (z.H + context + z.E + 1) * z.E + (z.E + 1) * z.V;

  std::string differs;
  if (luong)
    differs =
        "ours adds the two encoder directions, starts from their last states, and feeds and writes from the paper's h~ "
        "(size H); the peer has them side by side, a projected start, and a readout of size E with y_{t-1} in it";
  if (none)
    differs =
        "ours is Sutskever et al.'s: one direction, whose last state starts the decoder, which writes from h_t (size "
        "H); the peer has two directions, a projected start, and a readout of size E with y_{t-1} in it";
  return PeerModel{p, 3 * 4 * z.H, differs};
}

}  // namespace benchmarks
