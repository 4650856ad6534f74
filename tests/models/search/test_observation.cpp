// Observations that a search does not keep: scores, and the norms of states and contexts.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/search/observation.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;
using Catch::Contains;

Batch one(std::size_t pair, const ModelOptions& o = {}) { return data::make_batch(pairs_of(o), {pair}); }

Observation observed(const Made& made, const Batch& batch) {
  const autograd::NoGrad no_grad;
  return observe(made.model.decoder(), made.model.encode(batch), batch.targets);
}

// Row `row` of the weights of each head of each layer. If no heads are reported, row `row` of the mean.
std::vector<std::vector<double>> weights_at(const models::BatchWeights& weights, std::size_t row) {
  std::vector<std::vector<double>> rows;
  const auto add = [&](const Var& x, std::size_t K) {
    const std::size_t S = x.shape().back();
    for (std::size_t k = 0; k < K; ++k) {
      const Real* begin = x.value().data() + (row * K + k) * S;
      rows.emplace_back(begin, begin + S);
    }
  };
  if (weights.heads.empty()) add(weights.matrix, 1);
  for (const models::Heads& layer : weights.heads) add(layer.weights, layer.weights.dim(1));
  return rows;
}

}  // namespace

// Bahdanau et al. 2015, eq. 6; under a Gaussian window, Luong et al. 2015, eq. 10, normalised to sum 1.
TEST_CASE("models: the softmax of observed scores equals the weights of forced decoding, or its largest one has all") {
  for (const auto& [name, o] : all()) {
    if (!attends(o)) continue;
    INFO(name);
    const Made made(o);
    if (!made.model.decoder().has_scores()) continue;
    for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
      const Batch batch = one(pair, o);
      const Observation seen = observed(made, batch);
      const autograd::NoGrad no_grad;
      const TeacherForced forced = made.model.teacher_forced(batch);
      // </s> after an answer has no attention step of its own.
      const std::size_t looks = answers(o) ? 1 : batch.targets.steps;
      for (std::size_t t = 0; t < looks; ++t) {
        const auto weights = weights_at(forced.weights, t);
        REQUIRE(seen.scores.size() == weights.size());
        for (std::size_t k = 0; k < weights.size(); ++k) {
          const std::vector<float>& e = seen.scores[k].at(t);
          REQUIRE(e.size() == most_places(batch));
          double total = 0;
          for (const float x : e) total += std::exp(static_cast<double>(x));
          const auto largest = static_cast<std::size_t>(std::max_element(e.begin(), e.end()) - e.begin());
          for (std::size_t s = 0; s < e.size(); ++s) {
            const double alpha = std::exp(static_cast<double>(e[s])) / total;
            CHECK((o.hard_attention ? double(s == largest) : alpha) == Approx(weights[k][s]).margin(1e-5));
          }
        }
      }
      CHECK(seen.scores.front().size() == looks);
    }
  }
}

TEST_CASE("a context is at most as long as its longest value, and as long as the only state") {
  const Made made(small());
  const Batch batch = one(0), alone = data::make_batch(std::vector<data::EncodedPair>{{{}, {4, 5}}}, {0});
  const data::Norms norms = observed(made, batch).norms;
  REQUIRE(norms.source.size() == batch.source_steps);
  REQUIRE(norms.context.size() == batch.targets.steps);
  const float longest = *std::max_element(norms.source.begin(), norms.source.end());
  for (const float c : norms.context) {
    CHECK(c > 0);
    CHECK(c <= longest * 1.0001f);
  }
  const data::Norms only = observed(made, alone).norms;  // </s> is the only position
  REQUIRE(only.source.size() == 1);
  for (const float c : only.context) CHECK(c == Approx(only.source.front()).epsilon(1e-5));
}

TEST_CASE("the lengths of states equal those of the averaged values at each position") {
  const Made made(small());
  const Batch batch = one(0);
  const autograd::NoGrad no_grad;
  const models::Memory memory = made.model.encode(batch);
  std::vector<double> lengths;
  const auto watched = made.model.decoder().with_attention_hook([&](const layers::HookInput& input) {
    const Array& h = input.values.value();
    const std::size_t D = h.size() / h.dim(0);
    for (std::size_t j = lengths.size(); j < h.dim(0); ++j) {
      const Real* row = h.data() + j * D;
      lengths.push_back(std::sqrt(std::inner_product(row, row + D, row, 0.0)));
    }
    return input.weights;
  });
  watched->teacher_forced(memory, batch.targets);
  REQUIRE(lengths.size() == batch.source_steps);
  const data::Norms norms = observed(made, batch).norms;
  for (std::size_t j = 0; j < lengths.size(); ++j) CHECK(norms.source.at(j) == Approx(lengths[j]).epsilon(1e-5));
}

TEST_CASE("a decoder without attention, or several sentences at once, cannot be observed") {
  const Made encdec(with(small(), {{"model", "encdec"}}));
  CHECK_THROWS_WITH(observed(encdec, one(0)), Contains("no attention"));
  CHECK_THROWS_WITH(observed(Made(small()), all_pairs()), Contains("one sentence"));
}
