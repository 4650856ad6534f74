// Exact properties of attention and padding in the fused ops, and how the ops refuse misuse.
#include <algorithm>
#include <cmath>

#include "autograd/ops/attention_mask.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/var.h"
#include "layers/attention/scores.h"
#include "layers/attention/window.h"
#include "layers/dense/output.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "tests/catch.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

using namespace softalign;

namespace {

using namespace fused_cases;
using compare::random_array;

}  // namespace

// The vocabulary is so large that the logits of three rows are computed in two parts.
TEST_CASE("output_cross_entropy: a block of rows equals single rows in values and gradients") {
  Random random(5);
  const std::size_t V = std::size_t{3} << 21;
  const Var W = variable(random_array({1, V}, random)), b = constant(zeros({V}));
  const Ids targets{7, static_cast<Id>(V - 1), 7};
  const Var x = variable(Array({3, 1}, {Real(0.5), Real(-1), Real(0.25)}));
  const Var losses = output_cross_entropy(x, W, b, targets, 0, -1);
  backward(sum(losses));
  const Array dx = x.grad(), dW = W.grad();
  W.zero_grad();
  for (std::size_t i = 0; i < 3; ++i) {
    const Var alone = variable(x.value().rows(i, i + 1).clone());
    const Var loss = output_cross_entropy(alone, W, b, {targets[i]}, 0, -1);
    CHECK(loss.value()[0] == Approx(losses.value()[i]));
    backward(sum(loss));
    CHECK(alone.grad()[0] == Approx(dx[i]).epsilon(1e-3));
  }
  CHECK(compare::relative_error(W.grad(), dW) < 1e-4);
}

TEST_CASE("output_cross_entropy: equal and unequal loss weights give the gradients of the composed form") {
  Random random(6);
  const Var x = variable(random_array({4, 3}, random)), W = variable(random_array({3, 5}, random)),
            b = variable(random_array({5}, random));
  const Ids targets{1, 4, 0, 2};  // target 0 in the third row is padding
  for (const Array& weights : {Array({4}, Real(0.25)), Array({4}, {1, Real(0.5), 3, -2})}) {
    std::vector<std::vector<Array>> found;
    for (const Kernels form : {Kernels::fused, Kernels::composed}) {
      const Chosen chosen(form);
      backward(sum(output_cross_entropy(x, W, b, targets, Real(0.1), 0) * constant(weights)));
      found.push_back({x.grad().clone(), W.grad().clone(), b.grad().clone()});
      for (const Var& v : {x, W, b}) v.zero_grad();
    }
    for (std::size_t i = 0; i < 3; ++i) CHECK(compare::relative_error(found[0][i], found[1][i]) < 1e-5);
  }
}

TEST_CASE("attention with v = 0 is uniform, and the query and the keys get no gradient") {
  Random random(1);
  const std::size_t S = 5, B = 3, A = 7, D = 4;
  const Ids sentence{0, 1, 2, 1};
  const Var q = variable(random_array({4, A}, random)), k = variable(random_array({S, B, A}, random));
  const Var v = variable(zeros({A})), h = variable(random_array({S, B, D}, random));
  for (const Kernels form : {Kernels::fused, Kernels::composed}) {
    const Chosen chosen(form);
    const Var weights = softmax(additive_scores(q, k, v, {}, {}, sentence));
    for (const Real w : weights.value().span()) CHECK(w == Real(1) / Real(S));
    const Var c = weighted_sum(weights, h, sentence);
    backward(sum(c * constant(random_array(c.shape(), random))));
    CHECK(compare::same_bits(compare::gradient(q), zeros(q.shape())));
    CHECK(compare::same_bits(compare::gradient(k), zeros(k.shape())));
    CHECK(!compare::same_bits(compare::gradient(v), zeros(v.shape())));
    for (const Var& x : {q, k, v, h}) x.zero_grad();
  }
}

