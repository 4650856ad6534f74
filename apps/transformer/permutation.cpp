// reproduce permutation: without places attention cannot tell one order from another.
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

constexpr std::size_t n = 6, labels = 16;
const std::vector<std::string> words{"I", "give", "her", "the", "red", "book"};
const std::vector<std::size_t> order{3, 4, 5, 0, 1, 2};  // word t of the second sentence is word order[t] of the first

struct Reader {
  std::string name;
  Layer layer;
  const char* positions;
  bool minds;  // the order
};
const std::vector<Reader> readers{{"self-attention, no places", Layer::attention, "none", false},
                                  {"self-attention, sinusoids", Layer::attention, "sinusoidal", true},
                                  {"self-attention, learned places", Layer::attention, "learned", true},
                                  {"self-attention, relative places", Layer::attention, "relative", true},
                                  {"places alone", Layer::positional, "none", true},
                                  {"convolution of 5", Layer::convolution, "none", true},
                                  {"recurrence", Layer::recurrence, "none", true}};

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

// |f(P x) - P f(x)| / |f(x)|: 0 where what is said of a word does not depend on the order of the others.
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

// The weights of a sentence and of the same words in another order, without places and with sinusoids.
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

ExperimentResult show(std::size_t seeds, const ProgressReport& report) {
  report(fmt::format("{} layers", readers.size()));
  ExperimentResult shown;
  shown.setting =
      "Layers as they begin, untrained, read six words and the same words in another order. What changes of what is "
      "said of each word: |f(Px) - P f(x)| / |f(x)|. The matrices are the weights: without places (the first two) rows "
      "and columns only move, with sinusoids (the others) they change.";
  shown.columns = {"layer", "change"};
  for (const Reader& reader : readers) {
    const data::MeanAndRange change = over_seeds(seeds, [&](std::size_t seed) { return deviation(reader, seed); });
    shown.rows.push_back({reader.name, fmt::format("{:.1e}", change.mean)});
    const bool held = reader.minds ? change.low > 1e-3 : change.high < 1e-5;
    shown.claims.push_back({(reader.minds ? "Minds the order: " : "Does not mind it: ") + reader.name,
                            {held, fmt::format("changes by {:.1e}", change.mean)}});
  }
  shown.matrices = matrices();
  return shown;
}

}  // namespace

SmallExperiment permutation() { return {"permutation", "The same words in another order: which layers mind", show}; }

}  // namespace softalign::apps
