// These tests check learning rates step by step.
#include <cmath>

#include "autograd/optimise/schedule.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("schedule: a constant rate may have a warm-up") {
  CHECK(Schedule({.kind = ScheduleKind::constant, .learning_rate = 0.5}, 100).rate(77, 3) == 0.5);
  const Schedule warm({.kind = ScheduleKind::constant, .learning_rate = 0.5, .warmup_steps = 10}, 100);
  CHECK(warm.rate(1, 1) == Approx(0.05));
  CHECK(warm.rate(5, 1) == Approx(0.25));
  CHECK(warm.rate(10, 1) == 0.5);
  CHECK(warm.rate(11, 1) == 0.5);
}

// Vaswani et al. 2017, eq. 3.
TEST_CASE("schedule: inverse square root is equation 3 of Vaswani et al.") {
  const double d_model = 512, warmup = 4000, peak = 1 / std::sqrt(d_model * warmup);
  const Schedule schedule({.kind = ScheduleKind::inverse_sqrt, .learning_rate = peak, .warmup_steps = 4000}, 100000);
  for (const std::uint64_t step : {1, 100, 3999, 4000, 4001, 50000}) {
    const double s = static_cast<double>(step);
    CHECK(schedule.rate(step, 1) ==
          Approx(std::pow(d_model, -0.5) * std::min(std::pow(s, -0.5), s * std::pow(warmup, -1.5))).epsilon(1e-12));
  }
  CHECK(Schedule({.kind = ScheduleKind::inverse_sqrt, .learning_rate = 1}, 10).rate(4, 1) == Approx(0.5));
}

// Luong et al. 2015, section 4.1.
TEST_CASE("schedule: the rate halves at each epoch after N") {
  const Schedule schedule({.kind = ScheduleKind::halve, .learning_rate = 1, .halve_after = 5}, 100);
  CHECK(schedule.rate(1, 1) == 1);
  CHECK(schedule.rate(1, 5) == 1);
  CHECK(schedule.rate(1, 6) == 0.5);
  CHECK(schedule.rate(1, 8) == 0.125);
}

TEST_CASE("schedule: a linear rate is constant, then falls to just above 0 at the last step") {
  const Schedule schedule({.kind = ScheduleKind::linear, .learning_rate = 1, .decay_start = 0.5}, 10);
  for (const std::uint64_t step : {1, 2, 5, 6}) CHECK(schedule.rate(step, 1) == 1);
  CHECK(schedule.rate(7, 1) == Approx(0.8));
  CHECK(schedule.rate(10, 1) == Approx(0.2));
  CHECK(schedule.rate(11, 1) == 0);
  CHECK(schedule.rate(500, 1) == 0);
  CHECK(Schedule({.kind = ScheduleKind::linear, .learning_rate = 1, .decay_start = 1}, 10).rate(10, 1) == 1);
  CHECK(Schedule({.kind = ScheduleKind::linear, .learning_rate = 1, .decay_start = 0}, 10).rate(1, 1) == 1);
  CHECK(Schedule({.kind = ScheduleKind::linear, .learning_rate = 1, .decay_start = 0}, 10).rate(2, 1) == Approx(0.9));
}

TEST_CASE("schedule: the rate halves if the validation loss has not improved for `patience` epochs") {
  Schedule schedule({.kind = ScheduleKind::plateau, .learning_rate = 1, .patience = 2}, 100);
  const auto after = [&](double loss) {
    schedule.epoch_done(loss);
    return schedule.rate(1, 1);
  };
  CHECK(after(3.0) == 1);
  CHECK(after(2.0) == 1);
  CHECK(after(2.0) == 1);    // an equal score is no improvement: one epoch waited
  CHECK(after(2.5) == 0.5);  // two epochs waited
  CHECK(after(2.1) == 0.5);
  CHECK(after(1.9) == 0.5);  // a new best
  CHECK(after(std::nan("")) == 0.5);
  CHECK(after(2.0) == 0.25);

  Schedule resumed({.kind = ScheduleKind::plateau, .learning_rate = 1, .patience = 2}, 100);
  resumed.set_state(schedule.state());
  for (const double loss : {1.95, 1.8, 1.85, 1.9}) {
    resumed.epoch_done(loss);
    schedule.epoch_done(loss);
    CHECK(resumed.rate(1, 1) == schedule.rate(1, 1));
  }
  CHECK(resumed.rate(1, 1) == 0.125);
}

TEST_CASE("schedule: it refuses invalid options") {
  CHECK_THROWS_WITH(Schedule({.learning_rate = NAN}, 1), Catch::Contains("learning rate"));
  CHECK_THROWS_WITH(Schedule({.learning_rate = -1}, 1), Catch::Contains("learning rate"));
  CHECK_THROWS_WITH(Schedule({.learning_rate = INFINITY}, 1), Catch::Contains("learning rate"));
  CHECK_THROWS_WITH(Schedule({.decay_start = -0.5}, 1), Catch::Contains("decay start -0.5"));
  CHECK_THROWS_WITH(Schedule({.decay_start = 1.5}, 1), Catch::Contains("decay start 1.5"));
  CHECK_THROWS_WITH(Schedule({.patience = 0}, 1), Catch::Contains("patience"));
}
