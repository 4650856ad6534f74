// The initialisation of parameters: bounds, standard deviations, orthogonality, and the numbers of the papers.
#include <cmath>

#include "layers/attention/scores.h"
#include "layers/dense/embedding.h"
#include "layers/dense/linear.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using Catch::Matchers::Contains;

Array made(const Initialiser& initialise, const Shape& shape, std::uint64_t seed = 1) {
  Random random(seed);
  Array w(shape);
  initialise(w, random);
  return w;
}

double mean(const Array& a) {
  double total = 0;
  for (const Real v : a.span()) total += v;
  return total / static_cast<double>(a.size());
}
double deviation(const Array& a) {
  double total = 0;
  const double m = mean(a);
  for (const Real v : a.span()) total += (v - m) * (v - m);
  return std::sqrt(total / static_cast<double>(a.size()));
}
double largest(const Array& a) {
  double most = 0;
  for (const Real v : a.span()) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

// max |Q'Q - I| over the square blocks of w (n, n * blocks)
double distance_from_orthogonal(const Array& w) {
  const std::size_t n = w.dim(0), width = w.dim(1);
  double worst = 0;
  for (std::size_t block = 0; block < width / n; ++block)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double product = i == j ? -1 : 0;
        for (std::size_t k = 0; k < n; ++k)
          product += double(w[k * width + block * n + i]) * w[k * width + block * n + j];
        worst = std::max(worst, std::abs(product));
      }
  return worst;
}
const double rounding = sizeof(Real) == 8 ? 1e-12 : 1e-5;

}  // namespace

TEST_CASE("normal and uniform numbers have the requested spread") {
  const Array n = made(normal(0.02), {100, 200});
  CHECK(std::abs(mean(n)) < 0.02 * 4 / std::sqrt(20000.0));
  CHECK(deviation(n) == Approx(0.02).epsilon(0.03));
  const Array u = made(uniform(0.3), {100, 200});
  CHECK(largest(u) <= 0.3);
  CHECK(largest(u) > 0.29);
  CHECK(deviation(u) == Approx(0.3 / std::sqrt(3.0)).epsilon(0.03));
}

// Glorot & Bengio 2010, eq. 16.
TEST_CASE("glorot numbers stay inside sqrt(6 / (fan in + fan out)) and reach it, for each gate") {
  const double plain = std::sqrt(6.0 / (80 + 120)), gates = std::sqrt(6.0 / (80 + 30));
  for (const auto& [blocks, bound] : {std::pair{std::size_t{1}, plain}, std::pair{std::size_t{4}, gates}}) {
    const Array w = made(glorot(blocks), {80, 120});
    CHECK(largest(w) <= bound * (1 + 1e-6));
    CHECK(largest(w) > 0.98 * bound);
    CHECK(deviation(w) == Approx(bound / std::sqrt(3.0)).epsilon(0.05));
  }
}

TEST_CASE("orthogonal weights are orthogonal for each gate, and gates differ") {
  for (const std::size_t n : {1, 2, 7, 64}) {
    const Array w = made(orthogonal(4), {n, 4 * n});
    CHECK(distance_from_orthogonal(w) < rounding);
    if (n > 1) CHECK(w[0] != w[n]);
  }
  CHECK_THROWS_WITH(made(orthogonal(4), {3, 9}), Contains("(3, 9)") && Contains("4 square blocks"));
}

// Bahdanau et al. 2015, appendix B.1.
TEST_CASE("the configuration of the paper follows Bahdanau et al. 2015, appendix B.1") {
  Random random(3);
  Params p(random);
  const InitialiserConfig init = initialiser_config(InitialiserKind::paper);
  const GRU gru(p / "gru", 50, 60, init, autograd::GRUForm::cho);
  const LSTM lstm(p / "lstm", 50, 60, init);
  const AdditiveScore attention(p / "attention", 60, 120, 70, false, init);
  const Linear linear(p / "output", 60, 80, init.input(1));
  const Embedding embedding(p / "source", 100, 50, init.embedding);
  for (const Var& W : {gru.W, lstm.W, linear.W, embedding.E}) CHECK(deviation(W.value()) == Approx(0.01).epsilon(0.05));
  for (const Var& W : {attention.W_a, attention.U_a}) CHECK(deviation(W.value()) == Approx(0.001).epsilon(0.05));
  for (const Var& zero : {attention.v_a, gru.b, lstm.b, linear.b}) CHECK(largest(zero.value()) == 0);
  for (const Var& U : {gru.U, lstm.U}) CHECK(distance_from_orthogonal(U.value()) < rounding);
}

