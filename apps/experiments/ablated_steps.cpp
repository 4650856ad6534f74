#include "apps/experiments/ablated_steps.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "models/search/hypothesis.h"
#include "models/search/intervention.h"

namespace softalign::apps {

namespace {

using autograd::Array;
using data::Id;

constexpr std::size_t ablations = 3;                 // largest, second, random
using Removed = std::array<std::size_t, ablations>;  // the source position whose weight each ablation removes

// Returns the positions whose weights are removed: the largest weight, the second largest, and a random other one.
Removed positions_to_remove(const autograd::Real* weights, std::size_t S, autograd::Random& random) {
  std::vector<std::size_t> order(S);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  return {order[0], order[1], order[2 + random.below(S - 2)]};
}

// Returns the weights (R, K, S) of one step, in which row r has no weight on position removed[r].
autograd::Var without(const autograd::Var& weights, const Removed& removed, autograd::Random& random) {
  const std::size_t S = weights.dim(2), K = weights.dim(1);
  Array changed = weights.value().clone();
  for (std::size_t r = 0; r < ablations; ++r) {
    for (std::size_t k = 0; k < K; ++k) {
      autograd::Real* row = changed.data() + (r * K + k) * S;
      const models::Intervention ablate{.kind = data::InterventionKind::ablate, .source = removed[r]};
      const data::Matrix rest = models::intervene({{row, row + S}}, ablate, random);
      std::copy(rest.front().begin(), rest.front().end(), row);
    }
  }
  return autograd::constant(changed);
}

}  // namespace

std::vector<AblatedStep> ablate_steps(const models::Seq2Seq& model, const data::EncodedPair& pair,
                                      autograd::Random random) {
  const autograd::NoGrad no_grad;
  const models::Memory memory = model.encode(data::make_source_batch({pair}, {0}));
  const std::size_t S = memory.lengths.front();
  if (S < 3) return {};
  Removed removed{};
  const std::unique_ptr<models::Decoder> ablated = model.decoder().with_attention_hook(
      [&](const layers::HookInput& input) { return without(input.weights, removed, random); });

  std::vector<AblatedStep> steps;
  models::State state = model.decoder().start(memory);
  Id previous = data::start_id;
  for (const Id next : pair.target) {
    const models::Step step = model.decoder().step({previous}, state, memory);
    removed = positions_to_remove(step.weights.matrix.value().data(), S, random);
    const models::Step changed =
        ablated->step(data::Ids(ablations, previous), models::select(state, data::Ids(ablations, 0)), memory);
    const Id word = models::most_probable_word(step.logits.value(), 0);
    const auto changes = [&](std::size_t r) { return models::most_probable_word(changed.logits.value(), r) != word; };
    steps.push_back({word, removed[0], changes(0), changes(1), changes(2)});
    previous = next;
    state = step.state;
  }
  return steps;
}

}  // namespace softalign::apps
