// Compares averages of weights with their definitions.
#include "models/training/weight_average.h"

#include <cmath>

#include "tests/temporary.h"
// Catch's macros clash with names in fmt, so this header comes after fmt.
#include "tests/catch.h"

using namespace softalign;
using namespace models;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using autograd::Var;

namespace {

Var declare(const Params& params, const std::string& name, Real value) {
  return params.declare(name, {2}, [value](autograd::Array& a, Random&) { a.fill(value); });
}

}  // namespace

TEST_CASE("EMA: the average is the bias-corrected mean of all steps so far") {
  const Params params{Random(1)};
  const Var w = declare(params, "w", 100);  // the initial weights must not influence the average
  WeightAverage average(params, .8);
  double s = 0;
  for (int t = 1; t <= 30; ++t) {
    const double theta = std::sin(t);
    w.mutable_value().fill(static_cast<Real>(theta));
    average.update(static_cast<std::uint64_t>(t));
    s = .8 * s + .2 * theta;
    INFO("step " << t);
    CHECK(average.state()[0].array[1] == Approx(s / (1 - std::pow(.8, t))).margin(1e-6));
  }
  CHECK(average.state()[0].name == "ema/w");
}

TEST_CASE("the parameters equal the average while it is active, and are restored afterwards") {
  const Params params{Random(1)};
  const Var w = declare(params, "w", 3);
  WeightAverage average(params, .5);
  average.update(1);
  w.mutable_value().fill(5);
  average.update(2);  // the average is (3 + 2 * 5) / 3
  {
    const WeightAverage::InForce in_force(average);
    CHECK(w.value()[0] == Approx(13. / 3));
    CHECK(named_arrays(params)[0].array[0] == Approx(13. / 3));
  }
  CHECK(w.value()[0] == 5);
  CHECK(average.state()[0].array[0] == Approx(13. / 3));
  CHECK_THROWS_AS(WeightAverage(params, 1), std::invalid_argument);
  CHECK_THROWS_AS(WeightAverage(params, 0), std::invalid_argument);
}

// Vaswani et al. 2017, section 6.1.
TEST_CASE("averaging checkpoints gives the mean of their parameters") {
  const TemporaryFolder folder;
  std::vector<Checkpoint> saved;
  for (const Real value : {Real(1), Real(2), Real(6)}) {
    const Params params{Random(1)};
    declare(params, "w", value);
    const std::string path = folder.file(fmt::format("{}.safetensors", value));
    Checkpoint checkpoint;
    checkpoint.parameters = named_arrays(params);
    save_checkpoint(path, checkpoint);
    saved.push_back(load_checkpoint(path));
  }
  const Params params{Random(1)};
  const Var w = declare(params, "w", 50);
  set_to_mean(params, saved);
  CHECK(w.value()[0] == 3);
  set_to_mean(params, {saved[2]});
  CHECK(w.value()[1] == 6);
  CHECK_THROWS_AS(set_to_mean(params, {}), std::invalid_argument);
  declare(params, "more", 0);
  CHECK_THROWS_WITH(set_to_mean(params, saved), Catch::Contains("more (2)"));
}
