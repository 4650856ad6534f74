// Memory that ops take over from temporaries: nothing that anybody can look at changes.
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace {

using namespace autograd;
using compare::same_bits;

}  // namespace

TEST_CASE("var: a temporary's numbers are spent, those that somebody can look at again are copied") {
  const auto memory = [](Var x) {
    const Real* const before = x.value().data();
    const Array spent = x.spend();
    CHECK(x.shape() == spent.shape());
    return std::pair(spent, spent.data() == before);
  };
  const Var a = variable(Array({1, 2}, {1, 2})), W = variable(Array({2, 2}, {1, 0, 0, 1}));
  CHECK(memory(matmul(a, W)).second);
  CHECK(same_bits(memory(matmul(a, W)).first, a.value()));
  const Var kept = matmul(a, W);
  CHECK_FALSE(memory(kept).second);
  CHECK_FALSE(memory(reshape(kept, {2})).second);       // shares kept's memory
  CHECK_FALSE(memory(tanh(a)).second);                  // its rule reads the output
  CHECK_FALSE(memory(variable(Array({1}, 1))).second);  // whoever made a variable may read it
  CHECK(same_bits(kept.value(), a.value()));
  const NoGrad no_grad;
  CHECK(memory(tanh(a)).second);
}

TEST_CASE("var: sums that reuse the memory of their terms have the same gradients") {
  const Var x = variable(Array({2}, {3, -2})), W = variable(Array({2, 2}, {1, 2, 3, 4}));
  const auto product = [&] { return matmul(reshape(x, {1, 2}), W); };
  const Var kept = product();
  const Var all = (product() + product()) + (kept + product()) + (product() + kept);
  CHECK(same_bits(kept.value(), product().value()));
  CHECK(same_bits(all.value(), (product() * Real(6)).value()));
  backward(sum(all));
  CHECK(same_bits(x.grad(), Array({2}, {18, 42})));
  CHECK(same_bits(W.grad(), Array({2, 2}, {18, 18, -12, -12})));
}
