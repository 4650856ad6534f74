// Exact properties of attention over all steps for any numbers, in each of its kernels.
#include <cmath>
#include <functional>

#include "autograd/kernels.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "layers/attention/scaled_dot_product.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t n = 7, B = 2, K = 3, d = 4, width = K * d;

struct QKV {
  Var q, k, v;
};
QKV random_qkv(Random& random, std::size_t steps = n) {
  const auto x = [&] { return variable(random_array({steps, B, width}, random)); };
  const Var q = x(), k = x(), v = x();
  return {q, k, v};
}
Array context(const QKV& x, const Mask& mask = {}) {
  return attention(x.q, x.k, x.v, K, mask, ReturnWeights::no).context.value();
}

const Ids shuffled{3, 0, 6, 2, 5, 1, 4}, turned{6, 5, 4, 3, 2, 1, 0};
Array steps(const Array& x, const Ids& order) { return gather(constant(x), order).value(); }

// Checks the property with every kind of kernels.
void in_every_form(const std::function<void()>& property) {
  for (const Kernels form : {Kernels::composed, Kernels::fused, Kernels::tiled}) {
    INFO("form " << static_cast<int>(form));
    const KernelsInForce in_force(form);
    property();
  }
}

}  // namespace

TEST_CASE("attention is equivariant to permutations of queries and invariant to those of keys, Attention(AQ, BK, BV)") {
  in_every_form([] {
    Random random(1);
    const QKV x = random_qkv(random);
    const Array moved = context({gather(x.q, shuffled), gather(x.k, turned), gather(x.v, turned)});
    CHECK(relative_error(moved, steps(context(x), shuffled)) < exact);
  });
}

TEST_CASE("self-attention is permutation equivariant, and causal self-attention is not") {
  in_every_form([] {
    Random random(2);
    const Var x = constant(random_array({n, B, width}, random)), Px = gather(x, shuffled);
    CHECK(relative_error(context({Px, Px, Px}), steps(context({x, x, x}), shuffled)) < exact);
    const Mask causal{.causal = true};
    CHECK(relative_error(context({Px, Px, Px}, causal), steps(context({x, x, x}, causal), shuffled)) > 0.1);
  });
}

TEST_CASE("causal attention: later words do not change earlier outputs, to the last bit") {
  in_every_form([] {
    Random random(3);
    const QKV x = random_qkv(random), other = random_qkv(random);
    for (std::size_t t = 1; t < n; ++t) {
      const auto later = [&](const Var& a, const Var& b) { return concat({slice(a, 0, 0, t), slice(b, 0, t, n)}, 0); };
      const Array y = context({later(x.q, other.q), later(x.k, other.k), later(x.v, other.v)}, {.causal = true});
      CHECK(compare::same_bits(y.rows(0, t), context(x, {.causal = true}).rows(0, t)));
      CHECK(!compare::same_bits(y.rows(t, n), context(x, {.causal = true}).rows(t, n)));
    }
  });
}

TEST_CASE("attention step by step over a KV cache equals causal attention") {
  in_every_form([] {
    Random random(4);
    const QKV x = random_qkv(random);
    const Array whole = context(x, {.causal = true});
    const auto cache = [](const Var& keys, std::size_t t) { return transpose(slice(keys, 0, 0, t), {1, 0, 2}); };
    for (std::size_t t = 0; t < n; ++t) {
      const Array step = context({slice(x.q, 0, t, t + 1), cache(x.k, t + 1), cache(x.v, t + 1)}, {.rows_first = true});
      CHECK(relative_error(step, whole.rows(t, t + 1)) < exact);
    }
  });
}

TEST_CASE("each number of a context is between the smallest and the largest of the values") {
  in_every_form([] {
    Random random(5);
    const QKV x = random_qkv(random);
    const Array y = context(x), v = x.v.value();
    for (std::size_t i = 0; i < y.size(); ++i) {
      Real least = v[i % (B * width)], greatest = least;
      for (std::size_t j = i % (B * width); j < v.size(); j += B * width)
        least = std::min(least, v[j]), greatest = std::max(greatest, v[j]);
      CHECK(y[i] >= least - Real(exact));
      CHECK(y[i] <= greatest + Real(exact));
    }
  });
}

