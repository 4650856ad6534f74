#include "models/search/hypothesis.h"

#include <algorithm>

namespace softalign::models {

Hypothesis trace(const WordTree& tree, std::size_t place, const std::vector<Weights>& weights,
                 std::size_t source_length) {
  std::vector<std::size_t> places;
  for (; tree[place].length > 0; place = tree[place].previous) places.push_back(place);
  std::reverse(places.begin(), places.end());
  Hypothesis h;
  for (const std::size_t p : places)
    append(h, tree[p].id, tree[p].log_prob, weights[tree[p].length - 1], tree[p].row, source_length);
  return h;
}

void append(Hypothesis& h, Id id, double log_prob, const Weights& step, std::size_t row, std::size_t source_length) {
  h.finished = id == data::end_id;
  if (!h.finished) h.ids.push_back(id);
  h.word_log_prob.push_back(log_prob);
  h.log_prob += log_prob;
  append(h.weights, step, row, source_length);
}

}  // namespace softalign::models
