#include "layers/dense/output.h"

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace softalign::layers {

Readout::Readout(const Params& p, Kind chosen, std::size_t inputs, std::size_t l, const InitialiserConfig& init)
    : kind(chosen) {
  const std::size_t width = kind == Kind::maxout ? 2 * l : l;
  W = p.declare("W", {inputs, width}, init.input(1));
  b = p.declare("b", {width}, zeros());
}

Var Readout::operator()(const Var& s, const Var& c, const Var& y) const {
  const std::size_t last = s.shape().rank() - 1;
  Var t = affine(autograd::concat({s, c, y}, last), W, b);  // (.., 2l) or (.., l)
  if (kind == Kind::tanh) return tanh(std::move(t));
  std::vector<std::size_t> pairs(t.shape().begin(), t.shape().end());
  pairs.back() /= 2;
  pairs.push_back(2);
  return max(reshape(std::move(t), Shape(pairs)), last + 1);  // (.., l)
}

}  // namespace softalign::layers
