#include "models/decoder.h"

#include <stdexcept>

#include "autograd/ops/gather.h"

namespace softalign::models {

State select(State state, const Ids& rows) {
  if (rows == autograd::all_rows(state.sentence.size())) return state;  // most steps of greedy search return here
  state.each([&](const std::string&, Var& part) { part = gather(part, rows); });
  Ids sentence;
  for (const Id row : rows) sentence.push_back(state.sentence.at(static_cast<std::size_t>(row)));
  state.sentence = std::move(sentence);
  return state;
}

std::unique_ptr<Decoder> Decoder::with_attention_hook(const AttentionHook&) const {
  throw std::invalid_argument("the decoder has no attention whose weights could be changed");
}

std::unique_ptr<Decoder> Decoder::with_words(const Ids&) const {
  throw std::invalid_argument("the decoder writes with all of its words; only those of translations leave some out");
}

}  // namespace softalign::models
