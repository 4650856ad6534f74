#include "models/search/ensemble.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"

namespace softalign::models {
namespace {

// log_mean_exp returns, for each element, log(1/M sum_m e^x_m) = a + log(1/M sum_m e^(x_m - a)) with a = max_m x_m.
// With this a, nothing underflows. If all x_m are -infinity, the mean is -infinity. NaN stays NaN.
Array log_mean_exp(const std::vector<Array>& x) {
  Array y(x.front().shape());
  for (std::size_t i = 0; i < y.size(); ++i) {
    double a = x.front()[i], sum = 0;
    for (const Array& member : x) a = std::max(a, static_cast<double>(member[i]));
    if (!std::isfinite(a)) a = 0;
    for (const Array& member : x) sum += std::exp(static_cast<double>(member[i]) - a);
    y[i] = static_cast<Real>(a + std::log(sum / static_cast<double>(x.size())));
  }
  return y;
}

// mean averages the members that are defined. The result is undefined if no member is defined.
Var mean(const std::vector<Var>& x) {
  Var total;
  Real count = 0;
  for (const Var& member : x) {
    if (!member.defined()) continue;
    total = total.defined() ? total + member : member;
    ++count;
  }
  return count > 1 ? total * (1 / count) : total;
}

void refuse(const Training* training) {
  if (training) throw std::invalid_argument("an ensemble is not trained; train its models one by one");
}

struct MemberMemories {
  std::vector<Memory> of;
};

struct MemberStates {
  std::vector<State> of;
  template <class Visit>
  void each(Visit&& visit) {
    visit("members", of);
  }
};

using Decoders = std::vector<std::shared_ptr<const Decoder>>;

class Ensemble : public Decoder {
 public:
  explicit Ensemble(Decoders decoders) : decoders_(std::move(decoders)) {}

  bool attends() const override {
    return std::any_of(decoders_.begin(), decoders_.end(), [](const auto& decoder) { return decoder->attends(); });
  }

  State start(const Memory& memory) const override {
    MemberStates states;
    const auto& memories = memory.as<MemberMemories>().of;
    for (std::size_t m = 0; m < decoders_.size(); ++m) states.of.push_back(decoders_[m]->start(memories.at(m)));
    const Ids sentence = states.of.front().sentence;
    return {std::move(states), sentence};
  }

  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    const auto& memories = memory.as<MemberMemories>().of;
    MemberStates states = state.as<MemberStates>();
    std::vector<Array> log_p;
    std::vector<Var> weights;
    for (std::size_t m = 0; m < decoders_.size(); ++m) {
      states.of[m].sentence = state.sentence;
      const Step step = decoders_[m]->step(previous, states.of[m], memories.at(m));
      log_p.push_back(log_softmax(step.logits).value());
      if (!(log_p[m].shape() == log_p[0].shape()))
        throw std::invalid_argument(fmt::format("ensemble: model {} has {} target words, model 1 has {}", m + 1,
                                                log_p[m].dim(1), log_p[0].dim(1)));
      weights.push_back(step.weights.matrix);
      states.of[m] = step.state;
    }
    return {Var(log_mean_exp(log_p)), {std::move(states), state.sentence}, {mean(weights)}};
  }

  // -log p(y_t) = -log 1/M sum_m e^-loss_m, because all models read the same words.
  TeacherForced teacher_forced(const Memory& memory, const Targets& targets, const Training* training) const override {
    refuse(training);
    const auto& memories = memory.as<MemberMemories>().of;
    std::vector<Array> log_p;
    std::vector<Var> weights;
    for (std::size_t m = 0; m < decoders_.size(); ++m) {
      const TeacherForced forced = decoders_[m]->teacher_forced(memories.at(m), targets);
      log_p.push_back((-forced.losses).value());
      weights.push_back(forced.weights.matrix);
    }
    return {-Var(log_mean_exp(log_p)), {mean(weights)}};
  }

  std::unique_ptr<Decoder> with_attention_hook(const AttentionHook& hook) const override {
    if (!attends()) return Decoder::with_attention_hook(hook);
    Decoders changed = decoders_;
    for (auto& decoder : changed)
      if (decoder->attends()) decoder = decoder->with_attention_hook(hook);
    return std::make_unique<Ensemble>(std::move(changed));
  }

  std::unique_ptr<Decoder> with_words(const Ids& words) const override {
    Decoders fewer;
    for (const auto& decoder : decoders_) fewer.push_back(decoder->with_words(words));
    return std::make_unique<Ensemble>(std::move(fewer));
  }

 private:
  Decoders decoders_;
};

using Models = std::vector<std::shared_ptr<const Seq2Seq>>;

Decoders decoders_of(const Models& models) {
  Decoders decoders;
  for (const auto& model : models) decoders.emplace_back(model, &model->decoder());
  return decoders;
}

class EnsembleModel : public Seq2Seq {
 public:
  explicit EnsembleModel(Models models) : models_(std::move(models)), decoder_(decoders_of(models_)) {}
  const Decoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const Training* training) const override {
    refuse(training);
    std::vector<Memory> memories;
    for (const auto& model : models_) memories.push_back(model->encode(batch));
    return ensemble_memory(std::move(memories));
  }

  Models models_;
  Ensemble decoder_;
};

}  // namespace

std::unique_ptr<Decoder> make_ensemble(std::vector<std::shared_ptr<const Decoder>> decoders) {
  if (decoders.empty()) throw std::invalid_argument("an ensemble of no models");
  return std::make_unique<Ensemble>(std::move(decoders));
}

Memory ensemble_memory(std::vector<Memory> memories) {
  if (memories.empty()) throw std::invalid_argument("an ensemble of no models");
  const std::vector<std::size_t> lengths = memories.front().lengths, index = memories.front().index;
  Memory memory(lengths, MemberMemories{std::move(memories)});
  memory.index = index;
  return memory;
}

std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models) {
  if (models.empty()) throw std::invalid_argument("an ensemble of no models");
  if (models.size() == 1) return std::move(models.front());
  Models all;
  for (auto& model : models) all.push_back(std::move(model));
  return std::make_unique<EnsembleModel>(std::move(all));
}

}  // namespace softalign::models
