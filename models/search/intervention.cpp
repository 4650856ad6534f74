#include "models/search/intervention.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "models/search/hypothesis.h"

namespace softalign::models {

using Kind = data::InterventionKind;

const std::vector<Kind>& known_interventions() {
  static const std::vector<Kind> kinds{Kind::force, Kind::ablate, Kind::shuffle, Kind::word};
  return kinds;
}

namespace {

void force(std::vector<float>& row, std::size_t source) {
  std::fill(row.begin(), row.end(), 0.0f);
  row.at(source) = 1;
}

void ablate(std::vector<float>& row, std::size_t source) {
  row.at(source) = 0;
  const float rest = std::accumulate(row.begin(), row.end(), 0.0f);
  const auto others = static_cast<float>(row.size() - 1);
  for (std::size_t s = 0; s < row.size(); ++s) {
    if (s != source) row[s] = rest > 0 ? row[s] / rest : 1 / others;
  }
}

std::vector<float> normalised(std::vector<float> row) {
  const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
  for (float& x : row) x /= sum;
  return row;
}

void check(const Intervention& i, std::size_t source_length, bool has_attention) {
  if (i.kind == Kind::none) throw std::invalid_argument("an intervention of kind none changes nothing");
  const std::string kind = autograd::name_of(i.kind);
  if (i.kind == Kind::word) return;
  if (!has_attention) throw std::invalid_argument(fmt::format("{}: the model has no attention to change", kind));
  if (i.kind == Kind::shuffle) return;
  if (i.kind == Kind::weights) {
    if (i.row.size() != source_length)
      throw std::invalid_argument(
          fmt::format("weights: {} weights for a sentence of {} positions, </s> counted", i.row.size(), source_length));
    const bool weights = std::all_of(i.row.begin(), i.row.end(), [](float x) { return std::isfinite(x) && x >= 0; });
    const float sum = std::accumulate(i.row.begin(), i.row.end(), 0.0f);
    if (!weights || !std::isfinite(sum) || sum <= 0)
      throw std::invalid_argument("weights: each weight must be at least 0, and one must be larger");
    return;
  }
  if (i.source >= source_length)
    throw std::invalid_argument(
        fmt::format("{}: source position {} of a sentence of {}, </s> counted", kind, i.source, source_length));
  if (i.kind == Kind::ablate && source_length == 1)
    throw std::invalid_argument("ablate: the sentence has no other word to attend to");
}

// changed returns the changed weights (1, K, S) of the sentence.
Var changed(const Var& weights, std::size_t source_length, const Intervention& intervention, Random& random) {
  const std::size_t K = weights.dim(1), S = weights.dim(2);
  data::Matrix rows;
  for (std::size_t k = 0; k < K; ++k) {
    const Real* row = weights.value().data() + k * S;
    rows.emplace_back(row, row + source_length);
  }
  rows = intervene(rows, intervention, random);
  Array values = autograd::zeros(weights.shape());
  for (std::size_t k = 0; k < K; ++k) std::copy(rows[k].begin(), rows[k].end(), values.data() + k * S);
  return autograd::constant(values);
}

// most_probable returns the most probable word that may be written and is not `except`.
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

data::Matrix intervene(const data::Matrix& rows, const Intervention& intervention, Random& random) {
  data::Matrix changed = rows;
  const std::size_t S = rows.front().size();
  const std::vector<std::size_t> order = random.different(S, S);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (intervention.kind == Kind::force) force(changed[k], intervention.source);
    if (intervention.kind == Kind::ablate) ablate(changed[k], intervention.source);
    if (intervention.kind == Kind::weights) changed[k] = normalised(intervention.row);
    if (intervention.kind != Kind::shuffle) continue;
    for (std::size_t s = 0; s < S; ++s) changed[k][s] = rows[k][order[s]];
  }
  return changed;
}

Hypothesis decode_with(const Decoder& decoder, const Memory& memory, const Intervention* intervention, Random random) {
  if (memory.size() != 1) throw std::invalid_argument("decode_with: one sentence at a time");
  const autograd::NoGrad no_grad;
  const std::size_t source_length = memory.lengths.front(), limit = length_limit(0, source_length);
  if (intervention) check(*intervention, source_length, decoder.attends());
  const bool changes_attention = intervention && intervention->kind != Kind::word;
  const auto hook = [&](const layers::HookInput& input) {
    return changed(input.weights, source_length, *intervention, random);
  };
  const std::unique_ptr<Decoder> changed = changes_attention ? decoder.with_attention_hook(hook) : nullptr;
  State state = decoder.start(memory);
  Hypothesis h;
  Id previous = data::start_id;
  for (std::size_t t = 0; !h.finished && t <= limit; ++t) {
    const bool here = intervention && intervention->step == t;
    const Step step = (here && changes_attention ? *changed : decoder).step({previous}, state, memory);
    const Prediction prediction = predict(step, memory, t + 1);
    Id id = most_probable(prediction.logits);
    if (here && !changes_attention) id = intervention->word.value_or(most_probable(prediction.logits, id));
    if (t == limit && id != data::end_id) break;  // as in beam search, the step after the limit may only write </s>
    append(h, id, prediction.log_p(0, prediction.logits[static_cast<std::size_t>(id)]), step.weights, 0, source_length);
    previous = id;
    state = step.state;
  }
  h.score = h.log_prob;
  return h;
}

}  // namespace softalign::models
