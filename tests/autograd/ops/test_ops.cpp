// Compares the gradients of every primitive op with central differences, over shapes, broadcasts and empty arrays. A
// new op needs its rows here; the last test reads the headers and names every op without one.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

#include "autograd/gradcheck.h"
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
#include "autograd/threads/openmp.h"
#include "autograd/var.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/folders.h"

using namespace softalign;

namespace {

using namespace autograd;
using Inputs = std::vector<Var>;

enum class Domain { any, positive, nonzero, distinct };  // the inputs at which an op is differentiable

struct Case {
  std::string op;  // the name of its function
  std::vector<Shape> shapes;
  std::function<Var(const Inputs&)> f;
  Domain domain = Domain::any;

  std::string name() const {
    std::string s = op;
    for (const Shape& shape : shapes) s += fmt::format(" {}", to_string(shape));
    return s;
  }
};

Array input(const Shape& shape, Domain domain, Random& random) {
  Array a = compare::random_array(shape, random);
  std::vector<Real> ranks(a.size());
  std::iota(ranks.begin(), ranks.end(), Real(0));
  random.shuffle(ranks);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (domain == Domain::positive) a[i] = std::abs(a[i]) + Real(0.5);
    if (domain == Domain::nonzero) a[i] += a[i] < 0 ? Real(-0.5) : Real(0.5);
    if (domain == Domain::distinct) a[i] = ranks[i] / 4;
  }
  return a;
}

