#include "models/training/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "models/training/log_weights.h"

namespace softalign::models {
namespace {

using autograd::constant;

void check_attention(const char* loss, const Var& matrix, const Batch& batch) {
  const autograd::Shape expected{batch.targets.steps * batch.size, most_places(batch)};
  if (matrix.defined() && matrix.shape() == expected) return;
  throw std::invalid_argument(
      fmt::format("{}: weights {} for {} target steps of {} sentences; only a model with attention can be supervised",
                  loss, matrix.defined() ? to_string(matrix.shape()) : "()", batch.targets.steps, batch.size));
}

// gold_weights returns (T*B, S). Row t*B + b is uniform over the source words that have a sure link to word t. Without
// such a link, the row is 0.
Array gold_weights(const Batch& batch) {
  const std::size_t B = batch.size, S = most_places(batch);
  Array gold = autograd::zeros({batch.targets.steps * B, S});
  for (std::size_t b = 0; b < batch.sure.size(); ++b) {
    std::vector<std::size_t> links(batch.targets.steps);
    for (const data::Link& link : batch.sure[b]) {
      if (link.source >= places_in(batch, b) || link.target >= batch.target_lengths[b]) {
        throw std::invalid_argument(fmt::format("guided alignment: link {}-{} in a pair of {} and {} words",
                                                link.source, link.target, places_in(batch, b) - 1,
                                                batch.target_lengths[b] - 1));
      }
      ++links[link.target];
    }
    for (const data::Link& link : batch.sure[b])
      gold[(link.target * B + b) * S + link.source] = 1 / static_cast<Real>(links[link.target]);
  }
  return gold;
}

// written returns (B, 1), with 1 where step t is a word of sentence b, and 0 on padding.
Array written(const Batch& batch, std::size_t t) {
  Array mask({batch.size, 1});
  for (std::size_t b = 0; b < batch.size; ++b) mask[b] = t < batch.target_lengths[b] ? 1 : 0;
  return mask;
}

}  // namespace

SummedLosses& SummedLosses::operator+=(const SummedLosses& other) {
  words += other.words;
  for (std::size_t i = 0; i < attention.size(); ++i) attention[i] += other.attention[i];
  reinforcement += other.reinforcement;
  rewards += other.rewards;
  return *this;
}

double SummedLosses::total() const {
  return std::accumulate(attention.begin(), attention.end(), words + reinforcement);
}

const std::array<AttentionLoss, 3>& attention_losses() {
  static const std::array<AttentionLoss, 3> losses{
      {{"guided_alignment", "guided-alignment", &Objective::guided_alignment, guided_alignment_loss},
       {"coverage", "coverage-loss", &Objective::coverage, coverage_loss},
       {"doubly_stochastic", "doubly-stochastic", &Objective::doubly_stochastic,
        [](const Var& matrix, const Batch& batch) { return doubly_stochastic_loss(matrix, batch); }}}};
  return losses;
}

Var guided_alignment_loss(const Var& matrix, const Batch& batch) {
  check_attention("guided alignment", matrix, batch);
  return -sum(constant(gold_weights(batch)) * log_weights(matrix));  // (T*B, S)
}

Var coverage_loss(const Var& matrix, const Batch& batch) {
  check_attention("coverage loss", matrix, batch);
  const std::size_t B = batch.size;
  const auto alpha = [&](std::size_t t) { return slice(matrix, 0, t * B, (t + 1) * B); };
  Var loss = constant(Array::scalar(0)), coverage = alpha(0);
  for (std::size_t t = 1; t < batch.targets.steps; ++t) {
    loss = loss + sum(minimum(alpha(t), coverage) * constant(written(batch, t)));
    coverage = coverage + alpha(t);
  }
  return loss;
}

Var doubly_stochastic_loss(const Var& matrix, const Batch& batch, double tau) {
  check_attention("doubly stochastic loss", matrix, batch);
  const std::size_t B = batch.size, S = most_places(batch);
  Var received = constant(autograd::zeros({B, S}));
  for (std::size_t t = 0; t < batch.targets.steps; ++t)
    received = received + slice(matrix, 0, t * B, (t + 1) * B) * constant(written(batch, t));
  Array there = autograd::zeros({B, S});  // 1 where sentence b has position j
  for (std::size_t b = 0; b < B; ++b) std::fill_n(there.data() + b * S, places_in(batch, b), Real(1));
  return sum(square((static_cast<Real>(tau) - received) * constant(there)));
}

}  // namespace softalign::models
