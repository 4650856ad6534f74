// Compares fast weights and linear attention with PyTorch, and checks properties that hold for any weights.
#include "layers/fast_weights/fast_weights.h"

#include <cmath>
#include <functional>

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "layers/fast_weights/linear_attention.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t T = 70, B = 2, K = 2, m = 4, d = 3;  // T spans three chunks, the last one incomplete

struct Inputs {
  Var q, k, v, beta;
};
Inputs random_inputs(std::uint64_t seed) {
  Random random(seed);
  const auto x = [&](std::size_t width) { return variable(random_array({T, B, width}, random)); };
  const Var q = x(K * m), k = x(K * m), v = x(K * d), beta = x(K);
  return {q, k, v, beta};
}

Var by_steps(const Inputs& x) {  // the recurrent form
  FastStep step{{}, no_fast_weights(B, K, m, d)};
  std::vector<Var> y;
  for (std::size_t t = 0; t < T; ++t) {
    step = sum_step(step.W, at(x.q, t), at(x.k, t), at(x.v, t), K);
    y.push_back(step.y);
  }
  return stack(y);
}

FeatureMap map_named(const std::string& name) { return name == "dpfp" ? FeatureMap::dpfp : FeatureMap::elu_plus_one; }

// N orthogonal unit vectors as the keys of one sentence and head: (N, 1, N).
Var orthonormal(std::size_t N) {
  Array e = autograd::zeros({N, 1, N});
  for (std::size_t i = 0; i < N; ++i) e[i * N + i] = 1;
  return constant(e);
}
Var ones(const Shape& shape) { return constant(Array(shape, 1)); }

}  // namespace

// Katharopoulos et al. 2020, section 3.2, section 3.2.1, section 3.3.
// Schlag et al. 2021, section 5.
TEST_CASE("linear attention of both features, causal and not, equals PyTorch") {
  for (const std::string& name : golden::cases("linear_attention")) {
    INFO(name);
    golden::Golden g("linear_attention", name);
    const auto heads = g.fact<std::size_t>("heads"), nu = g.fact<std::size_t>("nu");
    const FeatureMap map = map_named(g.fact<std::string>("features"));
    const Var q = features(map, g("q"), heads, {}, nu);
    const Var k = features(map, g("k"), heads, g.fact<std::vector<std::size_t>>("lengths"), nu);
    g.check({{"y", linear_attention(g.fact<bool>("causal") ? Order::causal : Order::any, q, k, g("v"), heads)}});
  }
}

// Schlag et al. 2021, section 4.2.
TEST_CASE("fast weights by the sum and by the delta rule equal PyTorch") {
  golden::Golden sum("fast_weights", "sum"), delta("fast_weights", "delta");
  const auto heads = sum.fact<std::size_t>("heads");
  sum.check({{"y", fast_weights_sum(sum("q"), sum("k"), sum("v"), heads)}});
  delta.check({{"y", fast_weights_delta(delta("q"), delta("k"), delta("v"), delta("beta"), heads)}});
}

// Katharopoulos et al. 2020, section 3.3.1.
TEST_CASE("fast weights: the parallel, recurrent and chunked forms have equal values and gradients") {
  const Inputs x = random_inputs(1);
  Random random(2);
  const Var weight = constant(random_array({T, B, K * d}, random));
  const auto outcome = [&](const std::function<Var()>& form) {
    const Var y = form();
    backward(autograd::sum(y * weight));
    std::vector<Array> all{y.value().clone()};
    for (const Var& input : {x.q, x.k, x.v}) {
      all.push_back(compare::gradient(input));
      input.zero_grad();
    }
    return all;
  };
  const auto recurrent = outcome([&] { return by_steps(x); });
  for (const std::size_t chunk : {T, T + 10, std::size_t{32}, std::size_t{7}, std::size_t{1}}) {
    INFO("chunks of " << chunk);
    const auto whole = outcome([&] { return fast_weights_sum(x.q, x.k, x.v, K, chunk); });
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(relative_error(whole[i], recurrent[i]) < exact);
  }
}

// Schlag et al. 2021, section 3.
TEST_CASE("unnormalised linear attention is a fast-weight matrix that is updated by outer products") {
  const Inputs x = random_inputs(3);
  const Array y = fast_weights_sum(x.q, x.k, x.v, K).value();
  std::vector<double> W(B * K * d * m);
  double worst = 0, largest = 0;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t g = 0; g < B * K; ++g)
      for (std::size_t i = 0; i < d; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < m; ++j) {
          double& w = W[(g * d + i) * m + j];
          w += double(x.v.value()[(t * B * K + g) * d + i]) * double(x.k.value()[(t * B * K + g) * m + j]);
          sum += w * double(x.q.value()[(t * B * K + g) * m + j]);
        }
        worst = std::max(worst, std::abs(sum - double(y[(t * B * K + g) * d + i])));
        largest = std::max(largest, std::abs(sum));
      }
  CHECK(worst < exact * largest);
}

