#include "autograd/threads/parallel_for.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/threads/blas.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;
using namespace autograd;

namespace {

// The results of `work` with sixteen threads, or as many as there are cores, and with one thread.
template <class Work>
auto with_many_and_one(const Work& work) {
  const int before = threads();
  set_threads(16);
  const auto many = work();
  set_threads(1);
  const auto one = work();
  set_threads(before);
  return std::pair(many, one);
}

constexpr std::size_t rows = 301, columns = 259;  // neither is a multiple of a vector register
static_assert(rows * columns > long_loop);

}  // namespace

TEST_CASE("in_parts: each element is in one part, and all parts but the last fill complete vector registers") {
  const int before = threads();
  set_threads(16);
  for (const std::size_t n :
       {std::size_t{0}, std::size_t{7}, long_loop - 1, long_loop, long_loop + 8191, 3 * long_loop + 1}) {
    std::vector<int> seen(n);
    std::vector<std::uint8_t> complete(n, 1);
    in_parts(n, [&](std::size_t begin, std::size_t size) {
      for (std::size_t i = begin; i < begin + size; ++i) ++seen[i];
      if (size > 0) complete[begin] = begin % 64 == 0 && (size % 64 == 0 || begin + size == n);
    });
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    CHECK(std::all_of(complete.begin(), complete.end(), [](int yes) { return yes; }));
  }
  set_threads(before);
}

TEST_CASE("long elementwise operations have the same bits on all threads as on one") {
  Random random(1);
  const Array a = compare::random_array({rows, columns}, random), b = compare::random_array({rows, columns}, random);
  const auto [many, one] = with_many_and_one([&] {
    const Var x = variable(a.clone()), y = variable(b.clone());
    const Var z = tanh(x * y) + sigmoid(x) * exp(y);
    const Array value = z.value().clone();
    backward(z, b);
    return std::vector{value, x.grad(), y.grad()};
  });
  for (std::size_t i = 0; i < many.size(); ++i) CHECK(compare::same_bits(many[i], one[i]));
}

TEST_CASE("the gradient of a repeated row has the same bits on all threads as on one, and is the sum of the rows") {
  Random random(2);
  const Array dy = compare::random_array({7, rows / 7, columns}, random);
  for (const std::size_t wide : {columns, std::size_t{1}, std::size_t{17}}) {
    const Array g = dy.reshaped({dy.size()}).rows(0, dy.size() / wide * wide).reshaped({dy.size() / wide, wide});
    const auto [many, one] = with_many_and_one([&] {
      const Var b = variable(zeros({wide}));
      for (int use = 0; use < 2; ++use) add_repeated_grad(b, g);
      return b.grad();
    });
    CHECK(compare::same_bits(many, one));
    Array sums = zeros({wide}), twice = zeros({wide});
    add_column_sums(g, sums);
    for (int use = 0; use < 2; ++use) add_into(twice, sums);
    CHECK(compare::relative_error(many, twice) < 1e-6);
  }
  const Array x = compare::random_array({rows, 5}, random), W = compare::random_array({5, columns}, random);
  const Array dz = compare::random_array({rows, columns}, random);
  const auto [many, one] = with_many_and_one([&] {
    const Var b = variable(zeros({columns}));
    backward(affine(constant(x), constant(W), b), dz);
    return b.grad();
  });
  CHECK(compare::same_bits(many, one));
}

TEST_CASE("the gradient of a repeated column or number is its sum, on all threads too") {
  Array dy({rows, columns}), sums({rows, 1});  // each number of dy is the number of its row
  for (std::size_t i = 0; i < dy.size(); ++i) dy[i] = static_cast<Real>(i / columns);
  for (std::size_t i = 0; i < rows; ++i) sums[i] = static_cast<Real>(i * columns);
  constexpr Real all = columns * rows * (rows - 1) / 2;
  const auto [many, one] = with_many_and_one([&] {
    std::vector<Array> gradients;
    for (const Shape& shape : {Shape{rows, 1}, Shape{1}, Shape{}}) {
      const Var b = variable(zeros(shape));
      add_repeated_grad(b, dy);
      gradients.push_back(b.grad());
    }
    CHECK_THROWS_AS(add_repeated_grad(variable(zeros({columns + 1})), dy), std::invalid_argument);
    return gradients;
  });
  for (const std::vector<Array>& found : {many, one}) {
    CHECK(compare::same_bits(found[0], sums));
    CHECK(compare::same_bits(found[1], Array({1}, all)));
    CHECK(compare::same_bits(found[2], Array({}, all)));
  }
}

TEST_CASE("sums of the columns of an array without numbers add nothing") {
  Array none({0}), sums({3}, {1, 2, 3});
  add_column_sums(Array({4, 0}), none);
  add_column_sums(Array({0, 3}), sums);
  CHECK(compare::same_bits(sums, Array({3}, {1, 2, 3})));
}
