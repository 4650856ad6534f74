// Anomaly detection finds and names the first NaN or Inf, in the value of an op or in a gradient.
#include "autograd/anomaly_detection.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace autograd;

constexpr Real huge = std::numeric_limits<Real>::max(), tiny = std::numeric_limits<Real>::min();

struct Model {
  Params params{Random(1)};
  Var x = params.declare("room/x", {2, 3}, [](Array& a, Random&) { a.fill(1); });
  Var W = params.declare("W", {3, 4}, [](Array& a, Random&) { a.fill(1); });
};

// Names the first NaN or Inf; "" if every number is finite.
template <class Loss>
std::string first_bad(const Model& m, const Loss& loss) {
  const AnomalyDetection watch;
  backward(sum(loss()));
  return watch.found() ? describe(*watch.found(), m.params) : "";
}

}  // namespace

TEST_CASE("anomaly detection: a finite computation has no anomaly") {
  const Model m;
  CHECK(first_bad(m, [&] { return tanh(matmul(m.x, m.W)); }).empty());
  CHECK(first_bad(m, [&] {
          return fused::output_cross_entropy(m.x * Real(2), m.W, constant(Array({4}, 1)), {0, 0}, 0, 0);
        }).empty());  // all targets are padding, so no gradient arrives
  CHECK_FALSE(Observer::any());
}

TEST_CASE("anomaly detection: the message names the op and its inputs") {
  Model m;
  m.W.mutable_value().fill(huge);
  CHECK(first_bad(m, [&] { return tanh(matmul(m.x, m.W)) * Real(2); }) ==
        fmt::format("op matmul, forwards: its value (2, 4) is not finite; from room/x (2, 3) up to 1, W (3, 4) up to "
                    "{:.3g}",
                    huge));
  m.W.mutable_value()[5] = NAN;
  m.x.mutable_value().fill(0);
  const std::string bad = first_bad(m, [&] { return matmul(m.x, tanh(m.W)); });
  CHECK(bad == "op tanh, forwards: its value (3, 4) is not finite; from W (3, 4) not finite");
}

TEST_CASE("anomaly detection: a gradient may be NaN or infinite though its value was finite") {
  Model m;
  m.x.mutable_value().fill(tiny);
  const std::string bad = first_bad(m, [&] { return log(m.x * Real(1)) * Real(100); });
  CHECK_THAT(bad, Catch::Contains("op log, backwards: the gradient of ") && Catch::Contains("(2, 3) is not finite"));
}

TEST_CASE("anomaly detection: it checks a weight's products, which are computed after the backward pass") {
  Model m;
  m.x.mutable_value().fill(huge);
  m.W.mutable_value().fill(tiny);
  const std::string bad = first_bad(m, [&] { return matmul(m.x, m.W) * Real(4); });
  CHECK_THAT(bad, Catch::Contains("backwards: the gradient of W (3, 4) is not finite"));
}

TEST_CASE("anomaly detection: the lowest shard reports, and no graph is needed") {
  const Model m;
  {
    const AnomalyDetection watch;
    run_shards(m.params, 3, [&](std::size_t shard) {
      if (shard > 0) backward(sum(m.x * (shard == 1 ? huge : tiny) * (shard == 1 ? huge : Real(1))));
    });
    m.params.zero_grad();
    REQUIRE(watch.found());
    CHECK_THAT(describe(*watch.found(), m.params), Catch::Contains(fmt::format("(2, 3) up to {:.3g}", huge)));
  }
  const AnomalyDetection watch;
  const NoGrad no_grad;
  log(m.x * Real(-1));
  REQUIRE(watch.found());
  CHECK(watch.found()->op == std::string("log"));
}
