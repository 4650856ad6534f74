// The benchmarks' workload: a model of given sizes, and random data of fixed shape.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/batches.h"
#include "models/options.h"

using namespace softalign;

namespace benchmarks {

// The symbols are those of docs/notation.md. Both vocabularies have size V, and the readout has size E. A Transformer
// has d = H, f = 4H, and `layers` layers per side with `heads` heads each. Recurrent models have one layer.
struct Sizes {
  std::string name;
  std::size_t V, E, H, A, B, S, T, layers, heads;
};
inline const std::vector<Sizes> known_sizes{{"toy", 2000, 64, 128, 128, 32, 10, 10, 2, 4},
                                            {"base", 30000, 512, 512, 512, 80, 30, 30, 6, 8},
                                            {"paper", 30000, 620, 1000, 1000, 80, 30, 30, 6, 8}};

// One LSTM layer per side, without dropout. As rnnsearch with additive attention, this is the baseline's model. Its s_0
// comes from both ends of a bidirectional encoder, its queries are s_{i-1}, and its tanh readout has the embedding
// size.
inline models::ModelOptions model_options(const Sizes& z, const std::string& model,
                                          std::optional<layers::ScoreKind> attention, layers::WindowKind window) {
  models::ModelOptions o;
  o.model = model;
  o.attention = attention;
  o.attention_window = window;
  o.source_vocabulary = o.target_vocabulary = z.V;
  o.embedding = o.readout = z.E;
  o.hidden = z.H;
  o.attention_size = z.A;
  o.readout_kind = layers::ReadoutKind::tanh;
  o.initial_state = models::InitialState::both;
  o.query_word = false;
  o.dropout = 0;
  if (model != "transformer") return o;
  o.layers = z.layers;
  o.heads = z.heads;
  o.feed_forward = 4 * z.H;
  o.positions = layers::PositionKind::sinusoidal;  // as in the baseline
  return o;
}

// B pairs of S source and T target words, all random and without special tokens.
inline data::Batch random_batch(const Sizes& z, autograd::Random& random) {
  data::Batch b;
  b.size = z.B;
  b.source_steps = z.S;
  b.targets.steps = z.T;
  const auto word = [&] { return static_cast<data::Id>(4 + random.below(z.V - 4)); };
  for (std::size_t i = 0; i < z.S * z.B; ++i) b.source.push_back(word());
  b.targets.in.assign(z.B, data::start_id);
  for (std::size_t i = 0; i < z.T * z.B; ++i) b.targets.out.push_back(word());
  b.targets.in.insert(b.targets.in.end(), b.targets.out.begin(),
                      b.targets.out.end() - static_cast<std::ptrdiff_t>(z.B));
  b.source_lengths.assign(z.B, z.S);
  b.target_lengths.assign(z.B, z.T);
  for (std::size_t i = 0; i < z.B; ++i) b.index.push_back(i);
  return b;
}

// B source sentences of S random words.
inline std::vector<data::EncodedPair> random_sources(const Sizes& z, autograd::Random& random) {
  std::vector<data::EncodedPair> sources(z.B);
  for (data::EncodedPair& pair : sources)
    for (std::size_t i = 0; i < z.S; ++i) pair.source.push_back(static_cast<data::Id>(4 + random.below(z.V - 4)));
  return sources;
}

}  // namespace benchmarks