// Row 0 keeps all entries, row 1 none, and every other row each second entry.
Array some_mask(const Shape& shape) {
  Array mask(shape, 1);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (const std::size_t row = i / shape.back(); row == 1 || (row > 1 && i % 2)) mask[i] = 0;
  return mask;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* op, std::vector<Shape> shapes, std::function<Var(const Inputs&)> f,
                       Domain domain = Domain::any) {
    all.push_back({op, std::move(shapes), std::move(f), domain});
  };

  const std::vector<std::vector<Shape>> pairs{
      {{}, {}},         {{3}, {3}},          {{2, 3}, {2, 3}},       {{5, 37}, {5, 37}},        {{2, 3}, {3}},
      {{3}, {2, 3}},    {{2, 3}, {}},        {{}, {2, 3}},           {{2, 3}, {1, 1}},          {{2, 1}, {1, 3}},
      {{2, 3}, {2, 1}}, {{4, 2, 3}, {2, 1}}, {{4, 1, 3}, {1, 2, 1}}, {{2, 3, 2, 2}, {3, 1, 2}}, {{0}, {0}},
      {{0, 3}, {3}},    {{3, 0}, {3, 1}},    {{0, 1}, {1, 4}},       {{2, 0, 3}, {1, 3}},
  };
  for (const auto& shapes : pairs) {
    add("operator+", shapes, [](const Inputs& x) { return x[0] + x[1]; });
    add("operator-", shapes, [](const Inputs& x) { return x[0] - x[1]; });
    add("operator*", shapes, [](const Inputs& x) { return x[0] * x[1]; });
    add(
        "operator/", shapes, [](const Inputs& x) { return x[0] / x[1]; }, Domain::nonzero);
    add(
        "minimum", shapes, [](const Inputs& x) { return minimum(x[0], Real(10) * x[1]); },
        // |x_0| < 5 < |10 x_1|, so no difference quotient crosses the edge.
        Domain::nonzero);
  }

  const std::vector<Shape> singles{{}, {1}, {3}, {2, 3}, {5, 37}, {2, 3, 4}, {2, 2, 3, 2}, {0}, {0, 3}, {3, 0}};
  for (const Shape& s : singles) {
    add("operator+", {s}, [](const Inputs& x) { return x[0] + Real(1.5); });
    add("operator-", {s}, [](const Inputs& x) { return Real(2) - x[0]; });
    add("operator*", {s}, [](const Inputs& x) { return x[0] * Real(-3); });
    add("exp", {s}, [](const Inputs& x) { return exp(x[0]); });
    add(
        "log", {s}, [](const Inputs& x) { return log(x[0]); }, Domain::positive);
    add("tanh", {s}, [](const Inputs& x) { return tanh(x[0]); });
    add("sigmoid", {s}, [](const Inputs& x) { return sigmoid(x[0]); });
    add(
        "relu", {s}, [](const Inputs& x) { return relu(x[0]); }, Domain::nonzero);
    add("square", {s}, [](const Inputs& x) { return square(x[0]); });
    add("softplus", {s}, [](const Inputs& x) { return softplus(x[0]); });
    add("dropout", {s}, [](const Inputs& x) {
      Random random(5);
      return dropout(x[0], 0.4, random);
    });
    add("reshape", {s}, [](const Inputs& x) { return reshape(x[0], {x[0].value().size(), 1}); });
    add("sum", {s}, [](const Inputs& x) { return sum(x[0]); });
    add("sum", {s}, [](const Inputs& x) { return sum(x[0], {}, Keep::yes); });
    if (s.rank() == Shape::max_rank) continue;
    add("stack", {s, s, s}, [](const Inputs& x) { return stack(x); });
  }
  const Array c({3, 2}, {1, .8f, .6f, 0, -.6f, .1f}), sines({3, 2}, {0, .6f, .8f, 1, .8f, .2f});
  add("rotary", {{3, 2, 8}}, [c, sines](const Inputs& x) { return rotary(x[0], c, sines); });
  for (const Shape& s : singles) {
    if (s.rank() == 0) continue;
    add("softmax", {s}, [](const Inputs& x) { return softmax(x[0]); });
    add("log_softmax", {s}, [](const Inputs& x) { return log_softmax(x[0]); });
    for (std::size_t axis = 0; axis < s.rank(); ++axis) {
      add("sum", {s}, [axis](const Inputs& x) { return sum(x[0], {axis}); });
      add("sum", {s}, [axis](const Inputs& x) { return sum(x[0], {axis}, Keep::yes); });
      if (axis == 0 && s[0] > 1) add("at", {s}, [](const Inputs& x) { return at(x[0], 1) * at(x[0], 0); });
      add("slice", {s}, [axis](const Inputs& x) { return slice(x[0], axis, x[0].dim(axis) / 2, x[0].dim(axis)); });
      add("concat", {s, s}, [axis](const Inputs& x) { return concat({x[0], x[1], x[0]}, axis); });
      if (s[axis] == 0) continue;
      add("mean", {s}, [axis](const Inputs& x) { return mean(x[0], {axis}); });
      add("mean", {s}, [axis](const Inputs& x) { return mean(x[0], {axis}, Keep::yes); });
      add(
          "max", {s}, [axis](const Inputs& x) { return max(x[0], axis); }, Domain::distinct);
      add(
          "max", {s}, [axis](const Inputs& x) { return max(x[0], axis, Keep::yes); }, Domain::distinct);
    }
    if (s.size() == 0) continue;
    add("mean", {s}, [](const Inputs& x) { return mean(x[0]); });
  }
  for (const auto& [a, b] :
       std::vector<std::array<Shape, 2>>{{{{3, 2}, {4, 2}}}, {{{1, 1}, {5, 1}}}, {{{0, 3}, {2, 3}}}})
    add("distances", {a, b}, [](const Inputs& x) { return distances(x[0], x[1]); });
  add("sum", {{2, 3, 4}}, [](const Inputs& x) { return sum(x[0], {0, 2}); });
  add("mean", {{2, 3, 4}}, [](const Inputs& x) { return mean(x[0], {1, 2}, Keep::yes); });
  add("concat", {{2, 3}, {2, 1}, {2, 0}}, [](const Inputs& x) { return concat(x, 1); });
  add("slice", {{4, 5}}, [](const Inputs& x) { return slice(x[0], 1, 2, 2); });
  add("slice", {{6, 2}}, [](const Inputs& x) { return tanh(slice(x[0], 0, 1, 4)) * slice(x[0], 0, 3, 6); });

  for (const Shape& s : {Shape{2, 3}, Shape{1, 4}, Shape{0, 3}, Shape{3, 0}})
    add("transpose", {s}, [](const Inputs& x) { return transpose(x[0]); });
  add("transpose", {{2, 3, 4}}, [](const Inputs& x) { return transpose(x[0], {2, 0, 1}); });
  add("transpose", {{2, 3, 4, 2}}, [](const Inputs& x) { return transpose(x[0], {3, 1, 0, 2}); });
  add("transpose", {{3}}, [](const Inputs& x) { return transpose(x[0], {0}); });

  for (const Shape& s : {Shape{5, 3}, Shape{5}, Shape{5, 2, 2}, Shape{5, 0}}) {
    add("gather", {s}, [](const Inputs& x) { return gather(x[0], {4, 0, 4, 2}); });
    add("gather", {s}, [](const Inputs& x) { return gather(tanh(x[0]), {1, 1}); });  // no leaf: dense gradient
    add("gather", {s}, [](const Inputs& x) { return gather(x[0], {}); });
  }

  struct Product {
    Shape x, W;
  };
  for (const auto& [x, W] : {Product{{2, 3}, {3, 4}}, Product{{1, 3}, {3, 4}}, Product{{3}, {3, 4}},
                             Product{{5, 1}, {1, 1}}, Product{{2, 2, 3}, {3, 2}}, Product{{0, 3}, {3, 4}},
                             Product{{2, 0}, {0, 4}}, Product{{2, 3}, {3, 0}}, Product{{9, 33}, {33, 17}}}) {
    add("matmul", {x, W}, [](const Inputs& v) { return matmul(v[0], v[1]); });
    add("matmul_transposed", {x, {W[1], W[0]}}, [](const Inputs& v) { return matmul_transposed(v[0], v[1]); });
    add("affine", {x, W, {W[1]}}, [](const Inputs& v) { return affine(v[0], v[1], v[2]); });
    add("matmul, twice by one W", {x, W},
        [](const Inputs& v) { return matmul(v[0], v[1]) + matmul(tanh(v[0]), v[1]); });
  }
  for (const auto& [a, b] :
       {Product{{2, 3, 4}, {2, 4, 5}}, Product{{3, 1, 4}, {3, 4, 1}}, Product{{0, 2, 3}, {0, 3, 2}},
        Product{{2, 0, 3}, {2, 3, 2}}, Product{{2, 2, 0}, {2, 0, 2}}})
    add("batched_matmul", {a, b}, [](const Inputs& v) { return batched_matmul(v[0], v[1]); });

  struct Masked {
    Shape x, mask;
  };
  for (const auto& [x, mask] :
       {Masked{{4, 5}, {4, 5}}, Masked{{3, 4, 37}, {4, 37}}, Masked{{3, 4, 2}, {3, 1, 2}}, Masked{{3, 5}, {3, 1}},
        Masked{{2, 3}, {3}}, Masked{{0, 3}, {3}}, Masked{{3, 0}, {3, 0}}}) {
    const Array keep = some_mask(mask);
    add("softmax", {x}, [keep](const Inputs& v) { return softmax(v[0], keep); });
    // The large negative log_of_zero would dominate the sum of the check, so masked entries are multiplied by 0.
    add("log_softmax", {x}, [keep](const Inputs& v) { return log_softmax(v[0], keep) * constant(keep); });
  }
  for (const double smoothing : {0.0, 0.1}) {
    add("cross_entropy", {{4, 5}}, [=](const Inputs& x) { return cross_entropy(x[0], {1, 0, 4, 1}, {smoothing}); });
    add("cross_entropy", {{3, 37}}, [=](const Inputs& x) { return cross_entropy(x[0], {0, 36, -1}, {smoothing, -1}); });
    add("cross_entropy", {{0, 5}}, [=](const Inputs& x) { return cross_entropy(x[0], {}, {smoothing}); });
  }
  return all;
}

