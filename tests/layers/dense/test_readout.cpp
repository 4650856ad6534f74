// The readout: compares maxout with PyTorch and tanh with its formula.
#include "layers/dense/output.h"

#include <cmath>

#include "autograd/gradcheck.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using autograd::concat;

}  // namespace

// Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, eq. 5.
TEST_CASE("the maxout readout equals PyTorch's, and the tanh readout its formula") {
  golden::Golden g("maxout");
  Params p{Random(4)};
  Readout maxout(p / "maxout", ReadoutKind::maxout, 9, 5, initialiser_config(InitialiserKind::standard));
  CHECK(maxout.W.shape() == Shape{9, 10});
  maxout.W = g("W");
  maxout.b = g("b");
  g.check({{"t", maxout(g("s"), g("c"), g("y"))}});

  const Readout squashed(p / "tanh", ReadoutKind::tanh, 9, 5, initialiser_config(InitialiserKind::standard));
  CHECK(squashed.W.shape() == Shape{9, 5});
  const Var t = squashed(g("s"), g("c"), g("y"));
  const Var before = affine(concat({g("s"), g("c"), g("y")}, 1), squashed.W, squashed.b);
  REQUIRE(t.shape() == Shape{3, 5});
  for (std::size_t i = 0; i < 15; ++i) CHECK(t.value()[i] == Approx(std::tanh(before.value()[i])));
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("the gradients of every readout equal central differences") {
  for (const auto& [name, kind] : names_of(ReadoutKind{})) {
    INFO(name);
    Params p{Random(5)};
    const Readout readout(p / "readout", kind, 5 + 4 + 2, 3, initialiser_config(InitialiserKind::standard));
    const Var s = p.declare("s", {4, 5}, normal(1)), c = p.declare("c", {4, 4}, normal(1));
    const Var y = p.declare("y", {4, 2}, normal(1));
    const auto check = autograd::gradcheck(p, [&] { return readout(s, c, y); });
    INFO(check.report);
    CHECK(check.ok);
    CHECK(check.worst < 1e-6);
  }
}
#endif
