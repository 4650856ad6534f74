#include "models/one_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "data/corpus/batch.h"
#include "models/decoder.h"

namespace softalign::models {

Parts parts_of(const data::Batch& batch) {
  Parts parts(batch.size);
  for (std::size_t b = 0; b < batch.size; ++b) {
    bool begins = true;
    for (std::size_t j = 0; j < batch.source_lengths[b]; ++j) {
      const data::Id id = batch.source[j * batch.size + b];
      if (std::exchange(begins, id == data::end_id)) parts[b].emplace_back();
      if (id != data::end_id) parts[b].back().push_back(id);
    }
  }
  return parts;
}

namespace {

// Nothing is the decoder state. It is empty, because an answer has only one word.
struct Nothing {
  template <class Visit>
  void each(Visit&&) {}
};

// ended makes every row that has already answered write </s>. The other rows keep their logits.
Var ended(const Ids& previous, const Var& logits) {
  const std::size_t V = logits.dim(1);
  if (std::all_of(previous.begin(), previous.end(), [](Id id) { return id == data::start_id; })) return logits;
  Array all = logits.value().clone();
  for (std::size_t r = 0; r < previous.size(); ++r) {
    if (previous[r] == data::start_id) continue;
    std::fill_n(all.data() + r * V, V, -std::numeric_limits<Real>::infinity());
    all[r * V + data::end_id] = 0;
  }
  return autograd::constant(std::move(all));
}

void check_one_word(const Targets& targets, const Memory& memory) {
  const std::size_t B = memory.size();
  for (std::size_t row = B; row < targets.out.size(); ++row) {
    const Id id = targets.out[row];
    if (id == data::pad_id || (id == data::end_id && row < 2 * B)) continue;
    throw std::invalid_argument(fmt::format("source {}: an answer of several words; one is written",
                                            memory.index.empty() ? row % B : memory.index[row % B]));
  }
}

}  // namespace

State OneWord::start(const Memory& memory) const { return {Nothing(), each_once(memory)}; }

Step OneWord::step(const Ids& previous, const State& state, const Memory& memory) const {
  const Answer a = answer(memory, state.sentence, nullptr);
  return {ended(previous, words().logits(a.readout)), {Nothing(), state.sentence}, a.weights};
}

TeacherForced OneWord::teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const {
  check_one_word(targets, memory);
  const std::size_t B = memory.size(), after = targets.out.size() - B;
  const Answer a = answer(memory, each_once(memory), training);
  const Ids first(targets.out.begin(), targets.out.begin() + static_cast<std::ptrdiff_t>(B));
  const Var losses = words().losses(reshape(a.readout, {1, B, a.readout.dim(1)}), first, training);  // (B)
  const std::vector<BatchWeights> steps(targets.steps, a.weights);
  if (after == 0) return {losses, concat(steps)};
  return {autograd::concat({losses, autograd::constant(autograd::zeros({after}))}, 0), concat(steps)};
}

}  // namespace softalign::models
