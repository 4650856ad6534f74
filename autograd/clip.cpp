#include "autograd/clip.h"

#include <cmath>

#include "autograd/gradient_pieces.h"
#include "autograd/node.h"

namespace autograd::inline SOFTALIGN_PRECISION {
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

}  // namespace

double global_norm(const Params& params) {
  const std::vector<Piece> pieces = gradient_pieces(params);
  std::vector<double> parts(pieces.size());
  for_each_piece(pieces, [&](std::size_t i) {
    parts[i] = square_sum(params.all()[pieces[i].parameter].var.grad().data() + pieces[i].begin, pieces[i].size);
  });
  double total = 0;
  for (double part : parts) total += part;
  return std::sqrt(total);
}

double clip_by_global_norm(const Params& params, double max_norm) {
  const double norm = global_norm(params);
  if (max_norm <= 0 || !std::isfinite(norm) || norm <= max_norm) return norm;
  const Real k = static_cast<Real>(max_norm / norm);
  for (const Parameter& p : params.all()) {
    Array& grad = p.var.node()->grad.sum;
    if (grad.defined() && !grad.sole_owner()) grad = grad.clone();  // b + c gives both the same dy
  }
  const std::vector<Piece> pieces = gradient_pieces(params);
  for_each_piece(pieces, [&](std::size_t i) {
    scale(params.all()[pieces[i].parameter].var.node()->grad.sum.data() + pieces[i].begin, k, pieces[i].size);
  });
  return norm;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
