#include "models/seq2seq.h"

#include <algorithm>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace models {

State select(const State& state, const Ids& rows) {
  State chosen;
  for (const Var& part : state.parts) chosen.parts.push_back(gather(part, rows));
  for (const auto row : rows) chosen.sentence.push_back(state.sentence[static_cast<std::size_t>(row)]);
  return chosen;
}

Var mean_loss(const Forced& forced, const Batch& batch) {
  const auto padding = std::count(batch.target_out.begin(), batch.target_out.end(), data::pad_id);
  const auto words = static_cast<Real>(batch.target_out.size() - static_cast<std::size_t>(padding));
  return sum(forced.losses) * (1 / words);
}

}  // namespace models
