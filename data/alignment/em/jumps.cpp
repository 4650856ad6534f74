#include "data/alignment/em/jumps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace softalign::data {
namespace {

std::size_t place(long jump) {
  constexpr long most = Jumps::longest;
  return static_cast<std::size_t>(std::clamp(jump, -most, most) + most);
}

}  // namespace

Jumps::Jumps() : s(2 * longest + 1), s1(longest + 1) {
  constexpr long most = longest;
  for (long d = -most; d <= most; ++d) at(d) = std::exp(-std::abs(static_cast<double>(d - 1)) / 2);
  for (std::size_t j = 0; j <= longest; ++j) s1[j] = std::exp(-static_cast<double>(j) / 2);
}

double& Jumps::at(long jump) { return s[place(jump)]; }
double Jumps::at(long jump) const { return s[place(jump)]; }

std::vector<double> Jumps::first(std::size_t n) const {
  std::vector<double> p(n);
  for (std::size_t j = 0; j < n; ++j) p[j] = s1[std::min(j, longest)];
  const double scale = (1 - p0) / std::accumulate(p.begin(), p.end(), 0.0);
  for (double& each : p) each *= scale;
  return p;
}

Transitions::Transitions(const Jumps& jumps, std::size_t n)
    : n_(n), width_(std::min(n, 2 * reach + 1)), p0_(jumps.p0), first_(jumps.first(n)), band_(n * width_) {
  constexpr long far = reach + 1;
  if (n > reach + 1) {
    left_.resize(n);
    right_.resize(n);
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* const band = &band_[k * width_];
    const std::size_t begin = low(k), size = high(k) - begin;
    for (std::size_t i = 0; i < size; ++i) band[i] = jumps.at(static_cast<long>(begin + i) - static_cast<long>(k));
    const double to_left = jumps.at(-far), to_right = jumps.at(far);
    double sum = std::accumulate(band, band + size, 0.0);
    sum += static_cast<double>(begin) * to_left + static_cast<double>(n - high(k)) * to_right;
    const double scale = (1 - jumps.p0) / sum;
    for (std::size_t i = 0; i < size; ++i) band[i] *= scale;
    if (left_.empty()) continue;
    left_[k] = to_left * scale;
    right_[k] = to_right * scale;
  }
}

double Transitions::operator()(std::size_t from, std::size_t to) const {
  if (to < low(from)) return left_[from];
  return to < high(from) ? row(from)[to - low(from)] : right_[from];
}

void Transitions::forward(const std::vector<double>& x, std::vector<double>& y) const {
  y.assign(n_, 0);
  for (std::size_t k = 0; k < n_; ++k) {
    const double* const band = row(k);
    const std::size_t begin = low(k), size = high(k) - begin;
    double* const to = &y[begin];
    for (std::size_t i = 0; i < size; ++i) to[i] += x[k] * band[i];
  }
  double from_left = 0, from_right = 0;
  for (std::size_t j = reach + 1; j < n_; ++j) {
    from_left += x[j - reach - 1] * right_[j - reach - 1];
    y[j] += from_left;
  }
  for (std::size_t j = n_ > reach + 1 ? n_ - reach - 1 : 0; j-- > 0;) {
    from_right += x[j + reach + 1] * left_[j + reach + 1];
    y[j] += from_right;
  }
}

void Transitions::backward(const std::vector<double>& x, double* __restrict y) const {
  for (std::size_t k = 0; k < n_; ++k) {
    const double* const band = row(k);
    const std::size_t begin = low(k), size = high(k) - begin;
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += band[i] * x[begin + i];
    y[k] = sum;
  }
  double on_left = 0, on_right = 0;
  for (std::size_t k = reach + 1; k < n_; ++k) y[k] += left_[k] * (on_left += x[k - reach - 1]);
  for (std::size_t k = n_ > reach + 1 ? n_ - reach - 1 : 0; k-- > 0;)
    y[k] += right_[k] * (on_right += x[k + reach + 1]);
}

void Transitions::count(const double* x, const std::vector<double>& y, std::vector<double>& jumps) const {
  for (std::size_t k = 0; k < n_; ++k) {
    const double* const band = row(k);
    const std::size_t begin = low(k), size = high(k) - begin;
    double* const to = &jumps[begin + n_ - 1 - k];
    for (std::size_t i = 0; i < size; ++i) to[i] += x[k] * band[i] * y[begin + i];
  }
  double on_left = 0, on_right = 0;
  for (std::size_t k = reach + 1; k < n_; ++k) jumps.front() += x[k] * left_[k] * (on_left += y[k - reach - 1]);
  for (std::size_t k = n_ > reach + 1 ? n_ - reach - 1 : 0; k-- > 0;)
    jumps.back() += x[k] * right_[k] * (on_right += y[k + reach + 1]);
}

void JumpTotals::add(const JumpCounts& counts) {
  const long n = static_cast<long>(counts.first.size());
  for (long d = 1 - n; d < n; ++d) s_[place(d)] += counts.jumps[static_cast<std::size_t>(d + n - 1)];
  for (std::size_t j = 0; j < counts.first.size(); ++j) s1_[std::min(j, Jumps::longest)] += counts.first[j];
}

Jumps JumpTotals::best(double p0) const {
  Jumps jumps;
  jumps.p0 = p0;
  std::transform(s_.begin(), s_.end(), jumps.s.begin(), [](double c) { return c + 0.5; });
  std::transform(s1_.begin(), s1_.end(), jumps.s1.begin(), [](double c) { return c + 0.5; });
  return jumps;
}

}  // namespace softalign::data
