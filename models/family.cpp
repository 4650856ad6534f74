#include "models/family.h"

#include <fmt/format.h>

namespace softalign::models {

Conflicts operator+(Conflicts a, const Conflicts& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Conflicts conflicts_of_no_source(const ModelOptions& o) {
  return {{o.tie == Tie::all,
           "tie all shares the source embedding, and a language model has no source words. Use --tie target"},
          {o.reverse_source,
           "reverse-source has no effect, because a language model has no source. Remove --reverse-source"}};
}

Conflicts conflicts_of_own_attention(const ModelOptions& o, layers::ScoreKind own) {
  return {{o.attention != own, fmt::format("the model {0} supports only attention {1}, not {2}. Remove --attention {2}",
                                           o.model, name_of(own), name_of(*o.attention))},
          {o.attention_window != layers::WindowKind::global || o.scale || o.coverage || o.heads > 1,
           fmt::format("the model {} uses one head of global attention, so attention-window, scale, coverage and heads "
                       "have no effect. Remove these options",
                       o.model)}};
}

}  // namespace softalign::models
