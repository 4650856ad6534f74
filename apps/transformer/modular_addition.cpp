// This file is the experiment `reproduce modular-addition` (Nanda et al. 2023). It finds frequencies in the embedding
// of numbers.
#include "apps/transformer/modular_addition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <optional>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/optimise/schedule.h"
#include "models/language_models/masked_language_model.h"
#include "models/training/step.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using autograd::Id;
using autograd::Random;
using autograd::Real;
using autograd::Var;
using models::MaskedLanguageModel;

double angle_of(std::size_t k, std::size_t a, std::size_t p) {
  return 2 * std::numbers::pi * static_cast<double>(k * a % p) / static_cast<double>(p);
}

// Returns sum_a x_ad exp(-2 pi i k a / p).
std::complex<double> coefficient(const Array& table, std::size_t p, std::size_t k, std::size_t d) {
  std::complex<double> sum = 0;
  for (std::size_t a = 0; a < p; ++a)
    sum += static_cast<double>(table[a * table.dim(1) + d]) * std::polar(1.0, -angle_of(k, a, p));
  return sum;
}

}  // namespace

ModularSums::ModularSums(std::size_t prime, double training_fraction, Random& random) : p(prime) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < p; ++a)
    for (std::size_t b = a; b < p; ++b) pairs.emplace_back(a, b);
  random.shuffle(pairs);
  const auto training_pairs = static_cast<std::size_t>(training_fraction * static_cast<double>(pairs.size()));
  const auto texts_of = [&](std::size_t first, std::size_t end) {
    autograd::Ids left, right, answers;
    for (std::size_t i = first; i < end; ++i)
      for (const bool swapped : {false, true}) {
        const auto [a, b] = pairs[i];
        if (swapped && a == b) continue;
        left.push_back(static_cast<Id>(swapped ? b : a)), right.push_back(static_cast<Id>(swapped ? a : b));
        answers.push_back(static_cast<Id>((a + b) % p));
      }
    autograd::Ids words = left;
    words.insert(words.end(), right.begin(), right.end());
    words.resize(3 * answers.size(), static_cast<Id>(p));
    return Texts{std::move(words), std::move(answers)};
  };
  training = texts_of(0, training_pairs), held_out = texts_of(training_pairs, pairs.size());
}

std::vector<double> fractions_of_frequencies(const Array& table, std::size_t p) {
  std::vector<double> fractions;
  double all = 0;
  for (std::size_t k = 1; k <= (p - 1) / 2; ++k) {
    fractions.push_back(0);
    for (std::size_t d = 0; d < table.dim(1); ++d) fractions.back() += std::norm(coefficient(table, p, k, d));
    all += fractions.back();
  }
  for (double& fraction : fractions) fraction /= all;
  return fractions;
}

Array at_frequencies(const Array& table, std::size_t p, const std::vector<std::size_t>& which, Frequencies kept) {
  const std::size_t width = table.dim(1);
  Array result({p, width});
  for (std::size_t d = 0; d < width; ++d) {
    std::vector<double> of_which(p);
    for (const std::size_t k : which) {
      const std::complex<double> c = coefficient(table, p, k, d);
      for (std::size_t a = 0; a < p; ++a)
        of_which[a] += 2 / static_cast<double>(p) * (c * std::polar(1.0, angle_of(k, a, p))).real();
    }
    const double mean = coefficient(table, p, 0, d).real() / static_cast<double>(p);
    for (std::size_t a = 0; a < p; ++a)
      result[a * width + d] = static_cast<Real>(
          kept == Frequencies::only ? mean + of_which[a] : static_cast<double>(table[a * width + d]) - of_which[a]);
  }
  return result;
}

