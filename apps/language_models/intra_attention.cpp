// This file is the experiment `reproduce intra-attention`. An LSTM attends to its earlier states (Cheng et al. 2016).
#include "apps/language_models/intra_attention.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "models/language_models/next_word.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::repeats_words());
  return table;
}

}  // namespace

RepeatsBatch::RepeatsBatch(std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  for (std::size_t b = 0; b < B; ++b) examples.push_back(data::draw_repeats(statements, names, random));
  const std::size_t T = statements * data::words_of_a_statement - 1;
  for (std::size_t t = 0; t < T; ++t)
    for (const data::Repeats& repeats : examples) {
      words.push_back(ids().at(repeats.text[t]));
      next.push_back(ids().at(repeats.text[t + 1]));
    }
}

std::size_t RepeatsBatch::words_known() { return ids().size(); }

namespace {

using models::NextWord;

struct Kind {
  std::string name;
  NextWord::Layer layer;
};
const std::vector<Kind> kinds{{"LSTM", NextWord::Layer::lstm}, {"LSTM with intra-attention", NextWord::Layer::lstmn}};

constexpr std::size_t steps = 1500, B = 32, tested = 500, measurements = 10;
constexpr double rate = 5e-3;

// Found has percentages of the repeated names. `accuracy` counts how often the model predicts the right thing. `hit`
// counts how often the largest weight is on the thing in the last statement about the name. `statement` counts how
// often it is anywhere in this statement.
struct Found {
  double accuracy = 0;
  std::optional<double> hit, statement;
};

Found found(const NextWord& model, const RepeatsBatch& test) {
  const autograd::NoGrad no_grad;
  const auto [logits, weights] = model(test.words, tested);
  const std::size_t V = RepeatsBatch::words_known();
  Hits right, things, statements;
  for (std::size_t b = 0; b < tested; ++b)
    for (const data::Repeats::Return& back : test.examples[b].returns) {
      const std::size_t row = back.likes * tested + b;
      right.count(largest(logits, row, V) == static_cast<std::size_t>(test.next[row]));
      if (weights.empty()) continue;
      const std::size_t attended = largest(weights[back.likes - 1], b, back.likes);
      things.count(attended == back.statement * data::words_of_a_statement + 2);
      statements.count(attended / data::words_of_a_statement == back.statement);
    }
  if (weights.empty()) return {right.percent(), {}, {}};
  return {right.percent(), things.percent(), statements.percent()};
}

// Returns the attention of each word of a text to the words before it.
data::Record record_of(const NextWord& model, const RepeatsBatch& test, std::size_t b) {
  const autograd::NoGrad no_grad;
  const auto weights = model(test.words, tested).weights;
  const data::Repeats& repeats = test.examples[b];
  data::Record record;
  record.source_eos = record.target_eos = false;
  const std::size_t T = weights.size() + 1;
  record.source.assign(repeats.text.begin(), repeats.text.begin() + static_cast<std::ptrdiff_t>(T));
  record.target.assign(record.source.begin() + 1, record.source.end());
  record.gold.emplace();
  for (std::size_t t = 1; t < T; ++t) {
    record.weights.matrix.emplace_back(T, 0.0f);
    for (std::size_t i = 0; i < t; ++i)
      record.weights.matrix.back()[i] = static_cast<float>(weights[t - 1].value()[b * t + i]);
  }
  for (const data::Repeats::Return& back : repeats.returns)
    record.gold->sure.push_back({back.statement * data::words_of_a_statement + 2, back.likes - 1});
  return record;
}

struct Learnt {
  std::vector<Found> measured;  // after each tenth of the steps
  std::optional<data::Record> record;
  std::size_t parameters = 0;
};

Learnt learnt(const Kind& kind, const RepeatsBatch& test, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const NextWord model({.layer = kind.layer, .words = RepeatsBatch::words_known()}, params);
  Learnt result;
  result.parameters = params.count();
  const auto attended = [&] { return found(model, test); };
  result.measured = learn_and_observe(params, steps, rate, measurements, attended, [&](std::size_t step) {
    const RepeatsBatch batch(B, seed * steps + step);
    const autograd::Var logits = model(batch.words, B).logits;
    return mean(cross_entropy(reshape(logits, {batch.next.size(), logits.dim(2)}), batch.next, {.ignore = -1}));
  });
  if (kind.layer == NextWord::Layer::lstmn) {
    const auto most =
        std::max_element(test.examples.begin(), test.examples.begin() + 20,
                         [](const auto& a, const auto& b) { return a.returns.size() < b.returns.size(); });
    result.record = record_of(model, test, static_cast<std::size_t>(most - test.examples.begin()));
  }
  return result;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each text has {} statements about {} of 12 names, for example \"mary likes tea\"; a name that is repeated likes "
      "the same thing again. The language models have width 48; training takes {} steps of {} texts, and the test has "
      "{} other texts. All figures are about repeated names, in percent: how often the model predicts the right thing, "
      "and how often its largest weight is on the last mention of this thing, or in the statement with this mention.",
      RepeatsBatch::statements, RepeatsBatch::names, steps, B, tested);
  shown.columns = {"model", "parameters", "accuracy", "largest weight on the thing", "in its statement"};
  LineChart chart = chart_of_measurements("accuracy on repeated names, percent", "steps", steps, measurements);
  const RepeatsBatch test(tested, test_seed);
  std::vector<Found> means;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(kinds[k], test, seed); });
    chart.series.push_back(accuracy_of(kinds[k].name, k, all));
    const auto right = final_value(all, &Found::accuracy), hit = final_value(all, &Found::hit),
               statement = final_value(all, &Found::statement);
    shown.rows.push_back({kinds[k].name, std::to_string(all.front().parameters), to_text(right, 1), to_text(hit, 1),
                          to_text(statement, 1)});
    means.push_back({right->mean, hit ? std::optional(hit->mean) : std::nullopt, {}});
    if (all.front().record) {
      shown.matrices.push_back(*all.front().record);
      shown.captions.push_back(kinds[k].name);
    }
  }
  shown.charts.push_back(std::move(chart));
  shown.claims = {
      {"With intra-attention, the model repeats what was said before (section 3.2)",
       {means[1].accuracy >= 75, fmt::format("accuracy {:.1f}", means[1].accuracy)}},
      {"Its largest weight is on the earlier mention", {*means[1].hit >= 55, fmt::format("{:.1f}", *means[1].hit)}},
      {"An LSTM of the same width does not",
       {means[0].accuracy <= 50, fmt::format("accuracy {:.1f}", means[0].accuracy)}}};
  return shown;
}

}  // namespace

SmallExperiment intra_attention() {
  return {"intra-attention", "Intra-attention: an LSTM that attends to its earlier states", run};
}

}  // namespace softalign::apps