TEST_CASE("the configuration luong follows Luong et al. 2015, section 4.1, except for biases") {
  Random random(3);
  Params p(random);
  const InitialiserConfig init = initialiser_config(InitialiserKind::luong);
  const LSTM lstm(p / "lstm", 50, 60, init);
  const GeneralScore attention(p / "attention", 60, 60, 1, init);
  const AdditiveScore concat(p / "concat", 60, 60, 70, false, init);
  const Embedding embedding(p / "source", 100, 50, init.embedding);
  for (const Var& W : {lstm.W, lstm.U, attention.W_a, concat.W_a, concat.U_a, concat.v_a, embedding.E}) {
    CHECK(largest(W.value()) <= 0.1);
    CHECK(deviation(W.value()) == Approx(0.1 / std::sqrt(3.0)).epsilon(W.value().size() > 100 ? 0.05 : 0.3));
  }
  CHECK(largest(lstm.b.value()) == 0);
}

TEST_CASE("the configuration luong has larger weights for fewer than 128 units, with the same variance of sums") {
  // The sum of n inputs of variance v, each times a weight in U[-a, a], has the variance n v a^2 / 3.
  const auto bound = [](std::size_t hidden) {
    return largest(made(initialiser_config(InitialiserKind::luong, hidden).recurrent(4), {64, 256}));
  };
  CHECK(bound(32) == Approx(0.2).epsilon(0.01));
  CHECK(bound(64) == Approx(0.1 * std::sqrt(2.0)).epsilon(0.01));
  for (const std::size_t hidden : {128, 1000}) CHECK(bound(hidden) == Approx(0.1).epsilon(0.01));
  const InitialiserConfig init = initialiser_config(InitialiserKind::luong, 32);
  for (const Initialiser& each : {init.embedding, init.input(4), init.attention, init.attention_v})
    CHECK(largest(made(each, {64, 256})) == Approx(0.2).epsilon(0.01));
}

// Vaswani et al. 2017, section 3.4.
TEST_CASE("the transformer's configuration initialises embeddings as N(0, 1/d), and the rest as default does") {
  const InitialiserConfig init = initialiser_config(InitialiserKind::transformer);
  CHECK(deviation(made(init.embedding, {400, 64})) == Approx(1 / 8.0).epsilon(0.03));
  CHECK(deviation(made(init.embedding, {400, 16})) == Approx(1 / 4.0).epsilon(0.05));
  for (const auto& [own, common] : {std::pair{init.input(4), glorot(4)}, std::pair{init.attention, glorot(1)}})
    CHECK(compare::same_bits(made(own, {8, 12}), made(common, {8, 12})));
}

TEST_CASE("the default configuration has orthogonal recurrences, no bias and attention that learns at once") {
  Random random(3);
  Params p(random);
  const InitialiserConfig init = initialiser_config(InitialiserKind::standard);
  const LSTM lstm(p / "lstm", 50, 60, init);
  const AdditiveScore attention(p / "attention", 60, 120, 70, false, init);
  CHECK(distance_from_orthogonal(lstm.U.value()) < rounding);
  CHECK(largest(lstm.W.value()) <= std::sqrt(6.0 / (50 + 60)) * (1 + 1e-6));
  CHECK(largest(lstm.b.value()) == 0);
  CHECK(largest(attention.v_a.value()) > 0);
}

TEST_CASE("the same seed gives the same numbers, and other seeds and other names give others") {
  CHECK(compare::same_bits(made(normal(1), {20}, 1), made(normal(1), {20}, 1)));
  CHECK(!compare::same_bits(made(normal(1), {20}, 1), made(normal(1), {20}, 2)));
  const Params few(Random(9)), many(Random(9));
  many.declare("first", {3}, normal(1));
  const Var a = few.declare("W", {20}, normal(1)), b = many.declare("W", {20}, normal(1));
  CHECK(compare::same_bits(a.value(), b.value()));
}