TEST_CASE("padding has exactly zero weight and zero gradient for any values") {
  Random random(2);
  const std::size_t S = 4, B = 2, A = 3, D = 2;
  const Array mask({B, S}, std::vector<Real>{1, 1, 0, 0, 1, 1, 1, 1});
  Array keys = random_array({S, B, A}, random), states = random_array({S, B, D}, random);
  for (const std::size_t j : {2, 3}) {
    std::fill_n(keys.data() + j * B * A, A, Real(1e20));
    std::fill_n(states.data() + j * B * D, D, Real(1e20));
  }
  for (const Kernels form : {Kernels::fused, Kernels::composed}) {
    const Chosen chosen(form);
    const Var q = variable(random_array({B, A}, random)), k = variable(keys.clone()), h = variable(states.clone());
    const Var v = variable(random_array({A}, random));
    const Var weights = softmax(additive_scores(q, k, v, {}, {}, {0, 1}), mask);
    CHECK(weights.value()[2] == 0);
    CHECK(weights.value()[3] == 0);
    const Var c = weighted_sum(weights, h, {0, 1});
    CHECK(std::abs(c.value()[0]) < 100);
    backward(sum(square(c)));
    for (const std::size_t j : {2, 3}) {
      for (std::size_t a = 0; a < A; ++a) CHECK(k.grad()[j * B * A + a] == 0);
      for (std::size_t d = 0; d < D; ++d) CHECK(h.grad()[j * B * D + d] == 0);
    }
  }
}

TEST_CASE("a window keeps the weight at its centre, is symmetric and falls to exp(-2) at 2 sigma") {
  const Var weights = constant(Array({1, 9}, 1)), centre = variable(Array({1, 1}, 4));
  for (const Kernels form : {Kernels::fused, Kernels::composed}) {
    const Chosen chosen(form);
    const Var y = gaussian_window(weights, centre, 1.5);
    CHECK(y.value()[4] == 1);
    for (std::size_t j = 0; j < 4; ++j) CHECK(y.value()[j] == y.value()[8 - j]);
    CHECK(y.value()[7] == Approx(std::exp(-2.0)).epsilon(1e-6));
    backward(sum(y));
    CHECK(std::abs(centre.grad()[0]) < 1e-6);
    centre.zero_grad();
    for (const Real far : {Real(1e6), Real(-1e25)}) {  // the square of the distance may overflow
      const Var away = variable(Array({1, 1}, far));
      const Var nothing = gaussian_window(weights, away, 1.5);
      CHECK(compare::same_bits(nothing.value(), zeros({1, 9})));
      backward(sum(nothing));
      CHECK(away.grad()[0] == 0);
    }
  }
}

TEST_CASE("padding keeps the recurrent state and has no gradient") {
  Random random(3);
  const std::size_t S = 4, H = 5;
  const std::vector<std::size_t> lengths{4, 2};
  const Var h0 = variable(random_array({2, H}, random)), c0 = variable(random_array({2, H}, random));
  const Var U = variable(random_array({H, 4 * H}, random)), V = variable(random_array({H, 3 * H}, random));
  const Var x4 = variable(random_array({S, 2, 4 * H}, random)), x3 = variable(random_array({S, 2, 3 * H}, random));
  const LSTMSequence l = lstm(x4, U, {h0, c0}, {S, 2, lengths});
  const Var g = gru(GRUForm::cho, x3, V, {}, h0, {S, 2, lengths, Direction::backward});
  for (std::size_t k = 0; k < H; ++k) {
    for (std::size_t t = 2; t < S; ++t) {
      CHECK(l.h.value()[(t * 2 + 1) * H + k] == l.h.value()[(1 * 2 + 1) * H + k]);
      CHECK(g.value()[(t * 2 + 1) * H + k] == h0.value()[H + k]);
    }
    CHECK(l.last_h.value()[H + k] == l.h.value()[(1 * 2 + 1) * H + k]);
  }
  backward(sum(square(l.h)) + sum(square(g)));
  for (std::size_t t = 2; t < S; ++t) {
    for (std::size_t k = 0; k < 4 * H; ++k) CHECK(x4.grad()[(t * 2 + 1) * 4 * H + k] == 0);
    for (std::size_t k = 0; k < 3 * H; ++k) CHECK(x3.grad()[(t * 2 + 1) * 3 * H + k] == 0);
  }
}