// Katharopoulos et al. 2020, section 3.4.
TEST_CASE("linear attention step by step, with a state of constant size, equals causal linear attention") {
  const Inputs x = random_inputs(4);
  const Var q = features(FeatureMap::elu_plus_one, x.q, K), k = features(FeatureMap::elu_plus_one, x.k, K);
  const Array whole = linear_attention(Order::causal, q, k, x.v, K).value();
  Var sums = no_fast_weights(B, K, m, d + 1);
  for (std::size_t t = 0; t < T; ++t) {
    const LinearStep step = linear_step(sums, at(q, t), at(k, t), at(x.v, t), K);
    CHECK(relative_error(step.y.value(), whole.rows(t, t + 1).reshaped({B, K * d})) < exact);
    CHECK(step.sums.shape() == sums.shape());
    sums = step.sums;
  }
}

TEST_CASE("linear attention: later words do not change earlier outputs") {
  const Inputs x = random_inputs(5), other = random_inputs(6);
  const auto of = [&](const Var& q, const Var& k, const Var& v) {
    const auto phi = [](const Var& a) { return features(FeatureMap::elu_plus_one, a, K); };
    return linear_attention(Order::causal, phi(q), phi(k), v, K).value();
  };
  const Array whole = of(x.q, x.k, x.v);
  for (const std::size_t t : {std::size_t{1}, std::size_t{31}, std::size_t{32}, std::size_t{50}}) {
    const auto later = [&](const Var& a, const Var& b) { return concat({slice(a, 0, 0, t), slice(b, 0, t, T)}, 0); };
    const Array y = of(later(x.q, other.q), later(x.k, other.k), later(x.v, other.v));
    CHECK(compare::same_bits(y.rows(0, t), whole.rows(0, t)));
    CHECK(!compare::same_bits(y.rows(t, T), whole.rows(t, T)));
  }
}

TEST_CASE("linear attention is the mean of the values under its weights, whose rows sum to 1") {
  const Inputs x = random_inputs(7);
  const Var q = features(FeatureMap::dpfp, x.q, K), k = features(FeatureMap::elu_plus_one, x.k, K);
  const Var phi_q = features(FeatureMap::elu_plus_one, x.q, K);
  CHECK(q.shape() == Shape{T, B, K * 2 * m});
  for (const Order order : {Order::any, Order::causal}) {
    const Var A = linear_weights(order, phi_q, k, K);  // (T*B, K, T)
    const Array total = sum(A, {2}).value();
    for (const Real row : total.span()) CHECK(double(row) == Approx(1).margin(1e-5));
    for (std::size_t g = 0; g < K; ++g) {
      const auto head = [&](const Var& v) { return slice(v, 2, g * d, (g + 1) * d); };
      const Var a = reshape(slice(A, 1, g, g + 1), {T, B, T}), y = linear_attention(order, phi_q, k, x.v, K);
      const Var expected = batched_matmul(transpose(a, {1, 0, 2}), transpose(head(x.v), {1, 0, 2}));
      CHECK(relative_error(head(y).value(), transpose(expected, {1, 0, 2}).value()) < exact);
    }
  }
}

TEST_CASE("linear attention: a sentence alone equals the same sentence in a padded batch") {
  const Inputs x = random_inputs(8);
  const auto alone = [](const Var& a) { return slice(slice(a, 1, 1, 2), 0, 0, 40); };
  for (const FeatureMap map : {FeatureMap::elu_plus_one, FeatureMap::dpfp}) {
    const Var k = features(map, x.k, K, {T, 40}), q = features(map, x.q, K);
    const Array own =
        linear_attention(Order::any, features(map, alone(x.q), K), features(map, alone(x.k), K), alone(x.v), K).value();
    CHECK(relative_error(alone(linear_attention(Order::any, q, k, x.v, K)).value(), own) < exact);
  }
}

TEST_CASE("the delta rule: a key that was just written with beta 1 returns exactly its value") {
  const Inputs x = random_inputs(9);
  const Var k = reshape(x.k, {T, B, K, m}), length = sum(square(k), {3}, Keep::yes);
  const Var unit = reshape(k * exp(log(length) * Real(-0.5)), {T, B, K * m});
  const Array y = fast_weights_delta(unit, unit, x.v, ones({T, B, K}), K).value();
  CHECK(relative_error(y, x.v.value()) < exact);
  CHECK(relative_error(fast_weights_sum(unit, unit, x.v, K).value(), x.v.value()) > 0.1);
}