Inputs inputs(const Case& c, std::size_t constant_input = SIZE_MAX) {
  Random random(11);
  Inputs x;
  for (std::size_t i = 0; i < c.shapes.size(); ++i) {
    Array a = input(c.shapes[i], c.domain, random);
    x.push_back(i == constant_input ? constant(a) : variable(a));
  }
  return x;
}

}  // namespace

TEST_CASE("ops: gradients agree with central differences") {
  for (const Case& c : cases()) {
    INFO(c.name());
    const GradcheckResult check = gradcheck(c.f, inputs(c));
    INFO(check.report);
    REQUIRE(check.ok);
    std::size_t elements = 0;
    for (const Shape& s : c.shapes) elements += s.size();
    REQUIRE(check.checked == elements);
  }
}

TEST_CASE("ops: with one constant input, the other gradients are correct and it gets none") {
  for (const Case& c : cases()) {
    if (c.shapes.size() < 2) continue;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
      INFO(c.name() << ", constant input " << k);
      const Inputs x = inputs(c, k);
      const GradcheckResult check = gradcheck(c.f, x);
      INFO(check.report);
      REQUIRE(check.ok);
      REQUIRE_FALSE(x[k].grad().defined());
    }
  }
}

TEST_CASE("ops: gradients accumulate, and the output's gradient stays unchanged") {
  for (const Case& c : cases()) {
    INFO(c.name());
    const Inputs x = inputs(c);
    backward(sum(square(c.f(x))));
    std::vector<Array> once;
    for (const Var& v : x) once.push_back(compare::gradient(v));
    const Var y = c.f(x);
    backward(sum(square(y)));
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (Real& v : once[i].span()) v *= 2;
      // The second product may use packed weights.
      REQUIRE(compare::relative_error(compare::gradient(x[i]), once[i]) < 1e-5);
    }
  }
}

