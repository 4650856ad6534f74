#include "models/search/intervention.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/choice.h"
#include "models/search/prediction.h"

namespace models {

const std::vector<std::string>& known_interventions() {
  static const std::vector<std::string> kinds{"force", "ablate", "shuffle", "word"};
  return kinds;
}

namespace {

void force(Weights& row, std::size_t source) {
  std::fill(row.begin(), row.end(), Real(0));
  row.at(source) = 1;
}

void ablate(Weights& row, std::size_t source) {
  row.at(source) = 0;
  const Real rest = std::accumulate(row.begin(), row.end(), Real(0));
  const auto others = static_cast<Real>(row.size() - 1);
  for (std::size_t s = 0; s < row.size(); ++s) {
    if (s != source) row[s] = rest > 0 ? row[s] / rest : 1 / others;
  }
}

void check(const Intervention& i, std::size_t source_length, bool has_attention) {
  autograd::check_name("intervention", i.kind, known_interventions());
  if (i.kind == "word") return;
  if (!has_attention)
    throw std::invalid_argument(fmt::format("{}: the model has no attention that could look elsewhere", i.kind));
  if (i.kind == "shuffle") return;
  if (i.source >= source_length)
    throw std::invalid_argument(
        fmt::format("{}: source position {} of a sentence of {}, </s> counted", i.kind, i.source, source_length));
  if (i.kind == "ablate" && source_length == 1)
    throw std::invalid_argument("ablate: the sentence has nothing else to look at");
}

// The rows of a step, (1, S) or (1, K, S), as weights over the sentence, and back.
std::vector<Weights> rows_of(const Var& weights, std::size_t source_length) {
  const Array& values = weights.value();
  const std::size_t S = values.shape().back();
  std::vector<Weights> rows;
  for (std::size_t begin = 0; begin < values.size(); begin += S) {
    rows.emplace_back(values.data() + begin, values.data() + begin + source_length);
  }
  return rows;
}

Var as_weights(const std::vector<Weights>& rows, const Var& like) {
  Array values = autograd::zeros(like.shape());
  const std::size_t S = like.shape().back();
  for (std::size_t k = 0; k < rows.size(); ++k) std::copy(rows[k].begin(), rows[k].end(), values.data() + k * S);
  return autograd::constant(values);
}

// Of the words that may be written, but not `except`.
Id most_probable(const Array& logits, Id except = data::pad_id) {
  Id best = data::pad_id;
  for (std::size_t v = 0; v < logits.dim(1); ++v) {
    const auto id = static_cast<Id>(v);
    if (!writable(id) || id == except) continue;
    if (best == data::pad_id || logits[v] > logits[static_cast<std::size_t>(best)]) best = id;
  }
  return best;
}

}  // namespace

std::vector<Weights> intervene(const std::vector<Weights>& rows, const Intervention& intervention, Random& random) {
  std::vector<Weights> changed = rows;
  std::vector<std::size_t> order(rows.front().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  random.shuffle(order);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (intervention.kind == "force") force(changed[k], intervention.source);
    if (intervention.kind == "ablate") ablate(changed[k], intervention.source);
    if (intervention.kind != "shuffle") continue;
    for (std::size_t s = 0; s < order.size(); ++s) changed[k][s] = rows[k][order[s]];
  }
  return changed;
}

Hypothesis decode_with(const Seq2Seq& model, const Batch& batch, const Intervention* intervention, Random random) {
  if (batch.size != 1) throw std::invalid_argument("decode_with: one sentence at a time");
  const autograd::NoGrad no_grad;
  const std::size_t source_length = batch.source_lengths.front(), limit = length_limit(0, source_length);
  const Memory memory = model.encode(batch);
  State state = model.start(memory);
  Hypothesis h;
  Id previous = data::start_id;
  for (std::size_t t = 0; !h.finished && t <= limit; ++t) {
    Step step = model.step({previous}, state, memory);
    if (intervention) check(*intervention, source_length, step.attention.defined());
    const bool here = intervention && intervention->step == t;
    if (here && intervention->kind != "word") {
      const Var& own = step.heads.defined() ? step.heads : step.attention;
      Memory changed = memory;
      changed.imposed = as_weights(intervene(rows_of(own, source_length), *intervention, random), own);
      step = model.step({previous}, state, changed);
    }
    const Prediction prediction = predict(step.logits, state, batch, t + 1);
    Id id = most_probable(prediction.logits);
    if (here && intervention->kind == "word") id = intervention->word.value_or(most_probable(prediction.logits, id));
    if (t == limit && id != data::end_id) break;  // as search does: the step past the limit may only end
    append(h, id, prediction.log_p(0, prediction.logits[static_cast<std::size_t>(id)]), look(step), 0, source_length);
    previous = id;
    state = step.state;
  }
  h.score = h.log_prob;
  return h;
}

}  // namespace models
