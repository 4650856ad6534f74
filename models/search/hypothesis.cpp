#include "models/search/hypothesis.h"

#include <algorithm>

namespace models {

Look look(const Step& step) {
  return {step.attention.defined() ? step.attention.value() : Array(),
          step.heads.defined() ? step.heads.value() : Array()};
}

Hypothesis trace(const WordTree& tree, std::size_t place, const std::vector<Look>& looks, std::size_t source_length) {
  std::vector<std::size_t> places;
  for (; tree[place].length > 0; place = tree[place].previous) places.push_back(place);
  std::reverse(places.begin(), places.end());
  Hypothesis h;
  for (const std::size_t p : places)
    append(h, tree[p].id, tree[p].log_prob, looks[tree[p].length - 1], tree[p].row, source_length);
  return h;
}

void append(Hypothesis& h, Id id, double log_prob, const Look& look, std::size_t row, std::size_t source_length) {
  h.finished = id == data::end_id;
  if (!h.finished) h.ids.push_back(id);
  h.word_log_prob.push_back(log_prob);
  h.log_prob += log_prob;
  if (look.attention.defined()) {
    const Real* weights = look.attention.data() + row * look.attention.dim(1);
    h.attention.emplace_back(weights, weights + source_length);
  }
  if (look.heads.defined()) {
    const std::size_t K = look.heads.dim(1), S = look.heads.dim(2);
    auto& heads = h.heads.emplace_back();
    for (std::size_t k = 0; k < K; ++k) {
      const Real* weights = look.heads.data() + (row * K + k) * S;
      heads.emplace_back(weights, weights + source_length);
    }
  }
}

}  // namespace models
