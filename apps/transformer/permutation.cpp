// This file is the experiment `reproduce permutation`. Without positions, attention cannot distinguish the orders of
// words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/experiments/experiment.h"
#include "autograd/var.h"
#include "models/tagger.h"

namespace softalign::apps {

namespace {

using Layer = models::Tagger::Layer;
using autograd::Ids;
using layers::PositionKind;

constexpr std::size_t n = 6, labels = 16;
const std::vector<std::string> words{"I", "give", "her", "the", "red", "book"};
const std::vector<std::size_t> order{3, 4, 5, 0, 1, 2};  // word t of the second sentence is word order[t] of the first

struct Reader {
  std::string name;
  Layer layer;
  layers::PositionKind positions;
  bool minds;  // the result depends on the order
};
const std::vector<Reader> readers{
    {"self-attention, no positions", Layer::attention, PositionKind::none, false},
    {"self-attention, sinusoidal positions", Layer::attention, PositionKind::sinusoidal, true},
    {"self-attention, learned positions", Layer::attention, PositionKind::learned, true},
    {"self-attention, rotary positions", Layer::attention, PositionKind::rotary, true},
    {"positions only", Layer::positional, PositionKind::none, true},
    {"convolution, width 5", Layer::convolution, PositionKind::none, true},
    {"recurrence", Layer::recurrence, PositionKind::none, true}};

struct Reading {
  autograd::Array logits, weights;  // (n, 1, labels), (n, 1, n)
};
Reading read(const Reader& reader, const Ids& sentence, std::uint64_t seed) {
  const autograd::NoGrad no_grad;
  const autograd::Params params{autograd::Random(seed)};
  const models::Tagger model({.layer = reader.layer, .positions = reader.positions, .words = n, .labels = labels},
                             params);
  const auto [logits, weights] = model(sentence, 1);
  return {logits.value(), weights.defined() ? weights.value() : autograd::Array()};
}

// Returns |f(P x) - P f(x)| / |f(x)|. It is 0 if the result for a word does not depend on the order of the other words.
double deviation(const Reader& reader, std::uint64_t seed) {
  Ids sentence(n), moved(n);
  for (std::size_t t = 0; t < n; ++t)
    sentence[t] = static_cast<autograd::Id>(t), moved[t] = static_cast<autograd::Id>(order[t]);
  const autograd::Array before = read(reader, sentence, seed).logits, after = read(reader, moved, seed).logits;
  double difference = 0, size = 0;
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t v = 0; v < labels; ++v) {
      const double y = static_cast<double>(before[order[t] * labels + v]);
      difference += std::pow(static_cast<double>(after[t * labels + v]) - y, 2), size += y * y;
    }
  return std::sqrt(difference / size);
}

// Returns the weights of a sentence and of the same words in another order, without positions and with sinusoidal
// positions.
std::vector<data::Record> matrices() {
  std::vector<data::Record> all;
  for (const std::size_t r : {std::size_t{0}, std::size_t{1}})
    for (const bool moved : {false, true}) {
      Ids ids(n);
      data::Record record;
      for (std::size_t t = 0; t < n; ++t) {
        ids[t] = static_cast<autograd::Id>(moved ? order[t] : t);
        record.source.push_back(words[static_cast<std::size_t>(ids[t])]);
      }
      record.target = record.source;
      record.source_eos = record.target_eos = false;
      const autograd::Array weights = read(readers[r], ids, 1).weights;
      for (std::size_t t = 0; t < n; ++t)
        record.weights.matrix.emplace_back(weights.data() + t * n, weights.data() + (t + 1) * n);
      all.push_back(std::move(record));
    }
  return all;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  report(fmt::format("{} layers", readers.size()));
  ExperimentResult shown;
  shown.setting =
      "Untrained layers read six words, then the same words in another order. Change: |f(Px) - P f(x)| / |f(x)|, where "
      "P is the permutation; it is 0 for a layer that is equivariant to word order. The matrices are attention "
      "weights: without positions, rows and columns are only permuted; with sinusoidal positions, the weights change.";
  shown.columns = {"layer", "change"};
  for (const Reader& reader : readers) {
    const data::MeanAndRange change = over_seeds(seeds, [&](std::size_t seed) { return deviation(reader, seed); });
    shown.rows.push_back({reader.name, fmt::format("{:.1e}", change.mean)});
    const bool held = reader.minds ? change.low > 1e-3 : change.high < 1e-5;
    shown.claims.push_back(
        {(reader.minds ? "Depends on word order: " : "Does not depend on word order: ") + reader.name,
         {held, fmt::format("change {:.1e}", change.mean)}});
  }
  shown.matrices = matrices();
  shown.captions = {"without positions", "without positions, in another order", "with sinusoidal positions",
                    "with sinusoidal positions, in another order"};
  return shown;
}

}  // namespace

SmallExperiment permutation() { return {"permutation", "Permutation: which layers depend on word order", run}; }

}  // namespace softalign::apps
