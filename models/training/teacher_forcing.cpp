#include "models/training/teacher_forcing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "data/corpus/batch.h"

namespace softalign::models {

namespace {

double own_k(const SamplingDecay& d) {
  if (d.k != 0) return d.k;
  return d.kind == SamplingKind::linear ? 1 : d.kind == SamplingKind::exponential ? 0.9999 : 1000;
}

bool readable(data::Id word) { return word != data::pad_id && word != data::start_id && word != data::end_id; }

// sample draws a word from softmax(logits), among the words that a decoder may read.
data::Id sample(std::span<const Real> logits, Random& random) {
  const double highest = *std::max_element(logits.begin(), logits.end());
  std::vector<double> weights(logits.size(), 0);
  for (std::size_t v = 0; v < logits.size(); ++v) {
    if (readable(static_cast<data::Id>(v))) weights[v] = std::exp(static_cast<double>(logits[v]) - highest);
  }
  const std::size_t sampled = random.choose(weights);
  return weights[sampled] > 0 ? static_cast<data::Id>(sampled) : data::unk_id;  // logits may not be finite
}

}  // namespace

void check(const SamplingDecay& d) {
  const double k = own_k(d);
  const auto refuse = [&](const char* what, double value, const char* expected) {
    throw std::invalid_argument(
        fmt::format("scheduled sampling {}: {} {}; {} expected", autograd::name_of(d.kind), what, value, expected));
  };
  if (d.kind == SamplingKind::linear && !(k > 0 && k <= 1)) refuse("k", k, "more than 0, at most 1");
  if (d.kind == SamplingKind::exponential && !(k > 0 && k < 1)) refuse("k", k, "more than 0, less than 1");
  if (d.kind == SamplingKind::inverse_sigmoid && !(k >= 1 && std::isfinite(k))) refuse("k", k, "at least 1");
  if (!(d.slope >= 0 && std::isfinite(d.slope))) refuse("slope", d.slope, "at least 0");
  if (!(d.floor >= 0 && d.floor <= 1)) refuse("floor", d.floor, "0 to 1");
}

double teacher_forcing_ratio(const SamplingDecay& d, std::uint64_t step) {
  const double i = static_cast<double>(step), k = own_k(d);
  switch (d.kind) {
    case SamplingKind::linear:
      return std::max(d.floor, k - d.slope * i);
    case SamplingKind::exponential:
      return std::pow(k, i);
    case SamplingKind::inverse_sigmoid:
      return k / (k + std::exp(i / k));
    case SamplingKind::off:
      break;
  }
  return 1;
}

Targets with_sampled_words(const Decoder& decoder, const Memory& memory, const Targets& targets, double eps,
                           Random& random) {
  const autograd::NoGrad no_grad;
  State state = decoder.start(memory);
  const std::size_t B = memory.size();
  Targets mixed = targets;
  for (std::size_t t = 0; t + 1 < targets.steps; ++t) {
    const auto row = mixed.in.begin() + static_cast<std::ptrdiff_t>(t * B);
    const Step step = decoder.step(Ids(row, row + static_cast<std::ptrdiff_t>(B)), state, memory);
    const std::size_t V = step.logits.dim(1);
    for (std::size_t b = 0; b < B; ++b) {
      const std::size_t next = (t + 1) * B + b;
      if (targets.out[next] == data::pad_id || random.uniform() < eps) continue;
      mixed.in[next] = sample(step.logits.value().span().subspan(b * V, V), random);
    }
    state = step.state;
  }
  return mixed;
}

Targets with_word_dropout(Targets targets, double p, Random random) {
  for (data::Id& word : targets.in) {
    const bool unread = random.uniform() < p;
    if (unread && word != data::pad_id && word != data::start_id) word = data::unk_id;
  }
  return targets;
}

}  // namespace softalign::models
