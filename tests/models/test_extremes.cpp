// All numbers stay finite in both passes and with both kernels, for any scores and any length of sentences.
#include <cmath>
#include <optional>

#include "autograd/anomaly_detection.h"
#include "autograd/kernels.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "models/training/batch_gradient.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;
using autograd::Kernels;

constexpr std::size_t few_words = 50;  // anomaly detection checks sentences up to this length

// Names what is not finite in the loss and gradient of the pairs; "" if nothing. For long sentences, only the results
// are checked.
std::string bad_number(const Made& made, const std::vector<data::EncodedPair>& corpus) {
  data::Indices every(corpus.size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
  const Batch batch = data::make_batch(corpus, every);
  std::optional<autograd::AnomalyDetection> watch;
  if (std::max(batch.source_steps, batch.targets.steps) <= few_words) watch.emplace();
  Random random(1);
  const SummedLosses losses =
      models::add_batch_gradient(made.model, made.params, batch, {.label_smoothing = .1}, random);
  std::string bad = std::isfinite(losses.total()) ? "" : "the loss";
  for (const autograd::Parameter& p : made.params.all())
    if (p.var.grad().defined() && !autograd::all_finite(p.var.grad())) bad += " " + p.name;
  made.params.zero_grad();
  return watch && watch->found() ? describe(*watch->found(), made.params) : bad;
}

void check_finite(const ModelOptions& o, const std::vector<data::EncodedPair>& corpus, Real steepness = 1) {
  for (const Kernels form : {Kernels::fused, Kernels::composed}) {
    INFO((form == Kernels::fused ? "fused" : "composed"));
    const autograd::KernelsInForce kernels(form);
    const Made made(o);
    for (const autograd::Parameter& p : made.params.all())
      if (p.name.find("attention") != std::string::npos)
        for (Real& w : autograd::Var(p.var).mutable_value().span()) w *= steepness;
    CHECK(bad_number(made, corpus) == "");
  }
}

data::Ids words(std::size_t count, std::size_t vocabulary) {
  data::Ids ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<data::Id>(4 + i % (vocabulary - 4));
  return ids;
}

}  // namespace

TEST_CASE("models: every value and gradient is finite, even if attention scores are 10,000") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    check_finite(o, pairs_of(o));
    check_finite(o, pairs_of(o), 20000);
    check_finite(o, {as_read(o, {{4}, {5}}, 1)}, 20000);
  }
}

TEST_CASE("models: sentences of one word and of 5,000 give finite gradients") {
  const std::size_t many = sizeof(Real) == 8 ? 500 : 5000;
  for (const nlohmann::json& json : std::vector<nlohmann::json>{{{"model", "rnnsearch"}},
                                                                {{"model", "luong"}, {"attention-window", "local-m"}},
                                                                {{"model", "luong"}, {"attention-window", "local-p"}},
                                                                {{"model", "encdec"}, {"cell", "gru"}}}) {
    const Kind its = kind(json);
    INFO(its.name);
    check_finite(its.options, {{words(many, 8), {4}}, {{4}, {5, 6}}});
    check_finite(its.options, {{{5}, words(many, 7)}, {{4, 6}, {5}}});
  }
}

TEST_CASE("softmax: a completely masked row is 0 and has no gradient for any scores") {
  for (const Real e : {Real(-1e4), Real(1e4), Real(0)}) {
    const Var scores = autograd::variable(autograd::Array({2, 3}, {e, -e, e, e, e, -e}));
    const autograd::AnomalyDetection watch;
    const Var alpha = softmax(scores, autograd::Array({2, 3}, {1, 1, 0, 0, 0, 0}));
    backward(sum(alpha * alpha + log_softmax(scores, autograd::Array({2, 3}, {0, 0, 0, 1, 0, 0})) * alpha));
    CHECK_FALSE(watch.found());
    for (std::size_t j = 0; j < 3; ++j) CHECK(alpha.value()[3 + j] == 0);
  }
}
