// These tests compare addressing by content and by location with PyTorch and check the properties of each equation.
#include "autograd/ops/shape.h"
#include "layers/addressing/addressing.h"

#include <algorithm>
#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/kernels.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t N = 6, R = 3, W = 4;

Var column(Real x) { return constant(Array({R, 1}, x)); }
// One-hot shift weights in every row: d is the shift, -1, 0 or 1.
Var shift_by(int d) {
  Array s = zeros({R, 3});
  for (std::size_t r = 0; r < R; ++r) s[r * 3 + static_cast<std::size_t>(d + 1)] = 1;
  return constant(s);
}
Var one_hot(std::size_t place) {
  Array w = zeros({R, N});
  for (std::size_t r = 0; r < R; ++r) w[r * N + place] = 1;
  return constant(w);
}

struct SyntheticExample {
  Random random;
  Var k = variable(random_array({R, W}, random)), M = variable(random_array({N, R, W}, random)),
      before = constant(softmax(constant(random_array({R, N}, random))).value());
  explicit SyntheticExample(std::uint64_t seed) : random(seed) {}

  Var by_content(const Var& key, Real beta) const {
    return address({key, column(beta), column(1), shift_by(0), column(1)}, before, M);
  }
  Var by_location(int shift, Real gamma = 1) const {
    return address({k, column(1), column(0), shift_by(shift), column(gamma)}, before, M);
  }
};

double largest(const Var& w, std::size_t r) {
  const Real* row = w.value().data() + r * N;
  return static_cast<double>(*std::max_element(row, row + N));
}

}  // namespace

// Graves et al. 2014, eq. 2-9.
TEST_CASE("addressing: cosines, weights, reading and writing equal torch's, with all gradients") {
  const KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed));
  golden::Golden c("addressing", "cosines"), a("addressing", "address"), r("addressing", "read"),
      w("addressing", "write");
  c.check({{"y", cosines(c("k"), c("M"))}});
  a.check({{"y", address({a("k"), a("beta"), a("g"), a("s"), a("gamma")}, a("before"), a("M"))}});
  r.check({{"y", memory_read(r("M"), r("w"))}});
  w.check({{"y", memory_write(w("M"), w("w"), w("e"), w("a"))}});
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("addressing: gradients of heads equal central differences") {
  Random random(1);
  const Params p{Random(2)};
  const WritingHead writes(p / "writes", 5, W, glorot());
  const Head reads(p / "reads", 5, W, glorot());
  compare::randomise(p, random);
  std::vector<Var> inputs{variable(random_array({R, 5}, random)), variable(random_array({N, R, W}, random))};
  for (const Parameter& parameter : p.all()) inputs.push_back(parameter.var);
  const GradcheckResult check = gradcheck(
      [&](const std::vector<Var>& in) {
        const auto [w, M] = writes(in[0], one_hot(2), in[1]);
        const Var seen = address(reads(in[0]), w, M);
        return concat({w, seen, memory_read(M, seen)}, 1);
      },
      inputs);
  INFO(check.report);
  CHECK(check.ok);
}
#endif

// Graves et al. 2014, eq. 1.
TEST_CASE("addressing: weights sum to 1 for a row of zeros, for one position and for any sharpness") {
  const SyntheticExample drawn(3);
  const auto sums_to_1 = [](const Var& w) {
    for (std::size_t r = 0; r < R; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < w.dim(1); ++i) sum += static_cast<double>(w.value()[r * w.dim(1) + i]);
      CHECK(sum == Approx(1).epsilon(1e-5));
    }
  };
  for (const Real beta : {Real(0), Real(3), Real(1000)})
    for (const Real gamma : {Real(1), Real(5), Real(500)})
      for (const Var& M : {drawn.M, constant(zeros({N, R, W}))}) {
        const Var s = constant(Array({R, 3}, Real(1) / 3));
        const Address a{drawn.k, column(beta), column(Real(0.5)), s, column(gamma)};
        sums_to_1(address(a, drawn.before, M));
        sums_to_1(address(a, constant(Array({R, 1}, 1)), slice(M, 0, 0, 1)));
      }
}

