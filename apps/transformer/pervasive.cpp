// This file is the experiment `reproduce pervasive-attention` (Elbayad et al. 2018). The model reverses a sentence by
// comparing all pairs of words in small windows.
#include <fmt/format.h>

#include <optional>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "models/pervasive_attention.h"

namespace softalign::apps {

namespace {

using autograd::Id;
using autograd::Ids;
using autograd::Random;
using models::PervasiveAttention;

constexpr std::size_t V = 24, B = 16, steps = 800, tested = 100, shortest = 5, longest = 8;

// Reversed has B sentences of n different words, and their words in reverse order.
struct Reversed {
  Ids source, previous, target;  // (n*B); the first previous word is V, <s>

  Reversed(std::size_t n, std::size_t texts, Random& random)
      : source(n * texts), previous(n * texts, static_cast<Id>(V)), target(n * texts) {
    for (std::size_t b = 0; b < texts; ++b) {
      const autograd::Indices words = random.different(n, V);
      for (std::size_t t = 0; t < n; ++t) {
        source[t * texts + b] = static_cast<Id>(words[t]);
        target[t * texts + b] = static_cast<Id>(words[n - 1 - t]);
        if (t > 0) previous[t * texts + b] = static_cast<Id>(words[n - t]);
      }
    }
  }
};

// Reached has percentages for sentences of one length. `hit` and `near` count weights on the right source word, and at
// most one word away. `said` counts weights on the word that was written at the previous step.
struct Reached {
  double right = 0, hit = 0, near = 0, said = 0;
};
struct Found {
  Reached training_length, longer;
};

Reached reached(const PervasiveAttention& model, std::size_t n) {
  const autograd::NoGrad no_grad;
  Random random(early_test_seed);
  const Reversed test(n, tested, random);
  const PervasiveAttention::Output out = model(test.source, test.previous, tested);
  Hits right, hit, near, said;
  for (std::size_t row = 0; row < n * tested; ++row) {
    right.count(largest(out.logits, row, V + 1) == static_cast<std::size_t>(test.target[row]));
    const std::size_t at = largest(out.weights.data() + row * n, n), gold = n - 1 - row / tested;
    hit.count(at == gold), near.count(at + 1 >= gold && at <= gold + 1);
    if (row >= tested) said.count(at == gold + 1);
  }
  return {right.percent(), hit.percent(), near.percent(), said.percent()};
}

Found learnt(std::size_t kernel, std::uint64_t seed) {
  const autograd::Params params{Random(seed)};
  const PervasiveAttention model({.source_words = V, .target_words = V + 1, .kernel = kernel}, params);
  Random random(seed);
  learn(params, steps, 5e-3, [&](std::size_t) {
    const Reversed batch(shortest + random.below(longest - shortest + 1), B, random);
    return mean(cross_entropy(model(batch.source, batch.previous, B).logits, batch.target, {.ignore = -1}));
  });
  return {reached(model, longest), reached(model, 2 * longest)};
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "The task is to reverse {} to {} different words out of {}. Two convolution layers read a grid of all pairs "
      "of a source word and a target word, and the maximum over the source follows; training takes {} steps of {} "
      "sentences. Figures in percent, with teacher forcing: accuracy for sentences of {} words, and of {} words, "
      "which is longer than any in training. The last three columns say where most channels of the last layer have "
      "their maximum, for sentences of {} words: on the source word that is being written, within one word of it, "
      "or on the source word that was written before it.",
      shortest, longest, V, steps, B, longest, 2 * longest, 2 * longest);
  shown.columns = {"window",
                   fmt::format("{} words", longest),
                   fmt::format("{} words", 2 * longest),
                   "maximum on this word",
                   "within one word",
                   "on the previous word"};
  std::vector<std::vector<Found>> of_windows;
  for (const std::size_t kernel : {3, 1}) {
    report(fmt::format("[{}/2] windows of {} x {}", of_windows.size() + 1, kernel, kernel));
    of_windows.push_back(with_seeds(seeds, [&](std::size_t seed) { return learnt(kernel, seed); }));
    std::vector<std::string> row{fmt::format("{0} x {0}", kernel)};
    const auto add = [&](const auto of, const auto figure) {
      row.push_back(to_text(
          mean_and_range_of(of_windows.back(), [&](const Found& one) { return std::optional(one.*of.*figure); }), 1));
    };
    add(&Found::training_length, &Reached::right);
    for (const auto figure : {&Reached::right, &Reached::hit, &Reached::near, &Reached::said})
      add(&Found::longer, figure);
    shown.rows.push_back(std::move(row));
  }
  const auto mean = [&](std::size_t window, const auto of, const auto figure) {
    return mean_and_range_of(of_windows[window], [&](const Found& one) { return std::optional(one.*of.*figure); })
        ->mean;
  };
  const double right = mean(0, &Found::training_length, &Reached::right),
               longer = mean(0, &Found::longer, &Reached::right);
  const double single = mean(1, &Found::training_length, &Reached::right), hit = mean(0, &Found::longer, &Reached::hit);
  const double near = mean(0, &Found::longer, &Reached::near);
  shown.claims = {{"Two layers of 3 x 3 convolution over all pairs of words learn to reverse (Elbayad et al. 2018)",
                   {right >= 95, fmt::format("{:.1f}% of the words", right)}},
                  {"They generalise to sentences twice as long, because a window does not know its position",
                   {longer >= 90, fmt::format("{:.1f}%", longer)}},
                  {"Windows of one cell do not learn to reverse, because the word order is in the neighbours",
                   {single <= 25, fmt::format("{:.1f}%", single)}},
                  {"The maxima show the alignment within one word",
                   {near >= 95, fmt::format("{:.1f}% within one word, {:.1f}% on the word itself", near, hit)}}};
  return shown;
}

}  // namespace

SmallExperiment pervasive_attention() {
  return {"pervasive-attention", "Pervasive attention: convolutions over pairs of words", run};
}

}  // namespace softalign::apps
