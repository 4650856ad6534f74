// gemm is the single entry point for matrix products. These tests compare it with three nested loops, for transposes,
// strides, sizes of zero and one, adding and overwriting.
#include <limits>
#include <tuple>

#include "autograd/kernels/gemm.h"
#include "autograd/kernels/internal/packed_gemm.h"
#include "autograd/memory.h"
#include "autograd/threads/blas.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;

Real element(const MatrixView& a, std::size_t i, std::size_t j) {
  return a.transposed ? a.data[j * a.stride + i] : a.data[i * a.stride + j];
}

constexpr Real untouched = 77;

// A (rows, columns) matrix within wider rows. A product must neither read nor write the NaNs around it.
MatrixView inside(Array& memory, std::size_t rows, std::size_t columns, std::size_t margin, bool transposed,
                  Random& random) {
  const std::size_t stored_rows = transposed ? columns : rows, stored_columns = transposed ? rows : columns;
  memory = Array({stored_rows + 1, stored_columns + margin}, std::numeric_limits<Real>::quiet_NaN());
  const MatrixView all = matrix(memory);
  for (std::size_t i = 0; i < stored_rows; ++i)
    for (std::size_t j = 0; j < stored_columns; ++j) memory[i * all.stride + j] = static_cast<Real>(random.normal());
  MatrixView part = autograd::rows(autograd::columns(all, 0, stored_columns), 0, stored_rows);
  part.transposed = transposed;
  return part;
}

double product(const MatrixView& a, const MatrixView& b, std::size_t i, std::size_t j, std::size_t k) {
  double sum = 0;
  for (std::size_t l = 0; l < k; ++l)
    sum += static_cast<double>(element(a, i, l)) * static_cast<double>(element(b, l, j));
  return sum;
}

// Compares multiply(a, b, c, stride, into) with three loops, for all transposes, strides and ways to write.
template <class Multiply>
void require_product(std::size_t m, std::size_t n, std::size_t k, Random& random, const Multiply& multiply) {
  for (const bool ta : {false, true})
    for (const bool tb : {false, true})
      for (const std::size_t margin : {0, 5})
        for (const Into into : {Into::overwrite, Into::add}) {
          INFO("m " << m << " n " << n << " k " << k << " a' " << ta << " b' " << tb << " margin " << margin << " add "
                    << (into == Into::add));
          Array a_memory, b_memory;
          const MatrixView a = inside(a_memory, m, k, margin, ta, random),
                           b = inside(b_memory, k, n, margin, tb, random);
          const std::size_t stride = n + margin;
          Array c({m, stride}, untouched);
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j)
              c[i * stride + j] = into == Into::add ? Real(i + j) : std::numeric_limits<Real>::quiet_NaN();
          multiply(a, b, c.data(), stride, into);
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < stride; ++j) {
              const double before = into == Into::add ? static_cast<double>(i + j) : 0;
              const double expected = j < n ? before + product(a, b, i, j, k) : untouched;
              REQUIRE(c[i * stride + j] == Approx(expected).margin(sizeof(Real) == 8 ? 1e-12 : 1e-4));
            }
        }
}

}  // namespace

TEST_CASE("gemm: products equal plain loops") {
  Random random(1);
  for (const std::size_t m : {0, 1, 2, 7, 33})
    for (const std::size_t n : {0, 1, 3, 17, 101})
      for (const std::size_t k : {0, 1, 2, 19})
        require_product(m, n, k, random,
                        [](const MatrixView& a, const MatrixView& b, Real* c, std::size_t stride, Into into) {
                          gemm(a, b, c, stride, into);
                        });
}

TEST_CASE("plain products: they equal plain loops in double, with or without the kernels") {
  Random random(1);
  for (const std::size_t m : {0, 1, 7})
    for (const std::size_t n : {0, 1, 17})
      for (const std::size_t k : {0, 1, 19}) require_product(m, n, k, random, plain_products.gemm);
  const Array x = compare::random_array({2, 3, 4}, random), dy = compare::random_array({2, 3, 5}, random);
  const Var plain = variable(Array({4, 5}, 1)), fast = variable(Array({4, 5}, 1)), fixed = constant(Array({4, 5}, 1));
  for (int uses = 1; uses <= 2; ++uses) {
    plain_products.add_weight_gradient(plain, x, dy);
    kernel_products.add_weight_gradient(fast, x, dy);
    CHECK(compare::relative_error(plain.grad(), fast.grad()) < 1e-5);
  }
  plain_products.add_weight_gradient(fixed, x, dy);
  CHECK_FALSE(fixed.grad().defined());
  Array y({2, 3, 5}, 7), z({2, 3, 5}, 7);
  for (const Into into : {Into::overwrite, Into::add}) {
    plain_products.gemm_by_weight(matrix(x), plain, matrix(plain.value()), y, into);
    kernel_products.gemm_by_weight(matrix(x), fast, matrix(fast.value()), z, into);
    CHECK(compare::relative_error(y, z) < 1e-5);
  }
  CHECK_THROWS_AS(plain_products.gemm(matrix(x), matrix(x), y.data(), 5, Into::add), std::invalid_argument);
}

