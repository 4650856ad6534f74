#include "models/seq2seq.h"

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace models {

State select(const State& state, const Ids& rows) {
  State chosen;
  for (const Var& part : state.parts) chosen.parts.push_back(gather(part, rows));
  for (const auto row : rows) chosen.sentence.push_back(state.sentence[static_cast<std::size_t>(row)]);
  for (const State& member : state.members) chosen.members.push_back(select(member, rows));
  return chosen;
}

Var mean_loss(const Forced& forced, const Batch& batch) {
  const auto padding = std::count(batch.target_out.begin(), batch.target_out.end(), data::pad_id);
  const std::size_t words = batch.target_out.size() - static_cast<std::size_t>(padding);
  if (words == 0) throw std::invalid_argument("mean_loss: the batch has no target words");
  return sum(forced.losses) * (1 / static_cast<Real>(words));
}

}  // namespace models