TEST_CASE("a bias on every key changes no attention, and gets no gradient") {
  in_every_form([] {
    Random random(6);
    const QKV x = random_qkv(random);
    const Var bias = variable(random_array({width}, random));
    const Var y = attention(x.q, x.k + bias, x.v, K, {}, ReturnWeights::no).context;
    CHECK(relative_error(y.value(), context(x)) < exact);
    backward(sum(y * constant(random_array(y.shape(), random))));
    for (const Real g : bias.grad().span()) CHECK(std::abs(g) < exact);
  });
}

// Vaswani et al. 2017, section 3.2.2.
TEST_CASE("K heads equal K attentions over their columns") {
  in_every_form([] {
    Random random(7);
    const QKV x = random_qkv(random);
    std::vector<Var> heads;
    for (std::size_t k = 0; k < K; ++k) {
      const auto own = [&](const Var& a) { return slice(a, 2, k * d, (k + 1) * d); };
      heads.push_back(attention(own(x.q), own(x.k), own(x.v), 1, {.lengths = {n, 4}}, ReturnWeights::no).context);
    }
    CHECK(relative_error(context(x, {.lengths = {n, 4}}), concat(heads, 2).value()) < exact);
  });
}

TEST_CASE("attention: a sentence alone equals the same sentence in a padded batch") {
  in_every_form([] {
    Random random(8);
    const QKV x = random_qkv(random);
    for (const bool causal : {false, true}) {
      const auto alone = [](const Var& a) { return slice(slice(a, 1, 1, 2), 0, 0, 4); };
      const Array in_batch = context(x, {.lengths = {n, 4}, .causal = causal});
      const Array own = context({alone(x.q), alone(x.k), alone(x.v)}, {.causal = causal});
      CHECK(relative_error(alone(constant(in_batch)).value(), own) < exact);
    }
  });
}

// Vaswani et al. 2017, eq. 1.
TEST_CASE("attention of zero queries is the mean of the visible values") {
  in_every_form([] {
    Random random(9);
    QKV x = random_qkv(random);
    x.q = constant(zeros({n, B, width}));
    const Array means = mean(slice(x.v, 0, 0, 4), {0}).value();
    const Array y = context(x, {.lengths = {4, 4}});
    for (std::size_t t = 0; t < n; ++t) CHECK(relative_error(y.rows(t, t + 1).reshaped({B, width}), means) < exact);
    const Array causal = context(x, {.causal = true});
    CHECK(compare::same_bits(causal.rows(0, 1), x.v.value().rows(0, 1)));
  });
}

TEST_CASE("weights of attention sum to 1 and are exactly 0 on padding and on the future") {
  for (const Kernels form : {Kernels::composed, Kernels::fused}) {
    const KernelsInForce in_force(form);
    Random random(10);
    const QKV x = random_qkv(random);
    const AttentionOutput g = attention(x.q, x.k, x.v, K, {.lengths = {5, 0}, .causal = true});
    REQUIRE(g.weights.shape() == Shape{n * B, K, n});
    for (std::size_t t = 0; t < n; ++t)
      for (std::size_t k = 0; k < K; ++k)
        for (const std::size_t b : {0, 1}) {
          const Real* const row = g.weights.value().data() + ((t * B + b) * K + k) * n;
          Real total = 0;
          for (std::size_t j = 0; j < n; ++j) {
            total += row[j];
            if (b == 1 || j >= 5 || j > t) CHECK(row[j] == 0);
          }
          CHECK(total == Approx(b == 0 ? 1 : 0).epsilon(1e-6));
        }
    backward(sum(g.context));
    for (const Var& input : {x.q, x.k, x.v})
      for (std::size_t t = 0; t < n; ++t)
        for (std::size_t i = 0; i < width; ++i) CHECK(input.grad()[(t * B + 1) * width + i] == 0);
  }
}