TEST_CASE("gemm: many rows are multiplied by a matrix that is too large for packing") {
  Random random(1);
  Array a_memory, b_memory;
  const MatrixView a = inside(a_memory, 33, 513, 0, false, random), b = inside(b_memory, 513, 520, 0, false, random);
  Array c({33, 520});
  gemm(a, b, c.data(), 520, Into::overwrite);
  for (const std::size_t i : {0, 17, 32})
    for (const std::size_t j : {0, 100, 519})
      CHECK(c[i * 520 + j] == Approx(product(a, b, i, j, 513)).margin(sizeof(Real) == 8 ? 1e-11 : 1e-3));
}

TEST_CASE("gemm: on many threads, one row by a large transposed matrix and a small product are right") {
  Random random(1);
  const int before = threads();
  for (const auto& [m, n, k] : {std::tuple{1, 1020, 1030}, std::tuple{20, 30, 40}}) {
    Array a_memory, b_memory;
    const MatrixView a = inside(a_memory, m, k, 0, false, random), b = inside(b_memory, k, n, 0, true, random);
    Array c({a.rows, b.rows});
    set_threads(4);
    gemm(a, b, c.data(), n, Into::overwrite);
    set_threads(before);
    for (std::size_t i = 0; i < c.size(); ++i)
      REQUIRE(c[i] == Approx(product(a, b, i / n, i % n, k)).margin(sizeof(Real) == 8 ? 1e-11 : 1e-3));
  }
}

TEST_CASE("gemm: a packed factor gives the same product for any remainder of rows and columns") {
  Random random(2);
  for (const std::size_t m : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16})
    for (const std::size_t n : {0, 1, 16, 17, 33, 48, 49, 100})
      for (const std::size_t k : {0, 1, 19})
        require_product(m, n, k, random,
                        [&](const MatrixView& a, const MatrixView& b, Real* c, std::size_t stride, Into into) {
                          const Factor many = factor(b, m);
                          REQUIRE(many.panels.defined() == (m > 1 && n > 0 && k > 0));
                          gemm(a, many, c, stride, into);
                        });
}

TEST_CASE("gemm: a packed factor that is split into parts gives the same product") {
  Random random(6);
  for (const std::size_t k : {1024, 1025, 2100})
    require_product(3, 50, k, random,
                    [&](const MatrixView& a, const MatrixView& b, Real* c, std::size_t stride, Into into) {
                      gemm(a, factor(b, 3), c, stride, into);
                    });
}

TEST_CASE("gemm: few rows have the same bits with an unpacked matrix as with a packed one") {
  Random random(5);
  for (const std::size_t m : {1, 2, 4, 5, 8, 9, 11})
    for (const std::size_t n : {1, 15, 16, 47, 48, 100, 128, 333}) {
      const Array a = compare::random_array({m, 23}, random), b = compare::random_array({23, n}, random);
      const Array start = compare::random_array({m, n}, random);
      for (const Into into : {Into::overwrite, Into::add}) {
        Array once = start.clone(), many = start.clone();
        multiply_few_rows(matrix(a), matrix(b), once.data(), n, into);
        multiply_panels(matrix(a), pack_panels(matrix(b)), n, many.data(), n, into);
        CHECK(compare::same_bits(once, many));
      }
    }
}

TEST_CASE("gemm: rows in several calls have the same bits as in one call") {
  Random random(8);
  for (const std::size_t width : {1, 3, 16})
    for (const std::size_t m : {1, 8, 13})
      for (const std::size_t n : {1, 24, 60}) {
        const Array pieces = compare::random_array({4, m, width}, random);
        Array whole({m, 3 * width});
        const std::size_t order[] = {2, 0, 3};
        std::vector<const Real*> lie;
        for (std::size_t q = 0; q < 3; ++q) {
          lie.push_back(pieces.data() + order[q] * m * width);
          for (std::size_t i = 0; i < m; ++i)
            std::copy_n(lie[q] + i * width, width, whole.data() + (i * 3 + q) * width);
        }
        const Array b = compare::random_array({3 * width, n}, random), start = compare::random_array({m, n}, random);
        const Factor many{matrix(b), pack_panels(matrix(b))};
        for (const Into into : {Into::overwrite, Into::add}) {
          Array one = start.clone(), apart = start.clone();
          multiply_panels(matrix(whole), many.panels, n, one.data(), n, into);
          gemm(Pieces{lie.data(), 3, m, width}, many, apart.data(), n, into);
          CHECK(compare::same_bits(one, apart));
        }
      }
  const Array b = zeros({5, 2});
  CHECK_THROWS_AS(gemm(Pieces{nullptr, 2, 1, 3}, factor(matrix(b), 2), nullptr, 2, Into::add), std::invalid_argument);
  CHECK_THROWS_AS(gemm(Pieces{nullptr, 1, 1, 5}, factor(matrix(b), 1), nullptr, 2, Into::add), std::invalid_argument);
}

