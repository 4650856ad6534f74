// The workload of the peers: one model, random data of fixed shape, and its floating-point operations by formula.
#pragma once

#include <cstddef>
#include <string>

#include "autograd/random.h"
#include "data/batch.h"
#include "models/options.h"

namespace benchmarks {

// Letters: V vocabulary (both sides), E embedding and readout, H hidden, A attention, B sentences, S and T steps.
struct Sizes {
  std::string name;
  std::size_t V, E, H, A, B, S, T;
};
inline const Sizes toy{"toy", 2000, 64, 128, 128, 32, 10, 10};
inline const Sizes paper{"paper", 30000, 620, 1000, 1000, 80, 30, 30};

// One-layer bidirectional LSTM encoder, s_0 from both of its ends, additive attention from s_{i-1}, tanh readout of
// embedding size, no dropout.
inline models::ModelOptions peer_model(const Sizes& z) {
  models::ModelOptions o;
  o.source_vocabulary = o.target_vocabulary = z.V;
  o.embedding = o.readout = z.E;
  o.hidden = z.H;
  o.attention_size = z.A;
  o.readout_kind = "tanh";
  o.start = "both";
  o.dropout = 0;
  return o;
}

// The same model's parameters as PyTorch counts them, without the second bias vector that each of its three LSTMs
// keeps (4H each, added to the first: it changes nothing that the model can compute).
inline std::size_t peer_parameters(const Sizes& z) {
  const std::size_t lstm_in = z.E + z.H + 1, D = 2 * z.H;
  return 2 * z.V * z.E + 2 * 4 * z.H * lstm_in + (D + 1) * z.H + (D + z.H + 1) * z.A +  //
         4 * z.H * (lstm_in + D) + (z.H + D + z.E + 1) * z.E + (z.E + 1) * z.V;
}

// Multiplications and additions of one training step: every product once forwards and twice backwards.
inline double training_flops(const Sizes& z) {
  const double E = double(z.E), H = double(z.H), A = double(z.A), V = double(z.V), D = 2 * H;
  const double source = double(z.S * z.B), target = double(z.T * z.B), pairs = double(z.S * z.T * z.B);
  const double encoder = source * (2 * (E + H) * 4 * H + D * A) + double(z.B) * D * H;
  const double decoder = target * ((E + H + D) * 4 * H + H * A + (H + D + E) * E + E * V);
  return 3 * 2 * (encoder + decoder + pairs * (A + D));
}

inline data::Batch random_batch(const Sizes& z, autograd::Random& random) {
  data::Batch b;
  b.size = z.B;
  b.source_steps = z.S;
  b.target_steps = z.T;
  const auto word = [&] { return static_cast<data::Id>(4 + random.below(z.V - 4)); };
  for (std::size_t i = 0; i < z.S * z.B; ++i) b.source.push_back(word());
  b.target_in.assign(z.B, data::start_id);
  for (std::size_t i = 0; i < z.T * z.B; ++i) b.target_out.push_back(word());
  b.target_in.insert(b.target_in.end(), b.target_out.begin(), b.target_out.end() - static_cast<std::ptrdiff_t>(z.B));
  b.source_lengths.assign(z.B, z.S);
  b.target_lengths.assign(z.B, z.T);
  return b;
}

}  // namespace benchmarks