TEST_CASE("errors of fused ops contain the op's name and the shapes") {
  const auto v = [](const Shape& s) { return constant(zeros(s)); };
  using Catch::Matchers::Contains;
  const auto h = v({2, 3});
  const Steps two{2, 2}, one{1, 2};
  CHECK_THROWS_WITH(lstm(v({2, 2, 8}), v({3, 12}), {h, h}, two), Contains("lstm") && Contains("(2, 2, 8)"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({3, 9}), {h, h}, two), Contains("lstm") && Contains("(3, 9)"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({3, 12}), {h, v({2, 4})}, two), Contains("(2, 4)") && Contains("(2, H)"));
  CHECK_THROWS_WITH(lstm({v({12}), {{v({2, 2, 5}), v({4, 12})}}}, v({3, 12}), {h, h}, two),
                    Contains("x (2, 2, 5) times W (4, 12)"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({3, 12}), {h, h}, {2, 2, {3, 2}}), Contains("3 steps in a batch of 2"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({3, 12}), {h, h}, {2, 2, {2}}), Contains("1 lengths for 2 sentences"));
  CHECK_THROWS_WITH(lstm(v({0, 2, 12}), v({3, 12}), {h, h}, {0, 2}), Contains("no step"));
  CHECK_THROWS_WITH(gru(GRUForm::cho, v({2, 9}), v({3, 8}), {}, h, one), Contains("gru") && Contains("(3, 8)"));
  CHECK_THROWS_WITH(gru(GRUForm::cho, v({2, 9}), v({3, 9}), {}, v({1, 3}), one),
                    Contains("(1, 3)") && Contains("(2, H)"));
  CHECK_THROWS_WITH(gru(GRUForm::cho, v({2, 9}), v({3, 9}), v({3}), h, one), Contains("b_u is (3), none"));
  CHECK_THROWS_WITH(gru(GRUForm::pytorch, v({2, 9}), v({3, 9}), {}, h, one), Contains("b_u is undefined, (3)"));
  CHECK_THROWS_WITH(gru(GRUForm::cho, v({5, 9}), v({3, 9}), {}, h, two), Contains("gru") && Contains("(5, 9)"));
  CHECK_THROWS_WITH(additive_scores(v({2, 3}), v({2, 2, 5}), v({5}), {}, {}, {0, 1}),
                    Contains("additive_scores") && Contains("(2, 3)"));
  CHECK_THROWS_WITH(additive_scores(v({1, 5}), v({2, 2, 5}), v({5}), {}, {}, {2}),
                    Contains("row 0 looks at sentence 2 of 2"));
  CHECK_THROWS_WITH(additive_scores(v({2, 5}), v({2, 2, 5}), v({5}), v({2, 3}), v({5}), {0, 1}),
                    Contains("coverage (2, 3)") && Contains("(2, 2) and (5) expected"));
  CHECK_THROWS_WITH(additive_scores(v({2, 5}), v({2, 2, 5}), v({5}), v({2, 2}), v({4}), {0, 1}), Contains("w_c (4)"));
  CHECK_THROWS_WITH(additive_scores(v({2, 5}), v({4, 5}), v({5}), {}, {}, {0, 1}), Contains("(4, 5) is not (S, B, K)"));
  CHECK_THROWS_WITH(dot_scores(v({2, 3}), v({2, 2, 5}), {0, 1}),
                    Contains("dot_scores") && Contains("query (2, 3)") && Contains("(2, 5) queries expected"));
  CHECK_THROWS_WITH(dot_scores(v({1, 5}), v({2, 2, 5}), {-1}), Contains("row 0 looks at sentence -1 of 2"));
  CHECK_THROWS_WITH(gaussian_window(v({2, 3}), v({2}), 5), Contains("gaussian_window") && Contains("centre (2)"));
  CHECK_THROWS_WITH(gaussian_window(v({2, 3}), v({2, 1}), 0), Contains("sigma is 0"));
  CHECK_THROWS_WITH(weighted_sum(v({2, 3}), v({2, 2, 5}), {0, 1}), Contains("weighted_sum") && Contains("(2, 2)"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({3, 4}), v({4}), {1, 4}),
                    Contains("target 4 is outside the 4 columns"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({2, 4}), v({4}), {1, 2}), Contains("output_cross_entropy"));
  for (const auto& [g, b] : {std::pair(Shape{4}, Shape{3}), std::pair(Shape{3}, Shape{4})})
    CHECK_THROWS_WITH(autograd::fused::layer_norm(v({2, 3}), v(g), v(b), Real(1e-5)),
                      Contains("layer_norm: x (2, 3)") && Contains("(4)"));
  CHECK_THROWS_WITH(autograd::fused::layer_norm(v({}), v({1}), v({1}), Real(1e-5)), Contains("layer_norm: x ()"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({12}), {h, h}, two), Contains("lstm") && Contains("U (12)"));
  CHECK_THROWS_WITH(lstm(v({2, 2, 12}), v({3, 12}), {v({1, 3}), h}, two), Contains("h (1, 3)"));
  CHECK_THROWS_WITH(lstm({v({12}), {{v({2, 2, 4}), v({4, 9})}}}, v({3, 12}), {h, h}, two), Contains("W (4, 9)"));
  CHECK_THROWS_WITH(lstm({v({12}), {{v({2, 2, 4}), v({48})}}}, v({3, 12}), {h, h}, two), Contains("W (48)"));
  CHECK_THROWS_WITH(lstm({v({12}), {{v({1, 2, 4}), v({4, 12})}}}, v({3, 12}), {h, h}, two), Contains("x (1, 2, 4)"));
  CHECK_THROWS_WITH(lstm(v({}), v({3, 12}), {h, h}, two), Contains("gates ()"));
  CHECK_THROWS_WITH(gru(GRUForm::cho, v({2, 9}), v({9}), {}, h, one), Contains("gru") && Contains("U (9)"));
  CHECK_THROWS_WITH(gru(GRUForm::pytorch, v({2, 9}), v({3, 9}), v({4}), h, one), Contains("b_u is (4), (3)"));
  CHECK_THROWS_WITH(additive_scores(v({2, 5}), v({2, 2, 5}), v({4}), {}, {}, {0, 1}), Contains("v (4)"));
  CHECK_THROWS_WITH(gaussian_window(v({6}), v({2, 1}), 5), Contains("gaussian_window") && Contains("(6)"));
  CHECK_THROWS_WITH(output_cross_entropy(v({}), v({3, 4}), v({4}), {}), Contains("x ()"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({12}), v({4}), {1, 2}), Contains("W (12)"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({3, 4}), v({3}), {1, 2}), Contains("b (3)"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({3, 4}), v({4}), {1}), Contains("1 targets"));
  CHECK_THROWS_WITH(output_cross_entropy(v({2, 3}), v({3, 4}), v({4}), {1, -1}), Contains("target -1"));
  const Var q = v({2, 2, 4});
  CHECK_THROWS_WITH(autograd::fused::attention_weights(q, q, 3, {}), Contains("(2, 2, 4)") && Contains("3"));
  CHECK_THROWS_WITH(autograd::fused::attention_weights(q, q, 0, {}), Contains("0"));
  CHECK_THROWS_WITH(autograd::fused::attention_weights(v({4}), q, 2, {}), Contains("(4)"));
  CHECK_THROWS_WITH(autograd::fused::attention_weights(q, q, 2, {.sentence = {0, 2}}), Contains("sentence 2 of 2"));
  CHECK_THROWS_WITH(autograd::fused::attention_weights(q, q, 2, {.sentence = {0, -1}}), Contains("sentence -1 of 2"));
  for (const Shape& wrong : {Shape{3, 2, 4}, Shape{2, 3, 4}})
    CHECK_THROWS_WITH(autograd::fused::tiled_attention(q, q, v(wrong), 2, {}), Contains(to_string(wrong)));
}

TEST_CASE("tiled attention gives gradients only to the inputs that need them") {
  Random random(4);
  const Array x[] = {random_array({3, 1, 4}, random), random_array({3, 1, 4}, random), random_array({3, 1, 4}, random)};
  const auto loss = [](const Var& q, const Var& k, const Var& v) {
    return sum(square(autograd::fused::tiled_attention(q, k, v, 2, {.causal = true})));
  };
  const Var all[] = {variable(x[0]), variable(x[1]), variable(x[2])};
  backward(loss(all[0], all[1], all[2]));
  for (std::size_t only = 0; only < 3; ++only) {
    Var some[3];
    for (std::size_t i = 0; i < 3; ++i) some[i] = i == only ? variable(x[i]) : constant(x[i]);
    backward(loss(some[0], some[1], some[2]));
    CHECK(compare::relative_error(some[only].grad(), all[only].grad()) < 1e-5);
    for (std::size_t i = 0; i < 3; ++i) CHECK(some[i].grad().defined() == (i == only));
  }
}
