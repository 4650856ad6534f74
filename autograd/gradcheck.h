// A gradient check compares the gradient of backward() with central finite differences of the function. In double
// precision, only a wrong backward rule fails it.
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

// The result of f may have any shape: the check differentiates L = sum_i w_i f_i with random w. For each element x_j,
//   numeric  = (L(x_j + h) - L(x_j - h)) / 2h      h = step max(1, |x_j|)
//   error    = |analytic - numeric| / max(|analytic|, |numeric|, floor)
//   floor    = epsilon^(2/3) max(1, sum_i |w_i f_i|) / tolerance
// The step epsilon^(1/3) balances the rounding error of L against the error of the third derivative. Both errors are
// then about epsilon^(2/3) (4e-11 in double). Smaller gradients cannot be measured, so there is a floor.
struct GradcheckOptions {
  double tolerance = sizeof(Real) == 8 ? 1e-6 : 2e-2;
  double step = sizeof(Real) == 8 ? 6e-6 : 5e-3;
  std::size_t samples = 0;  // elements checked per input, drawn at random (half of them in touched rows); 0: all
  std::uint64_t seed = 1;   // of w and of the samples
};

struct GradcheckResult {
  bool ok = true;
  double worst = 0;         // the largest error, as defined above
  std::size_t checked = 0;  // elements
  std::string report;       // if not ok: the ten worst elements, analytic against numeric
};

// Checks f with respect to each input that needs a gradient. f must give the same value when it is called twice, so
// reseed dropout inside. The inputs keep their values and have no gradient afterwards.
GradcheckResult gradcheck(const std::function<Var(const std::vector<Var>&)>& f, const std::vector<Var>& inputs,
                          const GradcheckOptions& options = {});

// Checks a function that uses parameters (a layer or a model) with respect to each of them. The report names them.
GradcheckResult gradcheck(const Params& params, const std::function<Var()>& f, const GradcheckOptions& options = {});

}  // namespace softalign::autograd
