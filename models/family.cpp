#include "models/family.h"

#include <fmt/format.h>

namespace softalign::models {

Conflicts operator+(Conflicts a, const Conflicts& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Conflicts conflicts_of_no_source(const ModelOptions& o) {
  return {{o.tie == Tie::all, "tie all: a language model has no source words; use tie target"},
          {o.reverse_source, "a language model has no source to reverse"}};
}

Conflicts conflicts_of_own_attention(const ModelOptions& o) {
  const layers::ScoreKind own = family_of(o).attention;
  return {
      {o.attention != own, fmt::format("{}'s attention is {}, not {}", o.model, name_of(own), name_of(*o.attention))},
      {o.attention_window != layers::WindowKind::global || o.scale || o.coverage || o.heads > 1,
       fmt::format("{} uses one head of global attention, so attention-window, scale, coverage and heads have no "
                   "effect; leave them out",
                   o.model)}};
}

}  // namespace softalign::models
