#include "models/search/prompt.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace softalign::models {
namespace {

struct PromptMemory {
  Memory of;
  std::vector<Ids> prompts;  // (B)
};

struct PromptState {
  std::size_t steps = 0;
  State of;
  template <class Visit>
  void each(Visit&& visit) {
    visit("of", of);
  }
};

class PromptedDecoder : public Decoder {
 public:
  explicit PromptedDecoder(const Decoder& decoder) : decoder_(decoder) {}

  bool attends() const override { return decoder_.attends(); }

  State start(const Memory& memory) const override {
    State state = decoder_.start(memory.as<PromptMemory>().of);
    const Ids sentence = state.sentence;
    return {PromptState{0, std::move(state)}, sentence};
  }

  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    const auto& known = memory.as<PromptMemory>();
    PromptState now = state.as<PromptState>();
    now.of.sentence = state.sentence;
    Step step = decoder_.step(previous, now.of, known.of);
    Array logits(step.logits.shape());  // (R, V)
    const std::size_t V = logits.dim(1);
    std::copy_n(step.logits.value().data(), logits.size(), logits.data());
    for (std::size_t r = 0; r < logits.dim(0); ++r) {
      const Ids& prompt = known.prompts[static_cast<std::size_t>(state.sentence[r])];
      if (now.steps >= prompt.size()) continue;
      std::fill_n(logits.data() + r * V, V, -INFINITY);
      logits[r * V + static_cast<std::size_t>(prompt[now.steps])] = 0;
    }
    step.logits = Var(std::move(logits));
    step.state = {PromptState{now.steps + 1, std::move(step.state)}, state.sentence};
    return step;
  }

  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override {
    return decoder_.teacher_forced(memory.as<PromptMemory>().of, targets, training);
  }

 private:
  const Decoder& decoder_;
};

class PromptedModel : public Seq2Seq {
 public:
  explicit PromptedModel(const Seq2Seq& model) : model_(model), decoder_(model.decoder()) {}
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override {
    PromptMemory memory{model_.encode(batch, training), {}};
    for (std::size_t b = 0; b < batch.size; ++b) {
      memory.prompts.push_back(words_of_source(batch, b));
      memory.prompts.back().pop_back();  // </s>
    }
    return {batch.source_lengths, std::move(memory)};
  }

  const Seq2Seq& model_;
  PromptedDecoder decoder_;
};

}  // namespace

std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model) { return std::make_unique<PromptedModel>(model); }

}  // namespace softalign::models