TEST_CASE("gemm: one row has the same product along the rows of a matrix as down its columns") {
  Random random(7);
  for (const std::size_t k : {1, 8, 23, 64})
    for (const std::size_t n : {1, 15, 33, 999, 20001}) {
      const Array a = compare::random_array({k, 3}, random), wide = compare::random_array({k, n + 5}, random);
      const MatrixView row = t(columns(matrix(a), 1, 2)), b = columns(matrix(wide), 2, n + 2);
      const Array start = compare::random_array({n}, random), zero = zeros({n});
      Array down = zero.clone(), along = start.clone(), added = start.clone();
      multiply_few_rows(row, b, down.data(), n, Into::overwrite);
      multiply_one_row(row, b, along.data(), Into::overwrite);
      CHECK(compare::relative_error(along, down) <
            2e-6);  // the compiler decides whether a product is fused with its addition
      multiply_one_row(row, b, added.data(), Into::add);
      for (std::size_t j = 0; j < n; ++j) along[j] += start[j];
      CHECK(compare::relative_error(added, along) < 1e-5);
    }
}

TEST_CASE("gemm: a large factor that is packed in parts takes little memory") {
  Random random(8);
  const std::size_t m = 40, k = 1100, n = 333;
  const Array a = compare::random_array({m, k}, random), b = compare::random_array({k, n}, random);
  const Array turned = compare::random_array({n, k}, random), start = compare::random_array({m, n}, random);
  for (const MatrixView& right : {matrix(b), t(matrix(turned))})
    for (const Into into : {Into::overwrite, Into::add}) {
      Array whole = start.clone(), parts = start.clone();
      multiply_panels(matrix(a), pack_panels(right), n, whole.data(), n, into);
      forget_most_array_bytes();
      const std::size_t before = array_bytes().now;
      multiply_in_parts(matrix(a), right, parts.data(), n, into);
      CHECK(compare::relative_error(parts, whole) < 1e-5);
      CHECK(array_bytes().most - before <= (sizeof(Real) << 15) * static_cast<std::size_t>(threads()));
    }
}

// The number of columns times the number of parts exceeds 32 bits, which is the size of an index in a browser build.
TEST_CASE("gemm: one row of six million columns has each column once") {
  const std::size_t n = std::size_t{3} << 21;
  const Array two({1, 1}, 2);
  Array b({1, n}), c({1, n}, untouched);
  for (std::size_t j = 0; j < n; ++j) b[j] = static_cast<Real>(j % 1000);
  multiply_one_row(matrix(two), matrix(b), c.data(), Into::overwrite);
  std::size_t wrong = 0;
  for (std::size_t j = 0; j < n; ++j) wrong += c[j] != 2 * b[j];
  CHECK(wrong == 0);
}

TEST_CASE("gemm: a row of a product with a packed factor does not depend on the other rows") {
  Random random(3);
  Array a({11, 37}), b({37, 53});
  for (Array* x : {&a, &b})
    for (Real& v : x->span()) v = static_cast<Real>(random.normal());
  const Factor many = factor(matrix(b), 11);
  Array all({11, 53}), two({2, 53});
  gemm(matrix(a), many, all, Into::overwrite);
  for (std::size_t row = 0; row + 2 <= 11; ++row) {
    gemm(rows(matrix(a), row, row + 2), many, two, Into::overwrite);
    for (std::size_t j = 0; j < 2 * 53; ++j) REQUIRE(two[j] == all[row * 53 + j]);
  }
}

TEST_CASE("gemm: an array is read as rows of its last axis") {
  CHECK(matrix(Array({2, 3, 4}, 0)).rows == 6);
  CHECK(matrix(Array({2, 3, 4}, 0)).columns == 4);
  CHECK(matrix(Array({2, 0}, 0)).rows == 2);
  CHECK(matrix(Array({5}, 0)).rows == 1);
  CHECK(matrix(Array({}, 0)).columns == 1);
}

TEST_CASE("gemm: incompatible sizes are refused") {
  const Array a({2, 3}, 1), b({4, 5}, 1);
  Array c({2, 5}, 0);
  CHECK_THROWS_WITH(gemm(matrix(a), matrix(b), c, Into::overwrite), Catch::Contains("(2, 3) and (4, 5)"));
  CHECK_THROWS_WITH(gemm(t(matrix(a)), matrix(b), c.data(), 5, Into::overwrite), Catch::Contains("(3, 2) and (4, 5)"));
  const Array d({3, 5}, 1);
  Array wrong({2, 4}, 0);
  CHECK_THROWS_WITH(gemm(matrix(a), matrix(d), wrong, Into::overwrite),
                    Catch::Contains("(2, 5)") && Catch::Contains("(2, 4)"));
  CHECK_THROWS_WITH(gemm(matrix(a), factor(matrix(b), 2), c, Into::overwrite), Catch::Contains("(2, 3) and (4, 5)"));
  CHECK_THROWS_WITH(gemm(matrix(a), factor(matrix(d), 2), wrong, Into::overwrite), Catch::Contains("(2, 4)"));
}
