// Gradient check: what backward() computes against central differences of the function itself. In double only a wrong
// rule fails it.
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

// The function f may have any shape: L = sum_i w_i f_i with random w is what is differentiated. Per element x_j
//   numeric  = (L(x_j + h) - L(x_j - h)) / 2h      h = step max(1, |x_j|)
//   error    = |analytic - numeric| / max(|analytic|, |numeric|, floor)
//   floor    = epsilon^(2/3) max(1, sum_i |w_i f_i|) / tolerance
// The step epsilon^(1/3) balances the rounding of L against the third derivative; what is left of both is about
// epsilon^(2/3) (4e-11 in double), below which no difference quotient can be read: hence the floor.
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

// Of f by each input that needs a gradient. f must give the same value when called twice (reseed dropout inside).
// The inputs come back unchanged and without a gradient.
GradcheckResult gradcheck(const std::function<Var(const std::vector<Var>&)>& f, const std::vector<Var>& inputs,
                          const GradcheckOptions& options = {});

// Of a function that closes over parameters (a layer, a whole model) by each of them; reported by name.
GradcheckResult gradcheck(const Params& params, const std::function<Var()>& f, const GradcheckOptions& options = {});

}  // namespace softalign::autograd