namespace {

constexpr std::size_t p = 29, steps = 2000, measurements = 20, key_frequencies = 5;
constexpr double training_fraction = 0.7, rate = 5e-3;

struct Kind {
  std::string name;
  double decay;
};
const std::vector<Kind> kinds{{"weight decay", 1}, {"no weight decay", 0}};

// Returns the percentage of texts with the right answer.
double right_of(const MaskedLanguageModel& model, const ModularSums::Texts& texts) {
  const autograd::NoGrad no_grad;
  const Var logits = model(texts.words, texts.size()).logits;
  Hits right;
  for (std::size_t b = 0; b < texts.size(); ++b)
    right.count(largest(logits, 2 * texts.size() + b, p + 1) == static_cast<std::size_t>(texts.answers[b]));
  return right.percent();
}

// Returns the mean difference between the two weights of "=" on the two numbers, in percent.
double unevenness_of(const MaskedLanguageModel& model, const ModularSums::Texts& texts) {
  const autograd::NoGrad no_grad;
  const Var weights = model(texts.words, texts.size()).weights.front();
  Hits uneven;
  for (std::size_t b = 0; b < texts.size(); ++b) {
    const Real* const row = weights.value().data() + (2 * texts.size() + b) * 3;
    uneven.count(std::abs(static_cast<double>(row[0]) - static_cast<double>(row[1])));
  }
  return uneven.percent();
}

struct Learnt {
  std::vector<double> training, held_out;    // percent right, after each share of the steps
  double fraction_before = 0, fraction = 0;  // percent of the embedding at its five strongest frequencies
  double only = 0, without = 0;              // percent right with these frequencies only, and with the others
  double uneven = 0;                         // percent: |weight on a - weight on b|
};

Learnt learnt(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const MaskedLanguageModel model({.words = p + 1,
                                   .width = 64,
                                   .feed_forward = 128,
                                   .layers = 1,
                                   .heads = 1,
                                   .positions = layers::PositionKind::none},
                                  params);
  Random random(seed);
  const ModularSums sums(p, training_fraction, random);
  autograd::Optimiser adam(params, {.kind = autograd::OptimiserKind::adamw, .beta2 = 0.98, .weight_decay = kind.decay});
  const autograd::Schedule schedule({.kind = autograd::ScheduleKind::linear, .learning_rate = rate, .warmup_steps = 50},
                                    steps);
  const auto& all = params.all();
  const Var E = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.name == "words/E"; })->var;
  const auto strongest = [&] {
    const std::vector<double> fractions = fractions_of_frequencies(E.value(), p);
    std::vector<std::size_t> order(fractions.size());
    std::iota(order.begin(), order.end(), std::size_t{1});
    std::stable_sort(order.begin(), order.end(), [&](auto j, auto k) { return fractions[j - 1] > fractions[k - 1]; });
    order.resize(key_frequencies);
    double sum = 0;
    for (const std::size_t k : order) sum += 100 * fractions[k - 1];
    return std::pair(order, sum);
  };
  Learnt result;
  result.fraction_before = strongest().second;
  const std::size_t B = sums.training.size();
  for (std::size_t step = 0; step < steps; ++step) {
    const auto run_batch = [&](std::size_t) {
      const Var answers = slice(model(sums.training.words, B).logits, 0, 2, 3);
      const Var loss = mean(cross_entropy(answers, sums.training.answers, {.ignore = -1}));
      backward(loss);
      return static_cast<double>(loss.value().item());
    };
    models::training_step(params, adam, 1, run_batch, {.learning_rate = schedule.rate(step + 1, 1), .clip = 0});
    if ((step + 1) % (steps / measurements) == 0)
      result.training.push_back(right_of(model, sums.training)),
          result.held_out.push_back(right_of(model, sums.held_out));
  }
  const auto keys = strongest();
  result.fraction = keys.second;
  result.uneven = unevenness_of(model, sums.held_out);
  const Array before = E.value().clone();
  const auto with = [&](Frequencies kept) {
    const Array changed = at_frequencies(before, p, keys.first, kept);
    std::copy_n(changed.data(), changed.size(), E.mutable_value().data());
    return right_of(model, sums.held_out);
  };
  result.only = with(Frequencies::only), result.without = with(Frequencies::without);
  return result;
}

std::string setting() {
  return fmt::format(
      "The data are all sums a + b modulo {}. The training set has {:.0f}% of them, every one in each of {} steps "
      "of AdamW; the others are held out. A Transformer of one layer with one head and width 64, without "
      "positions, reads a, b and =. Figures in percent. Training and held out: accuracy. Strongest: the share of "
      "the embedding at its {} strongest frequencies of {}. Only these, and without these: accuracy on held-out "
      "sums if the embedding keeps these frequencies only, or loses them. Uneven: the difference between the two "
      "weights of = on a and on b.",
      p, 100 * training_fraction, steps, key_frequencies, (p - 1) / 2);
}

