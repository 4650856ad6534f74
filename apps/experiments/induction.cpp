#include "apps/experiments/induction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/experiments/learning.h"
#include "autograd/no_grad.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "models/small/causal_stack.h"

namespace apps {

namespace {

using autograd::Id;
using autograd::Ids;

constexpr std::size_t n = 24, B = 32, V = 32, steps = 1500, every = 50;
constexpr std::size_t shortest = 6, longest = 12;  // words until a text begins anew
constexpr Id nothing = -1;

struct Kind {
  std::string name, kind;
  std::size_t layers;
};
const std::vector<Kind> kinds{{"attention, one layer", "softmax", 1}, {"attention, two layers", "softmax", 2},
                              {"linear attention, two", "linear", 2}, {"delta rule, two", "delta", 2},
                              {"places alone, two", "positional", 2}, {"LSTM, two layers", "lstm", 2}};

// Texts of random words that begin anew again and again, each after so many of its own.
struct Texts {
  Ids words, next;  // (n*B); next is nothing until the second time, where it cannot be known
};
Texts drawn(autograd::Random& random) {
  Texts texts{Ids(n * B), Ids(n * B, nothing)};
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t period = shortest + random.below(longest - shortest + 1);
    Ids text(V);
    for (std::size_t i = 0; i < V; ++i) text[i] = static_cast<Id>(i);
    random.shuffle(text);
    for (std::size_t t = 0; t < n; ++t) {
      texts.words[t * B + b] = text[t % period];
      if (t < period) continue;
      texts.next[t * B + b] = text[(t + 1) % period];
    }
  }
  return texts;
}

double known(const Texts& texts) {
  return static_cast<double>(std::count_if(texts.next.begin(), texts.next.end(), [](Id y) { return y != nothing; }));
}

struct Learnt {
  std::vector<double> loss;   // nats a known word, mean over the last steps
  double accuracy = 0;        // percent, in the end
  std::optional<double> hit;  // of the last layer's largest weights, on a step behind an earlier time of the word
};

Learnt learnt(const Kind& kind, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const models::CausalStack model({.kind = kind.kind, .layers = kind.layers, .words = V, .places = n}, params);
  autograd::Random random(seed);
  Learnt result;
  double sum_of_losses = 0;
  learn(params, steps, 3e-3, [&](std::size_t step) {
    const Texts texts = drawn(random);
    const autograd::Var loss = sum(cross_entropy(model(texts.words, B).logits, texts.next, {.ignore = nothing})) *
                               (1 / static_cast<autograd::Real>(known(texts)));
    sum_of_losses += static_cast<double>(loss.value().item()) / every;
    if ((step + 1) % every == 0) result.loss.push_back(sum_of_losses), sum_of_losses = 0;
    return loss;
  });
  const autograd::NoGrad no_grad;
  autograd::Random other(1000);
  double right = 0, hits = 0, all = 0;
  for (int i = 0; i < 10; ++i) {
    const Texts texts = drawn(other);
    const auto out = model(texts.words, B);
    const auto largest = [](const autograd::Var& rows, std::size_t row, std::size_t width) {
      const autograd::Real* first = rows.value().data() + row * width;
      return static_cast<Id>(std::max_element(first, first + width) - first);
    };
    const bool looks = !out.weights.empty() && out.weights.back().defined();
    for (std::size_t row = 0; row < n * B; ++row) {
      if (texts.next[row] == nothing) continue;
      ++all;
      right += largest(out.logits, row, V) == texts.next[row];
      if (!looks) continue;
      const auto step = static_cast<std::size_t>(largest(out.weights.back(), row, n));
      hits += step > 0 && texts.words[(step - 1) * B + row % B] == texts.words[row];
    }
    if (looks) result.hit = 100 * hits / all;
  }
  result.accuracy = 100 * right / all;
  return result;
}

// The steps within which the loss falls from nine tenths to one tenth of where it began; all, if it does not.
std::size_t fall(const std::vector<double>& loss) {
  const auto below = [&](double share) {
    const auto found = std::find_if(loss.begin(), loss.end(), [&](double l) { return l < share * std::log(V); });
    return static_cast<std::size_t>(found - loss.begin());
  };
  return below(0.1) == loss.size() ? steps : (below(0.1) - below(0.9)) * every;
}

Shown show(std::size_t seeds, const Tell& tell) {
  Shown shown;
  shown.setting = fmt::format(
      "Texts of {} words that begin anew after {} to {} random ones; counted from there, where each next word stood "
      "behind "
      "the last time of this one. Width 64, one head, no feed-forward networks; {} steps of {}. Accuracy in percent; "
      "hit: "
      "the last layer's largest weight lies behind an earlier time of this word. A guess costs {:.2f} nats.",
      n, shortest, longest, steps, B, std::log(V));
  shown.columns = {"model", "accuracy", "hit", "loss, nats", "steps of its fall"};
  LineChart chart{.title = "loss of repeated words, nats", .x_title = "step", .x = {}, .series = {}, .context = {}};
  chart.width = 560, chart.height = 320;
  for (std::size_t step = every; step <= steps; step += every) chart.x.push_back(std::to_string(step));
  std::vector<double> accuracy, hits;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    tell(fmt::format("[{}/{}] {}", k + 1, kinds.size(), kinds[k].name));
    std::vector<Learnt> all;
    for (std::size_t seed = 1; seed <= seeds; ++seed) all.push_back(learnt(kinds[k], seed));
    const auto spread = [&](const auto& of) {
      std::vector<std::optional<double>> values;
      for (const Learnt& one : all) values.push_back(of(one));
      return data::spread(values);
    };
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
  shown.claims = {{"Two layers of attention learn to go on as it went on before (Olsson et al. 2022)",
                   {accuracy[1] >= 95, fmt::format("{:.1f}% of the words", accuracy[1])}},
                  {"One layer cannot: it would have to know what stood before a word that it looks at",
                   {accuracy[0] < accuracy[1] - 30, fmt::format("{:.1f}%", accuracy[0])}},
                  {"The second layer looks behind an earlier time of the word",
                   {hits[1] >= 90, fmt::format("{:.1f}% of its looks", hits[1])}},
                  {"Places alone fall behind: each text has a period of its own",
                   {accuracy[4] < accuracy[1] - 20, fmt::format("{:.1f}%", accuracy[4])}}};
  shown.charts.push_back(std::move(chart));
  return shown;
}

}  // namespace

Demonstration induction() { return {"induction", "Induction: to go on as it went on before", show}; }

}  // namespace apps
