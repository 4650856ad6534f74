// A gradient check compares the gradient of backward() with finite differences. A finite difference changes one input a
// little and measures how much the function's value changes. In double precision, only a wrong backward rule fails the
// check.
//
//   auto check = gradcheck([](const std::vector<Var>& x) { return tanh(x[0] * x[1]); }, {a, b});
//   if (!check.ok) std::cerr << check.report;
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "autograd/params.h"
#include "autograd/var.h"

namespace softalign::autograd {

// gradcheck tests a function f whose result may have any shape. It turns the elements f_i of the result into one
// number, L = sum_i w_i f_i, with random weights w_i. For each element x_j of the inputs, it compares the derivative of
// backward(), called `analytic`, with a finite difference, called `numeric`.
//   numeric  = (L(x_j + h) - L(x_j - h)) / 2h      h = step max(1, |x_j|)
//   error    = |analytic - numeric| / max(|analytic|, |numeric|, floor)
//   floor    = epsilon^(2/3) max(1, sum_i |w_i f_i|) / tolerance
// The step is about epsilon^(1/3), where epsilon is the precision of the numbers. Such a step balances the rounding
// error of L against the error of replacing a derivative by a difference. Each of these errors is then about
// epsilon^(2/3), which is 4e-11 in double precision. A gradient below this size cannot be measured, so the formula has
// a floor.
struct GradcheckOptions {
  double tolerance = sizeof(Real) == 8 ? 1e-6 : 2e-2;
  double step = sizeof(Real) == 8 ? 6e-6 : 5e-3;
  std::size_t samples = 0;  // elements checked per input, drawn at random (half of them in touched rows); 0: all
  std::uint64_t seed = 1;   // seed of the weights w and of the samples
};

struct GradcheckResult {
  bool ok = true;
  double worst = 0;         // the largest error, as defined above
  std::size_t checked = 0;  // number of elements
  std::string report;       // if not ok: the ten worst elements, analytic against numeric
};

// Checks f with respect to each input that needs a gradient. f must return the same value when gradcheck calls it
// again. If f uses dropout, f must therefore seed dropout in every call. The inputs keep their values and have no
// gradient afterwards.
GradcheckResult gradcheck(const std::function<Var(const std::vector<Var>&)>& f, const std::vector<Var>& inputs,
                          const GradcheckOptions& options = {});

// Checks f with respect to each parameter in `params`, for example the parameters of a layer or a model. The report
// names the parameters.
GradcheckResult gradcheck(const Params& params, const std::function<Var()>& f, const GradcheckOptions& options = {});

}  // namespace softalign::autograd
