// This file is the experiment `reproduce n-grams`. It compares attention heads that count words with exact counts
// (Akyürek et al. 2024, Edelman et al. 2024).
#include "apps/language_models/chains.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "models/language_models/attention_only.h"
#include "models/language_models/next_word.h"

namespace softalign::apps {

namespace {

using autograd::Id;
using autograd::Random;
using autograd::Var;
using models::AttentionOnly;
using models::NextWord;

std::vector<double> with_one_more_each(std::vector<double> counts) {
  double sum = 0;
  for (double& count : counts) sum += ++count;
  for (double& count : counts) count /= sum;
  return counts;
}

}  // namespace

ChainTexts::ChainTexts(std::size_t length, std::size_t texts, Random& random)
    : n(length), B(texts), words(n * B), next(n * B), chain(B * V * V) {
  for (std::size_t row = 0; row < B * V; ++row) {
    double sum = 0;
    for (std::size_t j = 0; j < V; ++j) sum += chain[row * V + j] = -std::log(1 - random.uniform());
    for (std::size_t j = 0; j < V; ++j) chain[row * V + j] /= sum;
  }
  for (std::size_t b = 0; b < B; ++b) {
    std::size_t word = random.below(V);
    for (std::size_t t = 0; t < n; ++t) {
      words[t * B + b] = static_cast<Id>(word);
      word = random.choose({chain.data() + (b * V + word) * V, V});
      next[t * B + b] = static_cast<Id>(word);
    }
  }
}

std::vector<double> ChainTexts::unigrams(std::size_t b, std::size_t t) const {
  std::vector<double> counts(V);
  for (std::size_t i = 0; i <= t; ++i) ++counts[static_cast<std::size_t>(words[i * B + b])];
  return with_one_more_each(std::move(counts));
}

std::vector<double> ChainTexts::bigrams(std::size_t b, std::size_t t) const {
  std::vector<double> counts(V);
  for (std::size_t i = 0; i < t; ++i)
    if (words[i * B + b] == words[t * B + b]) ++counts[static_cast<std::size_t>(words[(i + 1) * B + b])];
  return with_one_more_each(std::move(counts));
}

namespace {

constexpr std::size_t n = 48, B = 32, steps = 1500, tested = 200, counted_from = 12;

struct Kind {
  std::string name;
  std::size_t layers;  // attention layers; 0: an LSTM
};
const std::vector<Kind> kinds{{"attention, one layer", 1}, {"attention, two layers", 2}, {"LSTM", 0}};

// Found has means over the words from index `counted_from` on.
struct Found {
  double loss = 0;                         // nats per word, of the model
  double to_unigrams = 0, to_bigrams = 0;  // KL(rule || model), nats
  std::optional<double> weight, chance;    // percent on words after earlier occurrences; chance: uniform weights
  std::vector<double> by_place;            // KL(bigrams || model) at each position
};

struct Output {
  Var logits;
  std::vector<Var> weights;
};
using Reading = std::function<Output(const ChainTexts&)>;

double divergence(const std::vector<double>& p, const double* log_q) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += p[j] * (std::log(p[j]) - log_q[j]);
  return sum;
}

// Returns the measurements of one model from the logarithms of its predictions (n*tested, V), and from its attention
// weights if it has any.
Found found_by(const ChainTexts& test, const std::vector<double>& log_p, const std::vector<Var>& weights) {
  constexpr std::size_t V = ChainTexts::V;
  Found found;
  found.by_place.resize(n);
  Hits weight, chance;
  double all = 0;
  for (std::size_t row = 0; row < n * tested; ++row) {
    const std::size_t t = row / tested, b = row % tested;
    const double* const q = log_p.data() + row * V;
    const std::vector<double> bigrams = test.bigrams(b, t);
    const double far = divergence(bigrams, q);
    found.by_place[t] += far / tested;
    if (t < counted_from) continue;
    const auto next = static_cast<std::size_t>(test.next[row]);
    found.loss -= q[next], all += 1;
    found.to_bigrams += far, found.to_unigrams += divergence(test.unigrams(b, t), q);
    if (weights.empty()) continue;
    double there = 0, places = 0;
    for (std::size_t i = 0; i < t; ++i)
      if (test.words[i * tested + b] == test.words[row])
        there += static_cast<double>(weights.back().value()[row * n + i + 1]), ++places;
    weight.count(there), chance.count(places / static_cast<double>(t + 1));
  }
  for (double* sum : {&found.loss, &found.to_bigrams, &found.to_unigrams}) *sum /= all;
  if (!weights.empty()) found.weight = weight.percent(), found.chance = chance.percent();
  return found;
}

ChainTexts texts_of_the_test() {
  Random random(early_test_seed);
  return {n, tested, random};
}

Found found_by(const Reading& model) {
  const autograd::NoGrad no_grad;
  const ChainTexts test = texts_of_the_test();
  const Output out = model(test);
  const autograd::Array log_p = log_softmax(out.logits).value();
  return found_by(test, {log_p.data(), log_p.data() + log_p.size()}, out.weights);
}

using Rule = std::vector<double> (ChainTexts::*)(std::size_t b, std::size_t t) const;

Found found_by(Rule rule) {
  const ChainTexts test = texts_of_the_test();
  std::vector<double> log_p;
  for (std::size_t row = 0; row < n * tested; ++row)
    for (const double p : (test.*rule)(row % tested, row / tested)) log_p.push_back(std::log(p));
  return found_by(test, log_p, {});
}

Found found_by(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  std::optional<AttentionOnly> attention;
  std::optional<NextWord> lstm;
  if (kind.layers > 0)
    attention.emplace(AttentionOnly::Options{.words = ChainTexts::V, .width = 32, .layers = kind.layers}, params);
  else
    lstm.emplace(
        NextWord::Options{.layer = NextWord::Layer::lstm, .words = ChainTexts::V, .embedding = 16, .hidden = 32},
        params);
  const Reading model = [&](const ChainTexts& texts) {
    if (lstm) return Output{(*lstm)(texts.words, texts.B).logits, {}};
    AttentionOnly::Output out = (*attention)(texts.words, texts.B);
    return Output{std::move(out.logits), std::move(out.weights)};
  };
  Random random(seed);
  learn(params, steps, 1e-2, [&](std::size_t) {
    const ChainTexts texts(n, B, random);
    return mean(cross_entropy(model(texts).logits, texts.next, {.ignore = -1}));
  });
  return found_by(model);
}

constexpr std::size_t every = 4;  // words between two points of the chart

std::string setting() {
  return fmt::format(
      "Each text has {} words out of {} and comes from its own Markov chain, drawn uniformly. One text says "
      "nothing about the next, so a model can only learn to count. The models are attention layers only (width 32, "
      "one head per layer) and an LSTM of 32 units; training takes {} steps of {} texts. Figures are nats, means "
      "over {} texts from word {} on: the loss, and KL(rule || model), where the rule predicts from unigram or "
      "bigram counts, with one added to each count. No prediction is better than bigram counts. Attention: the "
      "percentage of the last layer's weight on words after an earlier occurrence of the current word. Chance: the "
      "percentage of such words.",
      n + 1, ChainTexts::V, steps, B, tested, counted_from + 1);
}

std::vector<std::string> row_of(const std::string& name, const std::vector<Found>& all) {
  std::vector<std::string> row{name};
  const auto figure = [&](const auto of, int digits) {
    row.push_back(
        to_text(mean_and_range_of(all, [&](const Found& one) { return std::optional<double>(one.*of); }), digits));
  };
  for (const auto of : {&Found::loss, &Found::to_unigrams, &Found::to_bigrams}) figure(of, 3);
  for (const auto of : {&Found::weight, &Found::chance}) figure(of, 1);
  return row;
}

Series series_of(const std::string& name, std::size_t colour, const std::vector<Found>& all) {
  Series series{name, colour, {}};
  for (std::size_t t = every; t <= n; t += every)
    series.values.push_back(
        mean_and_range_of(all, [t](const Found& one) { return std::optional(one.by_place[t - 1]); }));
  return series;
}

std::vector<std::pair<std::string, Verdict>> claims_of(const std::vector<std::vector<Found>>& of_rows) {
  const auto mean = [&](std::size_t row, const auto figure) {
    return mean_and_range_of(of_rows[row], [&](const Found& one) { return std::optional<double>(one.*figure); })->mean;
  };
  const double one = mean(0, &Found::to_bigrams), two = mean(1, &Found::to_bigrams), lstm = mean(2, &Found::to_bigrams);
  const double one_unigrams = mean(0, &Found::to_unigrams), two_unigrams = mean(1, &Found::to_unigrams);
  const double weight = mean(1, &Found::weight), chance = mean(1, &Found::chance);
  return {{"Two layers of attention predict nearly the same as bigram counts (Akyürek et al. 2024)",
           {two <= 0.05 && two < two_unigrams / 2,
            fmt::format("{:.3f} nats from bigrams, {:.3f} from unigrams", two, two_unigrams)}},
          {"One layer only counts words: its predictions are nearer to unigram counts",
           {one >= 0.09 && one_unigrams < one,
            fmt::format("{:.3f} nats from bigrams, {:.3f} from unigrams", one, one_unigrams)}},
          {"The second layer has a bigram head: it attends to words after earlier occurrences of the current word",
           {weight >= 65, fmt::format("{:.1f}% of the weight, chance {:.1f}%", weight, chance)}},
          {"An LSTM, trained for the same number of steps, is worse than two layers and better than one",
           {lstm > two + 0.01 && lstm < one - 0.01, fmt::format("{:.3f} nats from bigrams", lstm)}}};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = setting();
  shown.columns = {"model", "loss", "KL from unigrams", "KL from bigrams", "attention", "chance"};
  LineChart chart{
      .title = "KL from bigram counts, nats", .x_title = "words read", .x = {}, .series = {}, .context = {}};
  for (std::size_t t = every; t <= n; t += every) chart.x.push_back(std::to_string(t));
  std::vector<std::vector<Found>> of_rows;
  const auto add = [&](const std::string& name, std::vector<Found> found) {
    of_rows.push_back(std::move(found));
    shown.rows.push_back(row_of(name, of_rows.back()));
    chart.series.push_back(series_of(name, chart.series.size(), of_rows.back()));
  };
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_rows.size() + 1, kinds.size(), kind.name));
    add(kind.name, with_seeds(seeds, [&](std::size_t seed) { return found_by(kind, seed); }));
  }
  add("unigram counts", {found_by(&ChainTexts::unigrams)});
  add("bigram counts", {found_by(&ChainTexts::bigrams)});
  chart.series.pop_back();  // the line of bigram counts is 0 everywhere
  shown.claims = claims_of(of_rows);
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment n_grams() { return {"n-grams", "N-gram heads: counting words in a text", run}; }

}  // namespace softalign::apps
