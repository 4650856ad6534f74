// These tests check how the primitive ops refuse shapes and ids that do not fit. The message names the op and its
// arguments.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops/distances.h"
#include "autograd/ops/dropout.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/rotary.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

TEST_CASE("ops: errors name the op and both shapes") {
  const auto v = [](const Shape& s) { return constant(Array(s, 1)); };
  using Contains = std::vector<std::string>;
  const std::vector<std::pair<std::function<void()>, Contains>> wrong{
      {[&] {
         v({2, 3}) + v({2});
       },
       {"add", "(2, 3)", "(2)"}},
      {[&] {
         v({2, 3}) - v({4, 3});
       },
       {"sub", "(2, 3)", "(4, 3)"}},
      {[&] {
         v({2, 3}) * v({3, 2});
       },
       {"mul", "(2, 3)", "(3, 2)"}},
      {[&] {
         v({0, 3}) / v({2, 3});
       },
       {"div", "(0, 3)", "(2, 3)"}},
      {[&] {
         distances(v({2, 3}), v({4, 2}));
       },
       {"distances", "(2, 3)", "(4, 2)"}},
      {[&] {
         distances(v({3}), v({4, 3}));
       },
       {"distances", "(3)", "(4, 3)"}},
      {[&] {
         distances(v({2, 3}), v({3}));
       },
       {"distances", "(2, 3)", "(3)"}},
      {[&] {
         matmul(v({2, 3}), v({4, 5}));
       },
       {"matmul", "x (2, 3)", "W (4, 5)"}},
      {[&] {
         matmul(v({2, 3}), v({3}));
       },
       {"matmul", "(2, 3)", "(3)"}},
      {[&] {
         matmul(v({}), v({1, 1}));
       },
       {"matmul", "()", "(1, 1)"}},
      {[&] {
         matmul_transposed(v({2, 3}), v({3, 2}));
       },
       {"matmul_transposed", "(2, 3)", "(3, 2)"}},
      {[&] {
         affine(v({2, 3}), v({4, 5}), v({5}));
       },
       {"affine", "(2, 3)", "(4, 5)"}},
      {[&] {
         affine(v({2, 3}), v({3, 5}), v({4}));
       },
       {"affine", "(3, 5)", "(4)"}},
      {[&] {
         batched_matmul(v({2, 3, 4}), v({2, 3, 4}));
       },
       {"batched_matmul", "(2, 3, 4)"}},
      {[&] {
         batched_matmul(v({2, 3, 4}), v({3, 4, 2}));
       },
       {"batched_matmul", "(2, 3, 4)", "(3, 4, 2)"}},
      {[&] {
         reshape(v({2, 3}), {4});
       },
       {"reshape", "(2, 3)", "(4)"}},
      {[&] {
         transpose(v({2, 3}), {0, 0});
       },
       {"transpose", "0, 0", "(2, 3)"}},
      {[&] { transpose(v({3})); }, {"transpose", "(3)"}},
      {[&] {
         slice(v({2, 3}), 1, 2, 4);
       },
       {"slice", "[2, 4)", "(2, 3)"}},
      {[&] {
         slice(v({2, 3}), 2, 0, 1);
       },
       {"slice", "axis 2", "(2, 3)"}},
      {[&] {
         concat({v({2, 3}), v({3, 3})}, 1);
       },
       {"concat", "(2, 3)", "(3, 3)"}},
      {[&] { concat({}, 0); }, {"concat"}},
      {[&] {
         concat({v({2, 3}), v({2, 3})}, 2);
       },
       {"concat", "(2, 3)", "axis 2"}},
      {[&] {
         concat({v({2, 3}), v({2})}, 1);
       },
       {"concat", "(2, 3)", "(2)"}},
      {[&] { stack({}); }, {"stack"}},
      {[&] {
         stack({v({2}), v({3})});
       },
       {"stack", "(2)", "(3)"}},
      {[&] {
         at(v({2, 3}), 2);
       },
       {"at", "2", "(2, 3)"}},
      {[&] { at(v({}), 0); }, {"at", "()"}},
      {[&] {
         gather(v({2, 3}), {2});
       },
       {"gather", "2", "(2, 3)"}},
      {[&] {
         gather(v({2, 3}), {-1});
       },
       {"gather", "-1", "(2, 3)"}},
      {[&] { gather(v({}), {0}); }, {"gather"}},
      {[&] {
         sum(v({2, 3}), {2});
       },
       {"sum", "axis 2", "(2, 3)"}},
      {[&] {
         mean(v({0, 3}), {0});
       },
       {"mean", "(0, 3)"}},
      {[&] {
         max(v({2, 0}), 1);
       },
       {"max", "axis 1", "(2, 0)"}},
      {[&] { softmax(v({})); }, {"softmax", "scalar"}},
      {[&] {
         softmax(v({2, 3}), Array({2}, 1));
       },
       {"softmax", "(2)", "(2, 3)"}},
      {[&] {
         log_softmax(v({2, 3}), Array({4, 2, 3}, 1));
       },
       {"log_softmax", "(4, 2, 3)", "(2, 3)"}},
      {[&] {
         cross_entropy(v({2, 3}), {1});
       },
       {"cross_entropy", "(2, 3)", "1 targets"}},
      {[&] { cross_entropy(v({6}), {1}); }, {"cross_entropy", "(6)"}},
      {[&] {
         cross_entropy(v({2, 3}), {1, 3});
       },
       {"cross_entropy", "target 3", "row 1", "0 .. 2"}},
      {[&] {
         cross_entropy(v({2, 3}), {-1, 1});
       },
       {"cross_entropy", "target -1", "row 0"}},
      {[&] {
         cross_entropy(v({2, 3}), {1, 1}, {1.0});
       },
       {"cross_entropy", "smoothing"}},
      {[&] {
         cross_entropy(v({2, 3}), {1, 1}, {-0.5});
       },
       {"cross_entropy", "smoothing"}},
      {[&] {
         Random r;
         dropout(v({2}), 1, r);
       },
       {"dropout", "1"}},
      {[&] {
         Random r;
         dropout(v({2}), -1, r);
       },
       {"dropout", "-1"}},
      {[&] {
         rotary(v({2, 3, 4}), Array({2, 3}, 1), Array({2, 3}, 0));
       },
       {"rotary", "(2, 3, 4)", "(2, 3)"}},
      {[&] {
         rotary(v({2, 3, 4}), Array({1, 2}, 1), Array({1, 2}, 0));
       },
       {"rotary", "(2, 3, 4)", "(1, 2)"}},
      {[&] {
         rotary(v({2, 12}), Array({2, 2}, 1), Array({2, 2}, 0));
       },
       {"rotary", "(2, 12)", "(2, 2)"}},
      {[&] {
         rotary(v({2, 3, 4}), Array({2}, 1), Array({2}, 0));
       },
       {"rotary", "(2, 3, 4)", "(2)"}},
      {[&] {
         rotary(v({2, 3, 4}), Array({2, 2}, 1), Array({2, 1}, 0));
       },
       {"rotary", "(2, 2)", "(2, 1)"}},
      {[&] {
         rotary(v({2, 3, 4}), Array({2, 0}), Array({2, 0}));
       },
       {"rotary", "(2, 3, 4)", "(2, 0)"}},
      {[&] {
         slice(v({2, 3}), 1, 2, 1);
       },
       {"slice", "[2, 1)", "(2, 3)"}},
      {[&] {
         batched_matmul(v({2, 3}), v({2, 3, 4}));
       },
       {"batched_matmul", "(2, 3)"}},
      {[&] {
         batched_matmul(v({2, 3, 4}), v({4, 2}));
       },
       {"batched_matmul", "(4, 2)"}},
      {[&] {
         Array a({2, 3}, 1);
         add_into(a, Array({3, 2}, 1));
       },
       {"add_into", "(2, 3)", "(3, 2)"}},
      {[&] {
         Shape({1, 2, 3, 4, 5});
       },
       {"5 axes"}},
      {[&] { Array({2}, std::vector<Real>{1}); }, {"(2)", "got 1"}},
  };
  for (const auto& [f, parts] : wrong) {
    INFO(parts.front() << " " << parts.back());
    try {
      f();
      FAIL("no error");
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      for (const std::string& part : parts) {
        INFO(message << " lacks " << part);
        CHECK(message.find(part) != std::string::npos);
      }
    }
  }
}
