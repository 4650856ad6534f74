// This file is the experiment `reproduce entailment` (Parikh et al. 2016). A model decides whether one sentence follows
// from another, and from which words.
#include "apps/sentence_pairs/entailment.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::entailment_words());
  return table;
}

}  // namespace

EntailmentBatch::EntailmentBatch(std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  pairs.B = B;
  for (std::size_t b = 0; b < B; ++b) {
    examples.push_back(data::draw_entailment(random));
    const data::Entailment& pair = examples.back();
    pairs.a_lengths.push_back(pair.premise.size()), pairs.b_lengths.push_back(pair.hypothesis.size());
    pairs.m = std::max(pairs.m, pair.premise.size()), pairs.n = std::max(pairs.n, pair.hypothesis.size());
    labels.push_back(static_cast<autograd::Id>(pair.label));
  }
  pairs.a.assign(pairs.m * B, 0), pairs.b.assign(pairs.n * B, 0);
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t i = 0; i < examples[b].premise.size(); ++i) pairs.a[i * B + b] = ids().at(examples[b].premise[i]);
    for (std::size_t j = 0; j < examples[b].hypothesis.size(); ++j)
      pairs.b[j * B + b] = ids().at(examples[b].hypothesis[j]);
  }
}

std::size_t EntailmentBatch::words() { return ids().size(); }

