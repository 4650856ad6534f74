// Random orthogonal matrices: Q of the unique QR factorisation of a matrix of normal numbers, with and without LAPACK.
#include "autograd/orthogonal.h"

#include <cmath>
#include <vector>

#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("random_orthogonal: Q' Q = 1, and Q' A is triangular with a positive diagonal") {
  const std::size_t n = GENERATE(1, 2, 7, 33);
  Random random(5), same(5);
  std::vector<double> a(n * n);  // in column order, as random_orthogonal samples it
  for (double& x : a) x = same.normal();
  const Array q = random_orthogonal(n, random);
  constexpr double tolerance = 1e-5;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double product = 0, r = 0;
      for (std::size_t k = 0; k < n; ++k) {
        product += static_cast<double>(q[k * n + i]) * static_cast<double>(q[k * n + j]);
        r += static_cast<double>(q[k * n + i]) * a[j * n + k];
      }
      INFO("n " << n << ", row " << i << ", column " << j);
      CHECK(std::abs(product - (i == j ? 1 : 0)) < tolerance);
      if (i == j) CHECK(r > 0);
      else if (i > j) CHECK(std::abs(r) < tolerance);
    }
}
