#include "data/alignment/em/diagonal.h"

#include <cmath>

namespace softalign::data {
namespace {

struct Series {
  double sum, weighted;
};

// Ratio has the ratio r = exp(-x) of a geometric series, and q = 1 - r.
struct Ratio {
  double x, r, q;
  explicit Ratio(double x_) : x(x_), r(std::exp(-x_)), q(-std::expm1(-x_)) {}
};

// geometric computes sum_k g r^k and sum_k (a - k d) g r^k over k = 0 .. l-1 (l > 0), in closed form.
Series geometric(double g, double a, double d, const Ratio& ratio, std::size_t l) {
  const auto& [x, r, q] = ratio;
  const double count = static_cast<double>(l), rl = std::exp(-count * x);
  const double rest = -std::expm1(-count * x);  // 1 - r^l
  const double sum = g * rest / q;
  const double steps = g * (r * rest / q - count * rl) / q;  // sum_k k g r^k
  return {sum, a * sum - d * steps};
}

}  // namespace

double off_diagonal(std::size_t i, std::size_t j, std::size_t m, std::size_t n) {
  return -std::abs(static_cast<double>(i) / static_cast<double>(m) - static_cast<double>(j) / static_cast<double>(n));
}

Partition partition(double lambda, std::size_t i, std::size_t m, std::size_t n) {
  // up is the last source word on the left of the diagonal, or on the diagonal. The next word is on the right. Each
  // step away from the diagonal lowers the exponent by lambda / n.
  const std::size_t up = i * n / m;
  const double d = 1 / static_cast<double>(n);
  const Ratio ratio(lambda * d);
  Series left{0, 0}, right{0, 0};
  if (up > 0) {
    const double h = off_diagonal(i, up, m, n);
    left = geometric(std::exp(lambda * h), h, d, ratio, up);
  }
  if (up < n) {
    const double h = off_diagonal(i, up + 1, m, n);
    right = geometric(std::exp(lambda * h), h, d, ratio, n - up);
  }
  const double Z = left.sum + right.sum;
  return {Z, (left.weighted + right.weighted) / Z};
}

std::vector<double> diagonal_prior(const Diagonal& diagonal, std::size_t m, std::size_t n) {
  std::vector<double> delta(m * (n + 1));
  for (std::size_t i = 1; i <= m; ++i) {
    double* row = &delta[(i - 1) * (n + 1)];
    const double scale = (1 - diagonal.p0) / partition(diagonal.lambda, i, m, n).Z;
    row[0] = diagonal.p0;
    for (std::size_t j = 1; j <= n; ++j) row[j] = scale * std::exp(diagonal.lambda * off_diagonal(i, j, m, n));
  }
  return delta;
}

void DiagonalCounts::add(const std::vector<double>& posteriors, std::size_t m, std::size_t n) {
  std::vector<double>& linked = linked_[{m, n}];
  linked.resize(m);
  for (std::size_t i = 1; i <= m; ++i) {
    const double* p = &posteriors[(i - 1) * (n + 1)];
    for (std::size_t j = 1; j <= n; ++j) {
      h_ += p[j] * off_diagonal(i, j, m, n);
      linked[i - 1] += p[j];
    }
  }
}

double DiagonalCounts::best_lambda() const {
  double low = 0.01, high = 100;
  for (int halving = 0; halving < 40; ++halving) {
    const double lambda = (low + high) / 2;
    double gradient = h_;
    for (const auto& [lengths, linked] : linked_) {
      for (std::size_t i = 1; i <= linked.size(); ++i)
        gradient -= linked[i - 1] * partition(lambda, i, lengths.first, lengths.second).mean_h;
    }
    (gradient > 0 ? low : high) = lambda;
  }
  return (low + high) / 2;
}

}  // namespace softalign::data