namespace {

using autograd::Real;
using models::DecomposableAttention;

struct Kind {
  std::string name;
  bool intra, uniform;
};
const std::vector<Kind> kinds{{"mean of the other sentence", false, true},
                              {"decomposable attention", false, false},
                              {"with intra-sentence attention", true, false}};

constexpr std::size_t steps = 1500, B = 32, tested = 1000, measurements = 10;
constexpr double rate = 2e-3;

// Found has percentages. `accuracy` counts correct labels. The other numbers are about words of the hypothesis that
// were made from a word of the premise, without articles. `hit` counts how often the largest weight is on that word of
// the premise. `plain` counts the same for unchanged words that occur once in the premise. `ambiguous` is for unchanged
// words that occur several times, and `changed` is for changed words.
struct Found {
  double accuracy = 0;
  std::optional<double> hit, plain, ambiguous, changed;
};

Found found(const DecomposableAttention& model, bool uniform, const EntailmentBatch& test) {
  const autograd::NoGrad no_grad;
  const auto out = model(test.pairs);
  const std::size_t V = data::entailment_labels.size(), m = test.pairs.m, n = test.pairs.n;
  Hits right, hit, plain, ambiguous, changed;
  for (std::size_t b = 0; b < test.examples.size(); ++b) {
    const data::Entailment& pair = test.examples[b];
    right.count(largest(out.logits, b, V) == pair.label);
    for (std::size_t j = 0; j < pair.hypothesis.size(); ++j) {
      const std::string& word = pair.hypothesis[j];
      if (!pair.gold[j] || word == "a" || word == "an") continue;
      const bool there = largest(out.of_b, b * n + j, m) == *pair.gold[j];
      const auto times = std::count(pair.premise.begin(), pair.premise.end(), word);
      hit.count(there);
      (pair.premise[*pair.gold[j]] != word ? changed : times > 1 ? ambiguous : plain).count(there);
    }
  }
  if (uniform) return {right.percent(), {}, {}, {}, {}};
  return {right.percent(), hit.percent(), plain.percent(), ambiguous.percent(), changed.percent()};
}

// Returns the attention of each word of the hypothesis to the words of the premise.
data::Record record_of(const DecomposableAttention& model, const EntailmentBatch& test, std::size_t b) {
  const autograd::NoGrad no_grad;
  const autograd::Array weights = model(test.pairs).of_b.value();
  const data::Entailment& pair = test.examples[b];
  data::Record record;
  record.source_eos = record.target_eos = false;
  record.source = pair.premise, record.target = pair.hypothesis;
  record.gold.emplace();
  for (std::size_t j = 0; j < pair.hypothesis.size(); ++j) {
    const Real* row = weights.data() + (b * test.pairs.n + j) * test.pairs.m;
    record.weights.matrix.emplace_back(row, row + pair.premise.size());
    if (pair.gold[j]) record.gold->sure.push_back({*pair.gold[j], j});
  }
  return record;
}

struct Learnt {
  std::vector<Found> measured;        // after each tenth of the steps
  std::vector<data::Record> records;  // the first test pair of each label
  std::size_t parameters = 0;
};

Learnt learnt(const Kind& kind, const EntailmentBatch& test, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const DecomposableAttention model({.words = EntailmentBatch::words(),
                                     .labels = data::entailment_labels.size(),
                                     .intra = kind.intra,
                                     .uniform = kind.uniform},
                                    params);
  Learnt result;
  result.parameters = params.count();
  const auto measure = [&] { return found(model, kind.uniform, test); };
  result.measured = learn_and_observe(params, steps, rate, measurements, measure, [&](std::size_t step) {
    const EntailmentBatch batch(B, seed * steps + step);
    return mean(cross_entropy(model(batch.pairs).logits, batch.labels, {.ignore = -1}));
  });
  if (kind.intra || kind.uniform) return result;
  for (autograd::Id label = 0; label < 3; ++label) {
    const auto first = std::find(test.labels.begin(), test.labels.end(), label);
    result.records.push_back(record_of(model, test, static_cast<std::size_t>(first - test.labels.begin())));
  }
  return result;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "The label says whether the hypothesis follows from the premise, contradicts it, or neither. Training takes {} "
      "steps of {} pairs; the test has {} other pairs. In percent. Attention: how often a hypothesis word puts its "
      "largest weight on the premise word that it was derived from; then the same for words that the premise has once, "
      "words that it has several times, and words that were changed. The matrices show one pair per label.",
      steps, B, tested);
  shown.columns = {
      "each word is compared with", "parameters", "accuracy", "attention", "once", "several times", "changed"};
  LineChart chart = chart_of_measurements("accuracy, percent", "steps", steps, measurements);
  chart.low = 30;
  const EntailmentBatch test(tested, test_seed);
  std::vector<Found> means;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(kinds[k], test, seed); });
    const auto right = final_value(all, &Found::accuracy);
    chart.series.push_back(accuracy_of(kinds[k].name, k, all));
    std::vector<std::string> row{kinds[k].name, std::to_string(all.front().parameters), to_text(right, 1)};
    means.push_back({right->mean, {}, {}, {}, {}});
    for (const auto part : {&Found::hit, &Found::plain, &Found::ambiguous, &Found::changed}) {
      const auto spread = final_value(all, part);
      row.push_back(spread ? to_text(spread, 1) : "-");
      if (spread) means.back().*part = spread->mean;
    }
    shown.rows.push_back(std::move(row));
    const std::vector<data::Record>& records = all.front().records;
    shown.matrices.insert(shown.matrices.end(), records.begin(), records.end());
    for (std::size_t label = 0; label < records.size(); ++label)
      shown.captions.push_back(fmt::format("{}: {}", data::entailment_labels[label], kinds[k].name));
  }
  shown.charts.push_back(std::move(chart));
  shown.claims = {{"Comparing words one by one is sufficient for most pairs (section 3)",
                   {means[1].accuracy >= 88, fmt::format("accuracy {:.1f}", means[1].accuracy)}},
                  {"Without attention, the same number of steps is not enough",
                   {means[0].accuracy <= 75, fmt::format("accuracy {:.1f}", means[0].accuracy)}},
                  {"A word attends to the word that it was derived from",
                   {*means[1].hit >= 72 && *means[1].plain >= 90,
                    fmt::format("{:.1f}; words that the premise has once {:.1f}", *means[1].hit, *means[1].plain)}},
                  {"A bag of words cannot distinguish two occurrences of a word",
                   {*means[1].ambiguous <= 60, fmt::format("{:.1f}", *means[1].ambiguous)}}};
  return shown;
}

}  // namespace

SmallExperiment entailment() { return {"entailment", "Natural language inference: decomposable attention", run}; }

}  // namespace softalign::apps
