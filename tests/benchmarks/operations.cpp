#include "tests/benchmarks/operations.h"

using namespace softalign;

namespace benchmarks {

namespace {

// An encoder layer multiplies by W_q, W_k, W_v, W_o and the two matrices of the feed-forward network. A decoder layer
// also has W_q and W_o of its cross-attention, whose keys and values are computed per source word. For each pair of
// words, the score and the context are computed.
double transformer_flops(const Sizes& z, const models::ModelOptions& o) {
  const double d = double(o.hidden), f = double(o.feed_forward), L = double(o.layers), V = double(z.V);
  const double B = double(z.B), S = double(z.S), T = double(z.T);
  const double source = L * (4 * d * d + 2 * d * f) + L * 2 * d * d, target = L * (6 * d * d + 2 * d * f) + d * V;
  const double pairs = L * 2 * d * (S * S + T * (T + 1) / 2 + S * T);
  return 3 * 2 * B * (S * source + T * target + pairs);
}

}  // namespace

double training_flops(const Sizes& z, const models::ModelOptions& o) {
  if (o.model == "transformer") return transformer_flops(z, o);
  const bool rnnsearch = o.model == "rnnsearch", attends = o.attention != layers::ScoreKind::none,
             heads = o.attention == layers::ScoreKind::qkv;
  const bool additive = o.attention == layers::ScoreKind::additive || o.attention == layers::ScoreKind::concat;
  const bool compares = o.attention == layers::ScoreKind::general || o.attention == layers::ScoreKind::dot;
  const double E = double(z.E), H = double(z.H), V = double(z.V), A = double(z.A), L = double(o.known_positions);
  const double D = rnnsearch ? 2 * H : H;    // size of a source state: both directions concatenated, or added
  const double written = rnnsearch ? E : H;  // input size of the output layer
  const double directions = attends ? 2 : 1;

  double source = directions * (E + H) * 4 * H;  // per source word
  if (additive) source += D * A;                 // the keys
  if (o.attention == layers::ScoreKind::general) source += D * H;
  if (heads) source += 2 * D * A;  // the keys and values

  double target = (E + H) * 4 * H + written * V;              // per target word
  if (rnnsearch) target += D * 4 * H + (H + D + E) * E;       // the context as input of the cell, and the readout
  if (o.model == "luong") target += H * 4 * H + (D + H) * H;  // input feeding, W_c
  if (additive) target += H * A;
  if (o.attention == layers::ScoreKind::location) target += H * L;
  if (heads) target += H * A + A * D;
  if (o.attention_window == layers::WindowKind::local_p) target += H * H + H;

  double pair = 0;  // per target word and source word: score and context
  if (attends) pair = heads ? 2 * A : (additive ? A : compares ? H : 0) + D;

  const double start = rnnsearch ? D * H : 0, B = double(z.B), S = double(z.S), T = double(z.T);
  return 3 * 2 * B * (S * source + T * target + S * T * pair + start);
}

double decoding_bytes(const Sizes& z, const models::ModelOptions& o, const autograd::Params& params) {
  const auto starts = [](const std::string& name, const std::string& room) { return name.rfind(room, 0) == 0; };
  const auto times_read = [&](const std::string& name) -> std::size_t {
    if (starts(name, "source/") || starts(name, "target/")) return 0;
    if (starts(name, "encoder/")) return name.back() == 'U' ? z.S : 1;
    const bool key = name == "attention/U_a" || name == "attention/W_K" || name == "attention/W_V" ||
                     (name == "attention/W_a" && o.attention == layers::ScoreKind::general) ||
                     name.find("/cross/W_K") != std::string::npos || name.find("/cross/value") != std::string::npos;
    return key || starts(name, "start/") ? 1 : z.T;
  };
  std::size_t numbers = 0;
  for (const autograd::Parameter& p : params.all()) numbers += times_read(p.name) * p.var.value().size();
  return double(numbers * sizeof(autograd::Real));
}

}  // namespace benchmarks