// Graves et al. 2014, eq. 5 and 6.
TEST_CASE("addressing by content: the key's length does not matter, and weights are uniform at strength 0") {
  const SyntheticExample drawn(4);
  const Var w = drawn.by_content(drawn.k, 3);
  CHECK(relative_error(drawn.by_content(Real(40) * drawn.k, 3).value(), w.value()) < exact);
  CHECK(relative_error(drawn.by_content(-drawn.k, 3).value(), w.value()) > 0.1);
  CHECK(relative_error(drawn.by_content(drawn.k, 0).value(), Array({R, N}, Real(1) / N)) < exact);
  for (std::size_t r = 0; r < R; ++r) {
    double before = 1.0 / N;
    for (const Real beta : {Real(1), Real(4), Real(16), Real(64)}) {
      const double sharper = largest(drawn.by_content(drawn.k, beta), r);
      CHECK(sharper > before);
      before = sharper;
    }
  }
  // A key that equals the content of position 4 puts all of the weight on position 4.
  const Var found = drawn.by_content(at(drawn.M, 4), 1000);
  CHECK(relative_error(found.value(), one_hot(4).value()) < 1e-3);
}

// Graves et al. 2014, eq. 7, eq. 8 and eq. 9.
TEST_CASE("addressing by location: a gate of 0 keeps the weights, and a shift of 1 moves them by one position") {
  const SyntheticExample drawn(5);
  const Array stood = drawn.before.value();
  CHECK(relative_error(drawn.by_location(0).value(), stood) < exact);
  for (const int d : {-1, 1}) {
    const Var moved = drawn.by_location(d);
    for (std::size_t r = 0; r < R; ++r)
      for (std::size_t i = 0; i < N; ++i) {
        const std::size_t to = (i + N + static_cast<std::size_t>(d + 1) - 1) % N;
        CHECK(moved.value()[r * N + to] == Approx(stood[r * N + i]).epsilon(1e-5));
      }
  }
  const Var squared = drawn.by_location(0, 2);
  for (std::size_t r = 0; r < R; ++r) {
    double sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += std::pow(static_cast<double>(stood[r * N + i]), 2);
    for (std::size_t i = 0; i < N; ++i)
      CHECK(static_cast<double>(squared.value()[r * N + i]) ==
            Approx(std::pow(static_cast<double>(stood[r * N + i]), 2) / sum).epsilon(1e-5));
  }
  const Address of_content{drawn.k, column(2), column(1), shift_by(0), column(1)};
  CHECK(relative_error(address(of_content, one_hot(1), drawn.M).value(),
                       address(of_content, one_hot(2), drawn.M).value()) < exact);
}

// Graves et al. 2014, eq. 2, eq. 3 and eq. 4.
TEST_CASE("memory: erasing and adding at one position replaces that position only, and a read returns the new value") {
  SyntheticExample drawn(6);
  const Var a = constant(random_array({R, W}, drawn.random)), all = constant(Array({R, W}, 1)),
            none = constant(zeros({R, W}));
  const Var M = memory_write(drawn.M, one_hot(2), all, a);
  for (std::size_t i = 0; i < N; ++i)
    CHECK(relative_error(at(M, i).value(), i == 2 ? a.value() : at(drawn.M, i).value()) < exact);
  CHECK(relative_error(memory_read(M, one_hot(2)).value(), a.value()) < exact);
  CHECK(relative_error(memory_write(drawn.M, drawn.before, none, none).value(), drawn.M.value()) < exact);
  const Var added = memory_write(drawn.M, one_hot(2), none, a);
  CHECK(relative_error(at(added, 2).value(), (at(drawn.M, 2) + a).value()) < exact);
}

TEST_CASE("addressing refuses wrong sizes, an empty memory and an even number of shifts") {
  const SyntheticExample drawn(7);
  const Address good{drawn.k, column(1), column(1), shift_by(0), column(1)};
  const auto refused = [&](Address a, const Var& before, const Var& M) {
    CHECK_THROWS_AS(address(a, before, M), std::invalid_argument);
  };
  const auto with = [&](Var Address::*part, const Var& other) {
    Address a = good;
    a.*part = other;
    return a;
  };
  CHECK_NOTHROW(address(good, drawn.before, drawn.M));
  refused(good, slice(drawn.before, 1, 0, 2), drawn.M);
  refused(good, drawn.before, slice(drawn.M, 2, 0, 2));
  refused(good, constant(zeros({R, 0})), constant(zeros({0, R, W})));
  refused(good, drawn.before, reshape(drawn.M, {N * R, W}));
  refused(with(&Address::s, constant(Array({R + 1, 3}, Real(0.5)))), drawn.before, drawn.M);
  refused(with(&Address::s, constant(Array({R, 2}, Real(0.5)))), drawn.before, drawn.M);
  refused(with(&Address::gamma, constant(Array({R}, 1))), drawn.before, drawn.M);
  refused(with(&Address::beta, drawn.k), drawn.before, drawn.M);
  CHECK_THROWS_AS(memory_write(drawn.M, drawn.before, drawn.k, slice(drawn.k, 1, 0, 2)), std::invalid_argument);
}
