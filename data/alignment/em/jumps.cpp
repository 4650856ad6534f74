#include "data/alignment/em/jumps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace data {
namespace {

size_t place(long jump) {
  constexpr long most = Jumps::longest;
  return static_cast<size_t>(std::clamp(jump, -most, most) + most);
}

}  // namespace

Jumps::Jumps() : s(2 * longest + 1), s1(longest + 1) {
  constexpr long most = longest;
  for (long d = -most; d <= most; ++d) at(d) = std::exp(-std::abs(static_cast<double>(d - 1)) / 2);
  for (size_t j = 0; j <= longest; ++j) s1[j] = std::exp(-static_cast<double>(j) / 2);
}

double& Jumps::at(long jump) { return s[place(jump)]; }
double Jumps::at(long jump) const { return s[place(jump)]; }

std::vector<double> Jumps::transitions(size_t n) const {
  std::vector<double> p(n * n);
  for (size_t from = 0; from < n; ++from) {
    double* row = &p[from * n];
    for (size_t j = 0; j < n; ++j) row[j] = at(static_cast<long>(j) - static_cast<long>(from));
    const double scale = (1 - p0) / std::accumulate(row, row + n, 0.0);
    for (size_t j = 0; j < n; ++j) row[j] *= scale;
  }
  return p;
}

std::vector<double> Jumps::first(size_t n) const {
  std::vector<double> p(n);
  for (size_t j = 0; j < n; ++j) p[j] = s1[std::min(j, longest)];
  const double scale = (1 - p0) / std::accumulate(p.begin(), p.end(), 0.0);
  for (double& each : p) each *= scale;
  return p;
}

void JumpTotals::add(const JumpCounts& counts) {
  const long n = static_cast<long>(counts.first.size());
  for (long d = 1 - n; d < n; ++d) s_[place(d)] += counts.jumps[static_cast<size_t>(d + n - 1)];
  for (size_t j = 0; j < counts.first.size(); ++j) s1_[std::min(j, Jumps::longest)] += counts.first[j];
}

Jumps JumpTotals::best(double p0) const {
  Jumps jumps;
  jumps.p0 = p0;
  std::transform(s_.begin(), s_.end(), jumps.s.begin(), [](double c) { return c + 0.5; });
  std::transform(s1_.begin(), s1_.end(), jumps.s1.begin(), [](double c) { return c + 0.5; });
  return jumps;
}

}  // namespace data