TEST_CASE("the delta rule with orthonormal keys and beta 1 equals the plain sum") {
  Random random(10);
  const std::size_t N = 6;
  const Var k = orthonormal(N), q = constant(random_array({N, 1, N}, random)),
            v = constant(random_array({N, 1, d}, random));
  const Array sum = fast_weights_sum(q, k, v, 1).value();
  CHECK(relative_error(fast_weights_delta(q, k, v, ones({N, 1, 1}), 1).value(), sum) < exact);
}

TEST_CASE("capacity: a head separates as many keys as it has dimensions, but not one more") {
  Random random(11);
  const std::size_t N = 6;
  const Var k = orthonormal(N), v = constant(random_array({N, 1, d}, random));
  const auto read = [&](const Var& W) {
    std::vector<Var> y;
    for (std::size_t t = 0; t < N; ++t) y.push_back(reshape(batched_matmul(slice(k, 0, t, t + 1), W), {1, d}));
    return stack(y).value();
  };
  Var W = no_fast_weights(1, 1, N, d);
  for (std::size_t t = 0; t < N; ++t) W = sum_step(W, at(k, t), at(k, t), at(v, t), 1).W;
  CHECK(relative_error(read(W), v.value()) < exact);
  const Var more = constant(Array({1, N}, Real(0.5))), value = constant(random_array({1, d}, random));
  for (const Var& after : {sum_step(W, more, more, value, 1).W, delta_step(W, more, more, value, ones({1, 1}), 1).W})
    CHECK(relative_error(read(after), v.value()) > 0.05);
}

TEST_CASE("features by hand: elu + 1, the deterministic projection and sums of 1 are correct") {
  const Var x = constant(Array({1, 1, 2}, {2, -1}));
  const auto phi = [&](FeatureMap map, std::size_t nu = 1) { return features(map, x, 1, {}, nu).value(); };
  CHECK(compare::same_bits(phi(FeatureMap::identity), x.value()));
  CHECK(relative_error(phi(FeatureMap::elu_plus_one), Array({1, 1, 2}, {3, Real(std::exp(-1.0))})) < exact);
  // r = 2 0 0 1. Shifted by one it is 0 0 1 2, and shifted by two 0 1 2 0.
  CHECK(compare::same_bits(phi(FeatureMap::dpfp), Array({1, 1, 4}, {0, 0, 0, 2})));
  CHECK(compare::same_bits(phi(FeatureMap::dpfp, 2), Array({1, 1, 8}, {0, 0, 0, 2, 0, 0, 0, 0})));
  CHECK(compare::same_bits(phi(FeatureMap::dpfp, 3), Array({1, 1, 12}, {0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0})));
  const Var some = constant(Array({1, 1, 4}, {1, 3, 0, 0}));
  CHECK(relative_error(unit_sum(some, 2).value(), Array({1, 1, 4}, {Real(.25), Real(.75), 0, 0})) < 1e-5);
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("fast weights and features: gradients equal central differences") {
  Random random(12);
  const auto x = [&](std::size_t width) { return variable(random_array({5, 2, width}, random)); };
  const std::vector<Var> inputs{x(4), x(4), x(6), x(2)};
  const auto holds = [&](const std::function<Var(const std::vector<Var>&)>& f) {
    const GradcheckResult check = gradcheck(f, inputs);
    INFO(check.report);
    CHECK(check.ok);
  };
  holds([](const std::vector<Var>& in) {
    const auto phi = [](const Var& a) { return unit_sum(features(FeatureMap::elu_plus_one, a, 2), 2); };
    return fast_weights_delta(phi(in[0]), phi(in[1]), in[2], sigmoid(in[3]), 2);
  });
  for (const FeatureMap map : {FeatureMap::elu_plus_one, FeatureMap::identity})
    for (const Order order : {Order::any, Order::causal}) {
      if (map == FeatureMap::identity && order == Order::any) continue;
      holds([&](const std::vector<Var>& in) {
        if (map == FeatureMap::identity) return fast_weights_sum(in[0], in[1], in[2], 2);
        return linear_attention(order, features(map, in[0], 2), features(map, in[1], 2, {5, 3}), in[2], 2);
      });
    }
  holds([](const std::vector<Var>& in) { return features(FeatureMap::dpfp, in[0], 2, {5, 3}, 2); });
}
#endif

TEST_CASE("fast weights refuse wrong sizes") {
  const Inputs x = random_inputs(13);
  const auto refused = [](const Var& q, const Var& k, const Var& v, std::size_t heads) {
    CHECK_THROWS_AS(fast_weights_sum(q, k, v, heads), std::invalid_argument);
  };
  refused(x.q, x.k, x.v, 5);
  refused(x.q, slice(x.k, 0, 0, 3), x.v, K);
  refused(x.q, x.k, slice(x.v, 0, 0, 3), K);
  refused(x.q, slice(x.k, 2, 0, K), x.v, K);
}
