// reproduce modular-addition: the frequencies in the embedding of numbers: Nanda et al. 2023.
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

// sum_a x_ad exp(-2 pi i k a / p)
std::complex<double> coefficient(const Array& table, std::size_t p, std::size_t k, std::size_t d) {
  std::complex<double> sum = 0;
  for (std::size_t a = 0; a < p; ++a)
    sum += static_cast<double>(table[a * table.dim(1) + d]) * std::polar(1.0, -angle_of(k, a, p));
  return sum;
}

}  // namespace

Sums::Sums(std::size_t prime, double taught_share, Random& random) : p(prime) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < p; ++a)
    for (std::size_t b = a; b < p; ++b) pairs.emplace_back(a, b);
  random.shuffle(pairs);
  const auto taught_pairs = static_cast<std::size_t>(taught_share * static_cast<double>(pairs.size()));
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
  taught = texts_of(0, taught_pairs), untaught = texts_of(taught_pairs, pairs.size());
}

std::vector<double> shares_of_frequencies(const Array& table, std::size_t p) {
  std::vector<double> shares;
  double all = 0;
  for (std::size_t k = 1; k <= (p - 1) / 2; ++k) {
    shares.push_back(0);
    for (std::size_t d = 0; d < table.dim(1); ++d) shares.back() += std::norm(coefficient(table, p, k, d));
    all += shares.back();
  }
  for (double& share : shares) share /= all;
  return shares;
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

constexpr std::size_t p = 29, steps = 2000, looks = 20, key_frequencies = 5;
constexpr double taught_share = 0.7, rate = 5e-3;

struct Kind {
  std::string name;
  double decay;
};
const std::vector<Kind> kinds{{"weight decay", 1}, {"no weight decay", 0}};

// Percent of the texts that are answered right.
double right_of(const MaskedLanguageModel& model, const Sums::Texts& texts) {
  const autograd::NoGrad no_grad;
  const Var logits = model(texts.words, texts.size()).logits;
  Hits right;
  for (std::size_t b = 0; b < texts.size(); ++b)
    right.count(largest(logits, 2 * texts.size() + b, p + 1) == static_cast<std::size_t>(texts.answers[b]));
  return right.percent();
}

// Percent: the mean distance of the weights of "=" on the two numbers.
double unevenness_of(const MaskedLanguageModel& model, const Sums::Texts& texts) {
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
  std::vector<double> taught, untaught;  // percent right, after each share of the steps
  double share_before = 0, share = 0;    // percent of the embedding at its five strongest frequencies
  double only = 0, without = 0;          // percent right with these frequencies only, and with the others
  double uneven = 0;                     // percent: |weight on a - weight on b|
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
  const Sums sums(p, taught_share, random);
  autograd::Optimiser adam(params, {.kind = autograd::OptimiserKind::adamw, .beta2 = 0.98, .weight_decay = kind.decay});
  const autograd::Schedule schedule({.kind = autograd::ScheduleKind::linear, .learning_rate = rate, .warmup_steps = 50},
                                    steps);
  const auto& all = params.all();
  const Var E = std::find_if(all.begin(), all.end(), [](const auto& one) { return one.name == "words/E"; })->var;
  const auto strongest = [&] {
    const std::vector<double> shares = shares_of_frequencies(E.value(), p);
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{1});
    std::stable_sort(order.begin(), order.end(), [&](auto j, auto k) { return shares[j - 1] > shares[k - 1]; });
    order.resize(key_frequencies);
    double sum = 0;
    for (const std::size_t k : order) sum += 100 * shares[k - 1];
    return std::pair(order, sum);
  };
  Learnt result;
  result.share_before = strongest().second;
  const std::size_t B = sums.taught.size();
  for (std::size_t step = 0; step < steps; ++step) {
    const Var answers = slice(model(sums.taught.words, B).logits, 0, 2, 3);
    backward(mean(cross_entropy(answers, sums.taught.answers, {.ignore = -1})));
    adam.step(schedule.rate(step + 1, 1));
    if ((step + 1) % (steps / looks) == 0)
      result.taught.push_back(right_of(model, sums.taught)), result.untaught.push_back(right_of(model, sums.untaught));
  }
  const auto [keys, share] = strongest();
  result.share = share;
  result.uneven = unevenness_of(model, sums.untaught);
  const Array before = E.value().clone();
  const auto with = [&](Frequencies kept) {
    const Array changed = at_frequencies(before, p, keys, kept);
    std::copy_n(changed.data(), changed.size(), E.mutable_value().data());
    return right_of(model, sums.untaught);
  };
  result.only = with(Frequencies::only), result.without = with(Frequencies::without);
  return result;
}

