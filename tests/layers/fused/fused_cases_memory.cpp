// A memory of positions is addressed and written.
#include <cmath>

#include "autograd/ops/softmax.h"
#include "layers/addressing/addressing.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

namespace fused_cases {

using compare::random_array;

namespace {

struct Sizes {
  std::size_t N, R, W, shifts;
  std::string name;
};
// Odd widths, one position, no row, more shifts than positions, several threads.
std::vector<Sizes> sizes() {
  return {{1, 1, 1, 1, " one of each"},  {5, 2, 3, 3, " places"},
          {7, 3, 17, 5, " five shifts"}, {2, 2, 4, 5, " two places to go round"},
          {6, 0, 3, 3, " no row"},       {33, 60, 20, 3, " several threads"}};
}

// Beta and gamma are positive, and the others lie in (0, 1). Shifts and the previous weights sum to 1.
struct SyntheticExample {
  Random random;
  Var any(const Shape& shape) { return variable(random_array(shape, random)); }
  Var between(const Shape& shape, double low, double high) {
    Array x(shape);
    for (Real& number : x.span()) number = static_cast<Real>(low + (high - low) * random.uniform());
    return variable(x);
  }
  Var distribution(const Shape& shape) { return variable(softmax(any(shape)).value()); }
};

}  // namespace

Cases addressing_cases() {
  Cases cases;
  for (const Sizes& z : sizes()) {
    SyntheticExample draw{Random(z.N + 7 * z.W)};
    const Var k = draw.any({z.R, z.W}), beta = draw.between({z.R, 1}, 0.2, 4), g = draw.between({z.R, 1}, 0.1, 0.9),
              s = draw.distribution({z.R, z.shifts}), gamma = draw.between({z.R, 1}, 1, 3),
              before = draw.distribution({z.R, z.N}), M = draw.any({z.N, z.R, z.W});
    cases.push_back({z.name, {k, beta, g, s, gamma, before, M}, [](const Inputs& x) {
                       return address({x[0], x[1], x[2], x[3], x[4]}, x[5], x[6]);
                     }});
  }
  return cases;
}

Cases memory_write_cases() {
  Cases cases;
  for (const Sizes& z : sizes()) {
    SyntheticExample draw{Random(z.N + 9 * z.W)};
    const Var M = draw.any({z.N, z.R, z.W}), w = draw.distribution({z.R, z.N}), e = draw.between({z.R, z.W}, 0, 1),
              a = draw.any({z.R, z.W});
    cases.push_back({z.name, {M, w, e, a}, [](const Inputs& x) { return memory_write(x[0], x[1], x[2], x[3]); }});
  }
  return cases;
}

}  // namespace fused_cases
