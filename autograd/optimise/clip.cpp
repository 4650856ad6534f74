#include "autograd/optimise/clip.h"

#include <cmath>

#include "autograd/optimise/gradient_pieces.h"

namespace softalign::autograd {
namespace {

double square_sum(const Real* __restrict g, std::size_t n) {
  double s = 0;
#pragma omp simd reduction(+ : s)
  for (std::size_t i = 0; i < n; ++i) s += static_cast<double>(g[i]) * static_cast<double>(g[i]);
  return s;
}

void scale(Real* __restrict g, Real k, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) g[i] *= k;
}

double norm(const std::vector<Piece>& pieces) {
  std::vector<double> parts(pieces.size());
  for_each_piece(pieces, [&](std::size_t i) { parts[i] = square_sum(pieces[i].gradient, pieces[i].size); });
  double total = 0;
  for (double part : parts) total += part;
  return std::sqrt(total);
}

}  // namespace

double global_norm(const Params& params) { return norm(gradient_pieces(params)); }

double clip_by_global_norm(const Params& params, double max_norm) {
  const std::vector<Piece> pieces = gradient_pieces(params);
  const double before = norm(pieces);
  if (max_norm <= 0 || !std::isfinite(before) || before <= max_norm) return before;
  const Real k = static_cast<Real>(max_norm / before);
  for_each_piece(pieces, [&](std::size_t i) { scale(pieces[i].gradient, k, pieces[i].size); });
  return before;
}

}  // namespace softalign::autograd