// Returns the mean and the range of a figure at the measurement with this index.
std::optional<data::MeanAndRange> at(const std::vector<Learnt>& all, std::vector<double> Learnt::*figure,
                                     std::size_t measurement) {
  return mean_and_range_of(all, [&](const Learnt& one) { return std::optional((one.*figure)[measurement]); });
}

std::optional<data::MeanAndRange> final_figure(const std::vector<Learnt>& all, double Learnt::*figure) {
  return mean_and_range_of(all, [&](const Learnt& one) { return std::optional(one.*figure); });
}

std::vector<std::string> row_of(const Kind& kind, const std::vector<Learnt>& all) {
  std::vector<std::string> row{kind.name, to_text(at(all, &Learnt::training, measurements - 1), 1),
                               to_text(at(all, &Learnt::held_out, measurements - 1), 1),
                               to_text(at(all, &Learnt::held_out, measurements / 5 - 1), 1)};
  for (const auto figure : {&Learnt::fraction, &Learnt::only, &Learnt::without, &Learnt::uneven})
    row.push_back(to_text(final_figure(all, figure), 1));
  return row;
}

void add_series(LineChart& chart, const Kind& kind, const std::vector<Learnt>& all) {
  for (const auto& [name, figure] :
       {std::pair("training", &Learnt::training), std::pair("held out", &Learnt::held_out)}) {
    Series series{fmt::format("{}, {}", name, kind.name), chart.series.size(), {}};
    for (std::size_t measurement = 0; measurement < measurements; ++measurement)
      series.values.push_back(at(all, figure, measurement));
    chart.series.push_back(std::move(series));
  }
}

std::vector<std::pair<std::string, Verdict>> claims_of(const std::vector<std::vector<Learnt>>& of_kinds) {
  constexpr std::size_t early = 1;  // the index of the second measurement
  const std::vector<Learnt>&with_decay = of_kinds[0], &no_decay = of_kinds[1];
  const auto mean = [&](double Learnt::*figure) { return final_figure(with_decay, figure)->mean; };
  const double end = at(with_decay, &Learnt::held_out, measurements - 1)->low;
  const double without_decay = at(no_decay, &Learnt::held_out, measurements - 1)->high;
  const double training_early = at(with_decay, &Learnt::training, early)->mean;
  const double held_out_early = at(with_decay, &Learnt::held_out, early)->mean;
  const double fraction = mean(&Learnt::fraction), before = mean(&Learnt::fraction_before), only = mean(&Learnt::only);
  const double without = mean(&Learnt::without), uneven = mean(&Learnt::uneven);
  return {{"With weight decay, the models of all seeds answer held-out sums, and without weight decay none does",
           {end >= 90 && without_decay <= 50,
            fmt::format("at least {:.1f}% with weight decay, at most {:.1f}% without", end, without_decay)}},
          {"The model knows the training set long before the held-out sums (grokking, Power et al. 2022)",
           {training_early >= 95 && held_out_early <= 30,
            fmt::format("after {} steps {:.1f}% of the training set and {:.1f}% of the held-out sums",
                        (early + 1) * steps / measurements, training_early, held_out_early)}},
          {fmt::format("Few frequencies have most of the embedding (Nanda et al. 2023): {} of {}", key_frequencies,
                       (p - 1) / 2),
           {fraction >= 80, fmt::format("{:.1f}%, before training {:.1f}%", fraction, before)}},
          {"These frequencies suffice for the sums, and the others do not",
           {only >= 80 && without <= 10, fmt::format("{:.1f}% and {:.1f}%", only, without)}},
          {"The token = attends equally to both numbers", {uneven <= 5, fmt::format("difference {:.1f}%", uneven)}}};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = setting();
  shown.columns = {"trained with", "training",   "held out",      "held out, after a fifth of the steps",
                   "strongest",    "only these", "without these", "uneven"};
  LineChart chart = chart_of_measurements("accuracy, percent", "step", steps, measurements);
  std::vector<std::vector<Learnt>> of_kinds;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_kinds.size() + 1, kinds.size(), kind.name));
    of_kinds.push_back(with_seeds(seeds, [&](std::size_t seed) { return learnt(kind, seed); }));
    shown.rows.push_back(row_of(kind, of_kinds.back()));
    add_series(chart, kind, of_kinds.back());
  }
  shown.claims = claims_of(of_kinds);
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment modular_addition() { return {"modular-addition", "Modular addition: numbers as angles", run}; }

}  // namespace softalign::apps
