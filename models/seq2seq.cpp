#include "models/seq2seq.h"

#include "autograd/ops/shape.h"

namespace models {

State select(const State& state, const Ids& rows) {
  State chosen;
  for (const Var& part : state.parts) chosen.parts.push_back(gather(part, rows));
  for (const auto row : rows) chosen.sentence.push_back(state.sentence[static_cast<std::size_t>(row)]);
  for (const State& member : state.members) chosen.members.push_back(select(member, rows));
  return chosen;
}

}  // namespace models
