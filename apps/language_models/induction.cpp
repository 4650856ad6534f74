// This file is the experiment `reproduce induction`. Attention learns to continue a text as it continued before (Olsson
// et al. 2022).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "models/registry.h"

namespace softalign::apps {

namespace {

using autograd::Id;
using autograd::Ids;

constexpr std::size_t n = 24, B = 32, V = 32, width = 64, steps = 1500, every = 50;
constexpr std::size_t shortest = 6, longest = 12;  // words before a text repeats itself
constexpr Id first_word = data::end_id + 1;

using layers::SelfAttentionKind;

struct Kind {
  std::string name, model;
  layers::SelfAttentionKind self_attention;  // used by transformer-lm
  std::size_t layers;
};
const std::vector<Kind> kinds{{"attention, one layer", "transformer-lm", SelfAttentionKind::softmax, 1},
                              {"attention, two layers", "transformer-lm", SelfAttentionKind::softmax, 2},
                              {"linear attention, two layers", "transformer-lm", SelfAttentionKind::linear, 2},
                              {"delta rule, two layers", "transformer-lm", SelfAttentionKind::delta, 2},
                              {"positions only, two layers", "transformer-lm", SelfAttentionKind::positional, 2},
                              {"LSTM, two layers", "rnn-lm", SelfAttentionKind::softmax, 2}};

models::ModelOptions options(const Kind& kind) {
  models::ModelOptions o;
  o.model = kind.model;
  o.self_attention = kind.self_attention;
  o.layers = kind.layers, o.heads = 1;
  o.embedding = o.hidden = o.feed_forward = width;
  o.positions = layers::PositionKind::sinusoidal, o.known_positions = n;
  o.source_vocabulary = o.target_vocabulary = first_word + V;
  o.dropout = 0;
  return o;
}

// Returns texts of random words. Each text repeats itself after `period` words. The targets of the first period are
// padding, because these words cannot be predicted.
data::Batch sampled_texts(autograd::Random& random) {
  data::Batch texts;
  texts.size = B, texts.targets.steps = n;
  texts.source_lengths.assign(B, 0), texts.target_lengths.assign(B, n);
  texts.targets.in.resize(n * B), texts.targets.out.assign(n * B, data::pad_id);
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t period = shortest + random.below(longest - shortest + 1);
    Ids text(V);
    std::iota(text.begin(), text.end(), first_word);
    random.shuffle(text);
    for (std::size_t t = 0; t < n; ++t) {
      texts.targets.in[t * B + b] = text[t % period];
      if (t >= period) texts.targets.out[t * B + b] = text[(t + 1) % period];
    }
  }
  return texts;
}

struct InductionScores {
  Hits right, hits;
  bool attends = false;
};

// Adds how many of the predictable words the model finds most probable. Also adds how often the largest weight of the
// last layer is on a word after an earlier occurrence of the current word.
void add(InductionScores& score, const models::Seq2Seq& model, const data::Batch& texts) {
  const autograd::NoGrad no_grad;
  const std::vector<models::Heads> heads = model.self_attention(texts);
  score.attends = !heads.empty();
  const models::Memory nothing = model.encode(texts);
  models::State state = model.decoder().start(nothing);
  for (std::size_t t = 0; t < n; ++t) {
    const auto at = texts.targets.in.begin() + static_cast<std::ptrdiff_t>(t * B);
    models::Step step = model.decoder().step({at, at + B}, state, nothing);
    for (std::size_t b = 0; b < B; ++b) {
      const Id next = texts.targets.out[t * B + b];
      if (next == data::pad_id) continue;
      score.right.count(largest(step.logits, b, step.logits.dim(1)) == static_cast<std::size_t>(next));
      if (!score.attends) continue;
      const std::size_t seen = largest(heads.back().weights, t * B + b, n);
      score.hits.count(seen > 0 && texts.targets.in[(seen - 1) * B + b] == texts.targets.in[t * B + b]);
    }
    state = std::move(step.state);
  }
}

struct Learnt {
  std::vector<double> loss;   // nats per predictable word, mean of `every` steps
  double accuracy = 0;        // percent, after training
  std::optional<double> hit;  // percent
};

Learnt learnt(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const std::unique_ptr<models::Seq2Seq> model = make_model(options(kind), params);
  autograd::Random random(seed);
  Learnt result;
  double sum_of_losses = 0;
  learn(params, steps, 3e-3, [&](std::size_t step) {
    const data::Batch texts = sampled_texts(random);
    const auto known = n * B - std::count(texts.targets.out.begin(), texts.targets.out.end(), data::pad_id);
    const autograd::Var loss = sum(model->teacher_forced(texts).losses) * (1 / static_cast<autograd::Real>(known));
    sum_of_losses += static_cast<double>(loss.value().item()) / every;
    if ((step + 1) % every == 0) result.loss.push_back(sum_of_losses), sum_of_losses = 0;
    return loss;
  });
  autograd::Random other(1000);
  InductionScores score;
  for (int i = 0; i < 10; ++i) add(score, *model, sampled_texts(other));
  result.accuracy = score.right.percent();
  if (score.attends) result.hit = score.hits.percent();
  return result;
}

// Returns the number of steps in which the loss falls from 0.9 to 0.1 of log V, the loss of random guessing. Returns
// all steps if the loss does not fall so low.
std::size_t fall(const std::vector<double>& loss) {
  const auto below = [&](double fraction) {
    const auto found = std::find_if(loss.begin(), loss.end(), [&](double l) { return l < fraction * std::log(V); });
    return static_cast<std::size_t>(found - loss.begin());
  };
  return below(0.1) == loss.size() ? steps : (below(0.1) - below(0.9)) * every;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each text has {} words and repeats itself after {} to {} random words. Only the repeated part is scored: each "
      "next word is the one that followed the earlier occurrence of the current word. The language models have width "
      "{} and one head; training takes {} steps of {} texts. Accuracy in percent. Hit: the largest weight of the last "
      "layer is on a word after an earlier occurrence of the current word. Random guessing has a loss of {:.2f} nats. "
      "Steps: from 90% to 10% of this loss.",
      n, shortest, longest, width, steps, B, std::log(V));
  shown.columns = {"model", "accuracy", "hit", "loss, nats", "steps"};
  LineChart chart{.title = "loss of repeated words, nats", .x_title = "step", .x = {}, .series = {}, .context = {}};
  chart.width = 560, chart.height = 320;
  for (std::size_t step = every; step <= steps; step += every) chart.x.push_back(std::to_string(step));
  std::vector<double> accuracy, hits;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    report(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(kinds[k], seed); });
    const auto spread = [&](const auto& of) { return mean_and_range_of(all, of); };
    Series series{kinds[k].name, k, {}};
    for (std::size_t i = 0; i < chart.x.size(); ++i)
      series.values.push_back(spread([&](const Learnt& one) { return std::optional(one.loss[i]); }));
    const auto right = spread([](const Learnt& one) { return std::optional(one.accuracy); });
    const auto hit = spread([](const Learnt& one) { return one.hit; });
    const auto falls = spread([](const Learnt& one) { return std::optional(static_cast<double>(fall(one.loss))); });
    accuracy.push_back(right->mean), hits.push_back(hit ? hit->mean : 0);
    shown.rows.push_back({kinds[k].name, to_text(right, 1), to_text(hit, 1), to_text(series.values.back(), 2),
                          falls->mean >= steps ? "-" : to_text(falls, 0)});
    chart.series.push_back(std::move(series));
  }
  chart.high = 4;
  shown.claims = {
      {"Two layers of attention learn to continue a repeated text (Olsson et al. 2022)",
       {accuracy[1] >= 95, fmt::format("accuracy {:.1f}%", accuracy[1])}},
      {"One layer cannot, because it does not know which word precedes the word that it attends to",
       {accuracy[0] < accuracy[1] - 30, fmt::format("{:.1f}%", accuracy[0])}},
      {"The second layer attends to the word after an earlier occurrence (an induction head)",
       {hits[1] >= 90, fmt::format("{:.1f}% of the words", hits[1])}},
      {"Attention from positions only is worse, because each text repeats after a different number of words",
       {accuracy[4] < accuracy[1] - 20, fmt::format("{:.1f}%", accuracy[4])}}};
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

SmallExperiment induction() { return {"induction", "Induction heads: continuing a repeated text", run}; }

}  // namespace softalign::apps
