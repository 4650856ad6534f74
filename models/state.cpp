#include "models/state.h"

#include <numeric>

namespace models {

State select(State state, const Ids& rows) {
  Ids each(state.sentence.size());
  std::iota(each.begin(), each.end(), 0);
  if (rows == each) return state;  // as in most steps of greedy search
  state.each([&](const std::string&, Var& part) { part = gather(part, rows); });
  Ids sentence;
  for (const Id row : rows) sentence.push_back(state.sentence.at(static_cast<std::size_t>(row)));
  state.sentence = std::move(sentence);
  return state;
}

}  // namespace models
