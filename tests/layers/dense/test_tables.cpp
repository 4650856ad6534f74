// These tests check the layers Linear, Embedding and Dropout.
#include <set>

#include "autograd/gradcheck.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "layers/dense/dropout.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using autograd::constant;
using autograd::variable;
using Catch::Matchers::Contains;
using compare::random_array;

Array ones(const Shape& shape) { return Array(shape, 1); }

}  // namespace

TEST_CASE("linear is x W + b on any number of leading axes") {
  Random random(1);
  Params p(random);
  const Linear linear(p / "room", 3, 2, normal(1));
  compare::randomise(p, random);
  REQUIRE(p.all().size() == 2);
  CHECK(p.all()[0].name == "room/W");
  CHECK(p.all()[1].name == "room/b");
  const Var x = variable(random_array({4, 5, 3}, random));
  const Var y = linear(x);
  REQUIRE(y.shape() == Shape{4, 5, 2});
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      double expected = linear.b.value()[j];
      for (std::size_t k = 0; k < 3; ++k) expected += double(x.value()[i * 3 + k]) * linear.W.value()[k * 2 + j];
      CHECK(y.value()[i * 2 + j] == Approx(expected).epsilon(1e-5));
    }
  const auto check = autograd::gradcheck(p, [&] { return linear(x); });
  INFO(check.report);
  CHECK(check.ok);
  CHECK_THROWS_WITH(linear(constant(ones({2, 4}))), Contains("(2, 4)") && Contains("(3, 2)"));
}

TEST_CASE("embedding returns rows, and its gradient reaches these rows only and sums repeated ones") {
  Random random(2);
  Params p(random);
  const Embedding embedding(p / "source", 5, 3, normal(1));
  CHECK(p.all().at(0).name == "source/E");
  const Ids ids{4, 1, 4};
  const Var y = embedding(ids);
  REQUIRE(y.shape() == Shape{3, 3});
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(y.value()[n * 3 + k] == embedding.E.value()[static_cast<std::size_t>(ids[n]) * 3 + k]);
  CHECK(embedding(Ids{4, 1, 4, 0, 0, 2}, 2).shape() == Shape{3, 2, 3});
  CHECK(compare::same_bits(embedding(ids, 1).value().reshaped({3, 3}), y.value()));
  backward(sum(y));
  CHECK(touched_rows(embedding.E) == Ids{1, 4});
  for (std::size_t v = 0; v < 5; ++v) CHECK(embedding.E.grad()[v * 3] == Real(v == 4 ? 2 : v == 1 ? 1 : 0));
  const auto check = autograd::gradcheck(p, [&] { return embedding(ids); });
  INFO(check.report);
  CHECK(check.ok);
  CHECK_THROWS_AS(embedding({5}), std::invalid_argument);
  CHECK_THROWS_AS(embedding({-1}), std::invalid_argument);
}

TEST_CASE("dropout keeps the expectation and is off at inference") {
  Random random(3);
  const Var x = variable(ones({100, 200}));
  CHECK(Dropout{0.3}(x, nullptr).node() == x.node());
  CHECK(Dropout{0}(x, &random).node() == x.node());
  for (const bool per_sequence : {false, true}) {
    const Var y = Dropout{0.3, per_sequence}(x, &random);
    REQUIRE(y.shape() == x.shape());
    std::size_t kept = 0;
    for (const Real v : y.value().span()) {
      CHECK((v == 0 || v == Approx(1 / 0.7)));
      kept += v != 0;
    }
    CHECK(static_cast<double>(kept) / 20000 == Approx(0.7).margin(per_sequence ? 0.04 : 0.015));
    backward(sum(y));
    CHECK(compare::same_bits(x.grad(), y.value()));  // x is all ones, so the gradient is the mask
    x.zero_grad();
  }
}

TEST_CASE("variational dropout drops the same numbers in each step of a sentence, and others in other sentences") {
  Random random(4);
  const std::size_t T = 6, B = 3, K = 50;
  const auto distinct = [&](bool per_sequence, std::size_t sentences) {
    const Var y = Dropout{0.5, per_sequence}(constant(ones({T, B, K})), &random);
    std::set<std::vector<Real>> rows;
    for (std::size_t t = 0; t < T; ++t)
      for (std::size_t b = 0; b < sentences; ++b) {
        const Real* row = y.value().data() + (t * B + b) * K;
        rows.insert(std::vector<Real>(row, row + K));
      }
    return rows.size();
  };
  CHECK(distinct(true, 1) == 1);
  CHECK(distinct(true, B) == B);
  CHECK(distinct(false, B) == T * B);
}

TEST_CASE("dropout's gradient equals central differences under one seed") {
  for (const bool per_sequence : {false, true}) {
    Random data(5);
    const Var x = variable(random_array({3, 2, 4}, data));
    const auto check = autograd::gradcheck(
        [&](const std::vector<Var>& in) {
          Random random(6);
          return Dropout{0.4, per_sequence}(in[0], &random);
        },
        {x});
    INFO(check.report);
    CHECK(check.ok);
  }
}
