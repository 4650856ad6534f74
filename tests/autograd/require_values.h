// Compares an op's output with expected numbers.
#pragma once

#include <vector>

#include "autograd/var.h"
#include "tests/catch.h"

using namespace softalign;

inline constexpr double tight = sizeof(autograd::Real) == 8 ? 1e-13 : 2e-6;

inline void require_values(const autograd::Var& y, const autograd::Shape& shape, const std::vector<double>& expected) {
  INFO(y.op() << " " << to_string(y.shape()));
  REQUIRE(y.shape() == shape);
  REQUIRE(expected.size() == y.value().size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("element " << i);
    REQUIRE(y.value()[i] == Approx(expected[i]).epsilon(tight).margin(tight));
  }
}
