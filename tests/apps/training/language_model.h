// A training task that is not translation: a character-level language model (Mikolov et al. 2010, "Recurrent neural
// network based language model").
//   h_t = tanh(E x_t + h_{t-1} U)        p(x_{t+1} | x_1 .. x_t) = softmax(h_t W + b)
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/training/training_task.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/init.h"

using namespace softalign;

namespace language_model {

using autograd::Ids;
using autograd::Var;
using Lines = std::vector<std::string>;

constexpr std::size_t hidden = 12, end = 1, first_letter = 2, alphabet = first_letter + 26;  // id 0 is padding

// Lines of lower-case letters. Each line starts at a random letter and continues in alphabetical order.
inline Lines rising_lines(std::size_t count, std::uint64_t seed) {
  autograd::Random random(seed);
  Lines lines(count);
  for (std::string& line : lines) {
    const std::size_t length = 3 + random.below(6), first = random.below(20);
    for (std::size_t i = 0; i < length; ++i) line += static_cast<char>('a' + (first + i) % 26);
  }
  return lines;
}

class LanguageModel : public apps::TrainingTask {
 public:
  LanguageModel(Lines training, Lines validation)
      : training_(std::move(training)),
        validation_(std::move(validation)),
        params_(autograd::Random(3)),
        E_(params_ / "letters", alphabet, hidden, layers::glorot()),
        U_(params_.declare("U", {hidden, hidden}, layers::glorot())),
        output_(params_ / "output", hidden, alphabet, layers::glorot()) {}

  const autograd::Params& params() const override { return params_; }
  models::Checkpoint checkpoint() const override {
    models::Checkpoint checkpoint;
    checkpoint.config = "{}";
    checkpoint.source_hash = checkpoint.target_hash = "letters";
    checkpoint.parameters = models::named_arrays(params_);
    return checkpoint;
  }
  apps::DataIdentity data() const override { return {"lines", hash(training_), hash(validation_)}; }

  std::vector<autograd::Indices> batches(std::size_t epoch) const override {
    autograd::Indices order(training_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    autograd::Random random = autograd::Random(5).split(epoch);
    random.shuffle(order);
    std::vector<autograd::Indices> batches((order.size() + 3) / 4);
    for (std::size_t i = 0; i < order.size(); ++i) batches[i / 4].push_back(order[i]);
    return batches;
  }
  std::size_t targets(const autograd::Indices& batch) const override { return letters(chosen(batch)); }
  std::string name(std::size_t example) const override {
    return fmt::format("line {}: {}", example + 1, training_[example]);
  }

  std::string recorded(const std::vector<autograd::Indices>& batches) const override {
    std::string text;
    for (const autograd::Indices& batch : batches)
      for (const std::string& line : chosen(batch)) text += line + "\n";
    return text;
  }

  std::vector<std::string> losses() const override { return {"loss"}; }
  std::vector<double> forward_backward(const autograd::Indices& batch, const apps::StepPart& step) override {
    const Var loss = total_loss(chosen(batch), &step.random);
    backward(loss * (autograd::Real(1) / static_cast<autograd::Real>(step.targets)));
    return {static_cast<double>(loss.value().item())};
  }

  void restart(std::size_t n) override {
    for (const autograd::Parameter& parameter : params_.all())
      Var(parameter.var).mutable_value().fill(static_cast<autograd::Real>(n) / 100);
  }

  apps::Validation validate(std::size_t epoch) override {
    const autograd::NoGrad no_grad;
    loss_ = static_cast<double>(total_loss(validation_, nullptr).value().item()) / double(letters(validation_));
    return {loss_, -loss_, {fmt::format(R"({{"epoch":{},"first":"{}"}})", epoch, validation_.front())}, false};
  }
  nlohmann::ordered_json training_scores(const std::vector<double>& means) const override {
    return {{"loss", means[0]}, {"bits", means[0] / std::log(2.)}};
  }
  nlohmann::ordered_json validation_scores() const override { return {{"loss", loss_}}; }

  double loss() const { return loss_; }  // of the last validation, in nats per letter

 private:
  static std::uint64_t hash(const Lines& lines) {
    std::uint64_t sum = 0;
    for (const std::string& line : lines) sum = sum * 31 + std::hash<std::string>()(line);
    return sum;
  }
  // The number of letters, where the end of each line counts as one.
  static std::size_t letters(const Lines& lines) {
    std::size_t count = 0;
    for (const std::string& line : lines) count += line.size() + 1;
    return count;
  }
  Lines chosen(const autograd::Indices& batch) const {
    Lines lines;
    for (const std::size_t i : batch) lines.push_back(training_.at(i));
    return lines;
  }

  // -sum log p over all letters. Dropout is used if `random` is given.
  Var total_loss(const Lines& lines, autograd::Random* random) const {
    const std::size_t B = lines.size();
    std::size_t T = 0;
    for (const std::string& line : lines) T = std::max(T, line.size() + 1);
    Ids read(T * B), write(T * B);  // both are time-major
    for (std::size_t b = 0; b < B; ++b) {
      for (std::size_t t = 0; t <= lines[b].size(); ++t) {
        const auto id = [&](std::size_t i) { return static_cast<autograd::Id>(first_letter + lines[b][i] - 'a'); };
        read[t * B + b] = t == 0 ? end : id(t - 1);
        write[t * B + b] = t == lines[b].size() ? end : id(t);
      }
    }
    const Var x = E_(read);  // (T*B, H)
    Var h = autograd::constant(autograd::zeros({B, hidden}));
    std::vector<Var> states;  // T states (B, H)
    for (std::size_t t = 0; t < T; ++t) {
      h = tanh(slice(x, 0, t * B, (t + 1) * B) + matmul(h, U_));
      states.push_back(random ? dropout(h, .1, *random) : h);
    }
    return sum(cross_entropy(output_(concat(states, 0)), write));
  }

  Lines training_, validation_;
  autograd::Params params_;
  layers::Embedding E_;
  Var U_;
  layers::Linear output_;
  double loss_ = 0;
};

}  // namespace language_model
