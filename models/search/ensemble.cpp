#include "models/search/ensemble.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"

namespace models {
namespace {

// log(1/M sum_m e^x_m), element by element. Where all are -infinity so is the mean; a NaN stays one.
Array log_mean_exp(const std::vector<Array>& x) {
  Array y(x.front().shape());
  for (std::size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (const Array& member : x) sum += std::exp(static_cast<double>(member[i]));
    y[i] = static_cast<Real>(std::log(sum / static_cast<double>(x.size())));
  }
  return y;
}

// Of those that are defined; undefined if none is.
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

class Ensemble : public Seq2Seq {
 public:
  explicit Ensemble(std::vector<std::unique_ptr<Seq2Seq>> models) : models_(std::move(models)) {}

  Memory encode(const Batch& batch, const Training* training) const override {
    refuse(training);
    Memory memory;
    for (const auto& model : models_) memory.members.push_back(model->encode(batch));
    memory.sentences = batch.size;
    memory.steps = batch.source_steps;
    return memory;
  }

  State start(const Memory& memory) const override {
    State state;
    for (std::size_t m = 0; m < models_.size(); ++m) state.members.push_back(models_[m]->start(memory.members[m]));
    state.sentence = state.members.front().sentence;
    return state;
  }

  Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    std::vector<Array> log_p;
    std::vector<Var> attention;
    Step result;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      const Step step = models_[m]->step(previous, state.members[m], memory.members[m]);
      log_p.push_back(log_softmax(step.logits).value());
      if (!(log_p[m].shape() == log_p[0].shape()))
        throw std::invalid_argument(fmt::format("ensemble: model {} has {} target words, model 1 has {}", m + 1,
                                                log_p[m].dim(1), log_p[0].dim(1)));
      attention.push_back(step.attention);
      result.state.members.push_back(step.state);
    }
    result.logits = Var(log_mean_exp(log_p));
    result.attention = mean(attention);
    result.state.sentence = state.sentence;
    return result;
  }

  // -log p(y_t) = -log 1/M sum_m e^-loss_m, since all models read the same words.
  Forced forced(const Batch& batch, const Training* training) const override {
    refuse(training);
    std::vector<Forced> members;
    std::vector<Array> log_p;
    for (const auto& model : models_) {
      members.push_back(model->forced(batch));
      log_p.push_back((-members.back().losses).value());
    }
    Forced result;
    result.losses = -Var(log_mean_exp(log_p));
    for (std::size_t t = 0; t < batch.target_steps; ++t) {
      std::vector<Var> attention;
      for (const Forced& member : members)
        if (!member.attention.empty()) attention.push_back(member.attention[t]);
      if (!attention.empty()) result.attention.push_back(mean(attention));
    }
    return result;
  }

 private:
  std::vector<std::unique_ptr<Seq2Seq>> models_;
};

}  // namespace

std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models) {
  if (models.empty()) throw std::invalid_argument("an ensemble of no models");
  if (models.size() == 1) return std::move(models.front());
  return std::make_unique<Ensemble>(std::move(models));
}

}  // namespace models