TEST_CASE("ops: one variable may be both arguments") {
  const Var x = variable(Array({3}, {1, -2, 3}));
  for (const auto& f : std::vector<std::function<Var(const Inputs&)>>{
           [](const Inputs& v) { return v[0] + v[0]; }, [](const Inputs& v) { return v[0] - v[0]; },
           [](const Inputs& v) { return v[0] * v[0]; }, [](const Inputs& v) { return v[0] / v[0]; },
           [](const Inputs& v) {
             return concat({v[0], v[0]}, 0);
           },
           [](const Inputs& v) {
             return stack({v[0], v[0]});
           }}) {
    const GradcheckResult check = gradcheck(f, {x});
    INFO(check.report);
    CHECK(check.ok);
  }
  const Var W = variable(Array({2, 2}, {1, 2, 3, 4}));
  for (const auto& f :
       std::vector<std::function<Var(const Inputs&)>>{[](const Inputs& v) { return matmul(v[0], v[0]); },
                                                      [](const Inputs& v) { return matmul_transposed(v[0], v[0]); }}) {
    const GradcheckResult check = gradcheck(f, {W});
    INFO(check.report);
    CHECK(check.ok);
  }
}

// The arrays have more than 65,536 numbers, so that several threads share the copies and additions.
TEST_CASE("ops: long arrays are copied and added correctly, with the same bits on one thread and on two") {
  const int before = omp_get_max_threads();
  Random random(5);
  const Array a = compare::random_array({300, 260}, random), b = compare::random_array({300, 310}, random);
  const auto results = [&](int threads) {
    omp_set_num_threads(threads);
    const Var x = variable(a.clone()), y = variable(b.clone()), z = variable(b.clone());
    const Var wide = concat({x, y}, 1);                              // (300, 570)
    const Var part = slice(wide, 1, 200, 500), all = stack({x, x});  // (300, 300) and (2, 300, 260)
    backward(sum(wide) + sum(part * part) + sum(all * all) + sum(slice(z, 1, 40, 290)));
    return std::array{wide.value(), part.value(), all.value(), x.grad(), y.grad(), z.grad()};
  };
  const auto one = results(1), two = results(2);
  omp_set_num_threads(before);
  for (std::size_t i = 0; i < one.size(); ++i) CHECK(compare::same_bits(one[i], two[i]));

  const auto& [wide, part, all, dx, dy, dz] = two;
  std::size_t wrong = 0;
  const auto expect = [&](Real got, Real right) { wrong += std::abs(got - right) > 1e-5 * std::abs(right); };
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 260; ++j) {
      const Real x = a[i * 260 + j];
      expect(wide[i * 570 + j], x);
      for (std::size_t copy : {0, 1}) expect(all[(copy * 300 + i) * 260 + j], x);
      expect(dx[i * 260 + j], 1 + (j >= 200 ? 2 * x : 0) + 4 * x);
    }
    for (std::size_t j = 0; j < 310; ++j) {
      const Real y = b[i * 310 + j];
      expect(wide[i * 570 + 260 + j], y);
      if (j < 240) expect(part[i * 300 + 60 + j], y);
      expect(dy[i * 310 + j], 1 + (j < 240 ? 2 * y : 0));
      expect(dz[i * 310 + j], 40 <= j && j < 290 ? 1 : 0);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ops: every op of autograd/ops is in the table") {
  std::set<std::string> tested;
  for (const Case& c : cases()) tested.insert(c.op);
  const std::regex declaration(R"((?:^|\n)(?:inline )?Var (operator.|\w+)\()");
  std::size_t found = 0;
  for (const auto& file : std::filesystem::directory_iterator(testing::source_folder() + "/autograd/ops")) {
    // The tests of the headers fused*.h are in tests/layers/fused.
    if (file.path().extension() != ".h" || file.path().filename().string().starts_with("fused")) continue;
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    const std::string header = text.str();
    for (std::sregex_iterator it(header.begin(), header.end(), declaration), end; it != end; ++it, ++found) {
      INFO((*it)[1].str() << " of " << file.path() << " has no row in cases()");
      CHECK(tested.count((*it)[1].str()) == 1);
    }
  }
  CHECK(found >= 30);
}