ExperimentResult show(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "The data are all sums a + b modulo {}. The training set has {:.0f}% of them, every one in each of {} steps "
      "of AdamW; the others are held out. A Transformer of one layer with one head and width 64, without "
      "positions, reads a, b and =. Figures in percent. Training and held out: accuracy. Strongest: the share of "
      "the embedding at its {} strongest frequencies of {}. Only these, and without these: accuracy on held-out "
      "sums if the embedding keeps these frequencies only, or loses them. Uneven: the difference between the two "
      "weights of = on a and on b.",
      p, 100 * taught_share, steps, key_frequencies, (p - 1) / 2);
  shown.columns = {"trained with", "training",   "held out",      "held out, after a fifth of the steps",
                   "strongest",    "only these", "without these", "uneven"};
  constexpr std::size_t early = 1;  // the second of the looks
  LineChart chart = chart_of_looks("accuracy, percent", "step", steps, looks);
  std::vector<std::vector<Learnt>> of_kinds;
  for (const Kind& kind : kinds) {
    report(fmt::format("[{}/{}] {}", of_kinds.size() + 1, kinds.size(), kind.name));
    of_kinds.push_back(with_seeds(seeds, [&](std::size_t seed) { return learnt(kind, seed); }));
    const std::vector<Learnt>& all = of_kinds.back();
    const auto at = [&](const auto figure, std::size_t look) {
      return spread_of(all, [&](const Learnt& one) { return std::optional<double>((one.*figure)[look]); });
    };
    std::vector<std::string> row{kind.name, to_text(at(&Learnt::taught, looks - 1), 1),
                                 to_text(at(&Learnt::untaught, looks - 1), 1),
                                 to_text(at(&Learnt::untaught, looks / 5 - 1), 1)};
    for (const auto figure : {&Learnt::share, &Learnt::only, &Learnt::without, &Learnt::uneven})
      row.push_back(to_text(spread_of(all, [&](const Learnt& one) { return std::optional<double>(one.*figure); }), 1));
    shown.rows.push_back(std::move(row));
    for (const auto& [name, figure] :
         {std::pair("training", &Learnt::taught), std::pair("held out", &Learnt::untaught)}) {
      Series series{fmt::format("{}, {}", name, kind.name), chart.series.size(), {}};
      for (std::size_t look = 0; look < looks; ++look) series.values.push_back(at(figure, look));
      chart.series.push_back(std::move(series));
    }
  }
  const auto mean = [&](const auto figure) {
    return spread_of(of_kinds[0], [&](const Learnt& one) { return std::optional<double>(one.*figure); })->mean;
  };
  const auto untaught = [&](std::size_t kind, std::size_t look) {
    return *spread_of(of_kinds[kind], [&](const Learnt& one) { return std::optional(one.untaught[look]); });
  };
  const double end = untaught(0, looks - 1).low, without_decay = untaught(1, looks - 1).high;
  const double taught_early =
      spread_of(of_kinds[0], [](const Learnt& one) { return std::optional(one.taught[early]); })->mean;
  const double untaught_early = untaught(0, early).mean;
  const double share = mean(&Learnt::share), before = mean(&Learnt::share_before), only = mean(&Learnt::only);
  const double without = mean(&Learnt::without), uneven = mean(&Learnt::uneven);
  shown.claims = {
      {"With weight decay, the models of all seeds answer held-out sums, and without weight decay none does",
       {end >= 90 && without_decay <= 50,
        fmt::format("at least {:.1f}% with weight decay, at most {:.1f}% without", end, without_decay)}},
      {"The model knows the training set long before the held-out sums (grokking, Power et al. 2022)",
       {taught_early >= 95 && untaught_early <= 30,
        fmt::format("after {} steps {:.1f}% of the training set and {:.1f}% of the held-out sums",
                    (early + 1) * steps / looks, taught_early, untaught_early)}},
      {fmt::format("Few frequencies have most of the embedding (Nanda et al. 2023): {} of {}", key_frequencies,
                   (p - 1) / 2),
       {share >= 80, fmt::format("{:.1f}%, before training {:.1f}%", share, before)}},
      {"These frequencies suffice for the sums, and the others do not",
       {only >= 80 && without <= 10, fmt::format("{:.1f}% and {:.1f}%", only, without)}},
      {"The token = attends equally to both numbers", {uneven <= 5, fmt::format("difference {:.1f}%", uneven)}}};
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment modular_addition() { return {"modular-addition", "Modular addition: numbers as angles", show}; }

}  // namespace softalign::apps
