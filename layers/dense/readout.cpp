#include "layers/dense/readout.h"

#include "autograd/choice.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace layers {

namespace {

const autograd::Choice<Readout::Kind>& kinds() {
  static const autograd::Choice<Readout::Kind> choice(
      "readout", {{"maxout", Readout::Kind::maxout}, {"tanh", Readout::Kind::tanh}});
  return choice;
}

}  // namespace

const std::vector<std::string>& known_readouts() { return kinds().names(); }

Readout::Readout(const Params& p, const std::string& name, std::size_t inputs, std::size_t l, const Scheme& init)
    : kind(kinds().at(name)) {
  const std::size_t width = kind == Kind::maxout ? 2 * l : l;
  W = p.declare("W", {inputs, width}, init.input(1));
  b = p.declare("b", {width}, zeros());
}

Var Readout::operator()(const Var& s, const Var& c, const Var& y) const {
  const Var t = affine(autograd::concat({s, c, y}, 1), W, b);  // (R, 2l) or (R, l)
  if (kind == Kind::tanh) return tanh(t);
  return max(reshape(t, {t.dim(0), t.dim(1) / 2, 2}), 2);  // (R, l)
}

}  // namespace layers
