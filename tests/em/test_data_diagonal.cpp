// The diagonal prior (Dyer, Chahuneau & Smith 2013).
#include "data/alignment/em/diagonal.h"

#include <cmath>
#include <numeric>

#include "tests/catch.h"

using namespace softalign;
using namespace data;

TEST_CASE("the closed forms of Z and of the mean of h equal sums over words") {
  for (const double lambda : {.01, 1., 4., 14., 100.}) {
    for (const size_t m : {1, 2, 5, 12}) {
      for (const size_t n : {1, 2, 3, 7, 40}) {
        for (size_t i = 1; i <= m; ++i) {
          double Z = 0, mean = 0;
          for (size_t j = 1; j <= n; ++j) {
            const double h = -std::abs(double(i) / double(m) - double(j) / double(n));
            Z += std::exp(lambda * h);
            mean += h * std::exp(lambda * h);
          }
          const Partition found = partition(lambda, i, m, n);
          CAPTURE(lambda, m, n, i);
          CHECK(found.Z == Approx(Z).epsilon(1e-10));
          CHECK(found.mean_h == Approx(mean / Z).epsilon(1e-8).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("the prior sums to 1, and gives p0 to the empty word and the rest to the diagonal") {
  std::vector<double> p = diagonal_prior({.lambda = 4, .p0 = .08}, 2, 4);  // i/m = 1/2, j/n = 1/4 1/2 3/4 1
  p.resize(5);                                                             // i = 1
  const double e = std::exp(-1), Z = 1 + 2 * e + e * e;
  CHECK(p[0] == .08);
  CHECK(p[1] == Approx(.92 * e / Z));
  CHECK(p[2] == Approx(.92 / Z));
  CHECK(p[3] == Approx(.92 * e / Z));
  CHECK(p[4] == Approx(.92 * e * e / Z));
  CHECK(std::accumulate(p.begin(), p.end(), 0.0) == Approx(1));
}

TEST_CASE("the best lambda for posteriors of a given lambda is this lambda") {
  for (const double lambda : {1., 5., 12.}) {
    DiagonalCounts counts;
    for (const auto& [m, n] : {std::pair<size_t, size_t>{3, 4}, {7, 5}, {10, 10}}) {
      counts.add(diagonal_prior({.lambda = lambda, .p0 = .3}, m, n), m, n);
    }
    CHECK(counts.best_lambda() == Approx(lambda).epsilon(1e-6));
  }
}
