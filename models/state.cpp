#include "models/state.h"

#include "autograd/array.h"

namespace softalign::models {

State select(State state, const Ids& rows) {
  if (rows == autograd::all_rows(state.sentence.size())) return state;  // as in most steps of greedy search
  state.each([&](const std::string&, Var& part) { part = gather(part, rows); });
  Ids sentence;
  for (const Id row : rows) sentence.push_back(state.sentence.at(static_cast<std::size_t>(row)));
  state.sentence = std::move(sentence);
  return state;
}

}  // namespace softalign::models