TEST_CASE("causal attention of the last queries is correct if only the later rows of a tile attend to the next keys") {
  constexpr std::size_t T = 128, S = 160;
  Random random(12);
  const Var q = variable(random_array({T, 1, d}, random)), k = variable(random_array({S, 1, d}, random)),
            v = variable(random_array({S, 1, d}, random));
  const Var w = constant(random_array({T, 1, d}, random));
  std::vector<Array> outcome[2];
  for (const bool tiled : {false, true}) {
    const KernelsInForce in_force(tiled ? Kernels::tiled : Kernels::composed);
    const Var y = attention(q, k, v, 1, {.causal = true}, ReturnWeights::no).context;
    for (const Var& x : {q, k, v}) x.zero_grad();
    backward(sum(y * w));
    outcome[tiled] = {y.value(), q.grad().clone(), k.grad().clone(), v.grad().clone()};
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(relative_error(outcome[1][i], outcome[0][i]) < exact);
}

TEST_CASE("tiled attention without visible keys is 0 and has no gradient") {
  const KernelsInForce in_force(Kernels::tiled);
  Random random(11);
  const QKV x = random_qkv(random);
  const Var y = attention(x.q, x.k, x.v, K, {.lengths = {0, 0}}, ReturnWeights::no).context;
  backward(sum(y));
  for (const Real value : y.value().span()) CHECK(value == 0);
  for (const Var& input : {x.q, x.k, x.v})
    for (const Real g : input.grad().span()) CHECK(g == 0);
}

// Vaswani et al. 2017, section 3.2.1.
TEST_CASE("scores of normal numbers, q.k / sqrt(d), have variance 1") {
  constexpr std::size_t draws = 20000, size = 256;
  Random random(12);
  const Var q = constant(random_array({1, draws, size}, random)), k = constant(random_array({1, draws, size}, random));
  const Var keys = concat({k, constant(zeros({1, draws, size}))}, 0);  // a zero key scores 0
  const Array A = attention(q, keys, keys, 1, {}).weights.value();
  double squares = 0;
  for (std::size_t r = 0; r < draws; ++r) {
    const double score = std::log(static_cast<double>(A[2 * r])) - std::log(static_cast<double>(A[2 * r + 1]));
    squares += score * score;
  }
  CHECK(squares / draws == Approx(1).epsilon(0.02));
}

TEST_CASE("attention refuses wrong sizes") {
  Random random(13);
  const QKV x = random_qkv(random);
  for (const Kernels form : {Kernels::fused, Kernels::tiled}) {
    const KernelsInForce in_force(form);
    const auto refused = [&](const Var& q, const Var& k, const Var& v, std::size_t heads, const Mask& mask) {
      CHECK_THROWS_AS(attention(q, k, v, heads, mask, ReturnWeights::no), std::invalid_argument);
    };
    refused(x.q, x.k, x.v, 5, {});                                  // five heads do not divide the width
    refused(x.q, slice(x.k, 2, 0, 6), x.v, K, {});                  // widths of queries and keys differ
    refused(x.q, x.k, slice(x.v, 0, 0, 3), K, {});                  // numbers of keys and values differ
    refused(x.q, slice(x.k, 1, 0, 1), slice(x.v, 1, 0, 1), K, {});  // numbers of rows and sentences differ
    refused(x.q, x.k, x.v, K, {.lengths = {n, n + 1}});
    refused(x.q, x.k, x.v, K, {.lengths = {n}});
    refused(x.q, x.k, x.v, K, {.sentence = {0, 2}});
    refused(x.q, slice(x.k, 0, 0, 3), slice(x.v, 0, 0, 3), K, {.causal = true});
  }
}

TEST_CASE("attention with weights that are replaced by themselves is unchanged, even over a cache") {
  const AttentionHook same = [](const HookInput& input) { return input.weights; };
  Random random(7);
  const QKV x = random_qkv(random);
  const auto cache = [](const Var& keys) { return transpose(keys, {1, 0, 2}); };
  const AttentionOutput whole = attention(x.q, x.k, x.v, K, {}, ReturnWeights::yes);
  for (const bool cached : {false, true}) {
    const Mask mask{.rows_first = cached};
    const AttentionOutput g =
        attention_with_hook(x.q, cached ? cache(x.k) : x.k, cached ? cache(x.v) : x.v, K, mask, same);
    CHECK(relative_error(g.context.value(), whole.context.value()) < exact);
    CHECK(relative_error(g.weights.value(), whole.weights.value()) < exact);
  }
}
