// Exact properties of the Transformer's parts, for any parameters.
#include <cmath>
#include <numeric>
#include <tuple>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"
#include "layers/state.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using Catch::Matchers::Contains;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t d = 8, K = 2, T = 6, B = 3;

using Kind = SelfAttention::Kind;

BlockOptions options(Norm norm, Kind kind = Kind::softmax, bool rotary = false) {
  return {.self = {.kind = kind, .width = d, .heads = K, .rotary = rotary, .max_positions = T},
          .feed_forward = 12,
          .norm = norm};
}

// Every kind of self-attention, with softmax also rotary positions, in both norms.
std::vector<BlockOptions> all_options() {
  std::vector<BlockOptions> all;
  for (const Norm norm : {Norm::pre, Norm::post}) {
    for (const auto& [name, kind] : names_of(SelfAttentionKind{})) all.push_back(options(norm, kind));
    all.push_back(options(norm, Kind::softmax, true));
  }
  return all;
}

const std::vector<std::size_t> lengths{T, 2, 4};

Var random_steps(std::size_t steps, Random& random) { return constant(random_array({steps, B, d}, random)); }

// An encoder layer with random parameters, and a batch for it.
struct DrawnEncoder {
  Random random{12};
  Params p{Random(13)};
  EncoderBlock block;
  Var x;  // (T, B, d)
  explicit DrawnEncoder(const BlockOptions& o) : block(p, o, initialiser_config(InitialiserKind::standard)) {
    compare::randomise(p, random);
    x = random_steps(T, random);
  }
};

}  // namespace

TEST_CASE("layer norm is invariant to the scale and the shift of a row, except for epsilon") {
  Random random(1);
  const Var x = constant(random_array({5, 64}, random)), g = constant(random_array({64}, random)),
            b = constant(random_array({64}, random));
  CHECK(relative_error(layer_norm(x * Real(3) + Real(2), g, b).value(), layer_norm(x, g, b).value()) < 1e-4);
  CHECK(relative_error(layer_norm(x * Real(3) + Real(2), g, b, 0).value(), layer_norm(x, g, b, 0).value()) <
        10 * exact);
}

// Vaswani et al. 2017, section 3.5.
TEST_CASE("sinusoids: a shift of the position rotates every pair, and dot products depend on the distance") {
  constexpr std::size_t n = 40, width = 16, shift = 7;
  const Array P = sinusoids(0, n + shift, width);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < width / 2; ++j) {
      const double w = std::pow(10000.0, -2 * static_cast<double>(j) / width) * shift;
      const double s = P[i * width + 2 * j], c = P[i * width + 2 * j + 1];
      CHECK(P[(i + shift) * width + 2 * j] == Approx(std::cos(w) * s + std::sin(w) * c).margin(10 * exact));
      CHECK(P[(i + shift) * width + 2 * j + 1] == Approx(-std::sin(w) * s + std::cos(w) * c).margin(10 * exact));
    }
  const auto product = [&](std::size_t i, std::size_t k) {
    double total = 0;
    for (std::size_t j = 0; j < width; ++j) total += static_cast<double>(P[i * width + j] * P[k * width + j]);
    return total;
  };
  CHECK(product(5, 5) == Approx(width / 2.0));
  CHECK(product(3, 8) == Approx(product(20, 25)).margin(10 * exact));
  CHECK(product(3, 8) == Approx(product(25, 20)).margin(10 * exact));
  CHECK(compare::same_bits(sinusoids(3, 4, width), P.rows(3, 7)));
}

TEST_CASE("positions: they are added to the embeddings, and a learned table knows its length") {
  Random random(3);
  const Var x = random_steps(T, random);
  const auto made = [&](PositionKind kind, std::size_t L) {
    return Positions(Params(Random(1)), kind, L, d, normal(1));
  };
  CHECK(compare::same_bits(made(PositionKind::none, 0)(x).value(), x.value()));
  CHECK(compare::same_bits(made(PositionKind::rotary, 0)(x, 2).value(), x.value()));
  CHECK(made(PositionKind::rotary, 0).rotary());
  CHECK(name_of(PositionKind::rotary) == std::string("rotary"));
  for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned, PositionKind::concatenated}) {
    const Positions p = made(kind, T);
    const Var last = slice(x, 0, T - 1, T);
    const Array alone = p(last, T - 1).value(), of_all = slice(p(x), 0, T - 1, T).value();
    INFO(name_of(kind));
    // Concatenation multiplies by W. BLAS computes the product of all rows, and it may round differently from the
    // kernel that computes the product of the last step.
    if (kind == PositionKind::concatenated) CHECK(relative_error(alone, of_all) < exact);
    else CHECK(compare::same_bits(alone, of_all));
    CHECK(relative_error(p(x).value(), x.value()) > 0.1);
  }
  CHECK_THROWS_WITH(made(PositionKind::learned, T - 1)(x),
                    Contains("the text has 6 tokens") && Contains("only 5 positions"));
  CHECK_THROWS_AS(Positions(Params(Random(1)), PositionKind::sinusoidal, T, 7, normal(1)), std::invalid_argument);
}

TEST_CASE("positions: concatenation with the identity for both halves of W equals adding the sinusoids") {
  Random random(4);
  const Var x = random_steps(T, random);
  const Params p{Random(1)};
  const Positions concatenated(p, PositionKind::concatenated, 0, d, normal(1));
  const Positions added(Params(Random(1)), PositionKind::sinusoidal, 0, d, normal(1));
  const Var W = p.all().front().var;
  REQUIRE(W.shape() == Shape{2 * d, d});
  const auto set = [&](double word, double position) {
    for (std::size_t i = 0; i < 2 * d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        W.mutable_value()[i * d + j] = static_cast<Real>(i % d != j ? 0 : i < d ? word : position);
  };
  set(1, 1);
  CHECK(relative_error(concatenated(x, 2).value(), added(x, 2).value()) < exact);
  set(1, 0);  // no row of W reads positions now
  CHECK(relative_error(concatenated(x, 2).value(), x.value()) < exact);
  set(0, 1);
  CHECK(relative_error(concatenated(x, 2).value(), added(x * 0, 2).value()) < exact);
  CHECK_THROWS_AS(Positions(Params(Random(1)), PositionKind::concatenated, 0, 7, normal(1)), std::invalid_argument);
}

// Vaswani et al. 2017, section 3.2.2.
TEST_CASE("multi-head attention is the sum over the heads of head_k times its rows of W_O") {
  Random random(4);
  Params p{Random(5)};
  const MultiHead attention(p, d, K, initialiser_config(InitialiserKind::standard));
  compare::randomise(p, random);
  const Var x = random_steps(T, random);
  const Mask mask{.lengths = lengths};
  const MultiHead::Keys y = attention.keys(x);
  const Var heads = layers::attention(attention.query(x), y.keys, y.values, K, mask).context;
  Var total = attention.output.b;
  for (std::size_t k = 0; k < K; ++k)
    total = total + matmul(slice(heads, 2, k * d / K, (k + 1) * d / K),
                           slice(attention.output.W, 0, k * d / K, (k + 1) * d / K));
  CHECK(relative_error(attention(attention.query(x), y, mask, ReturnWeights::no).context.value(), total.value()) <
        exact);
  CHECK_THROWS_WITH(MultiHead(p / "other", 8, 3, initialiser_config(InitialiserKind::standard)),
                    Contains("3 heads") && Contains("8"));
  CHECK_THROWS_WITH(MultiHead(p / "none", 8, 0, initialiser_config(InitialiserKind::standard)),
                    Contains("0 heads") && Contains("8"));
}

TEST_CASE("a pre-norm layer with outputs multiplied by 0 is the identity") {
  Random random(6);
  Params p{Random(7)};
  const EncoderBlock encoder(p / "encoder", options(Norm::pre), initialiser_config(InitialiserKind::standard));
  const DecoderBlock decoder(p / "decoder", options(Norm::pre), initialiser_config(InitialiserKind::standard));
  compare::randomise(p, random);
  for (const Parameter& parameter : p.all())
    if (parameter.name.find("output/") != std::string::npos || parameter.name.find("second/") != std::string::npos)
      parameter.var.mutable_value().fill(0);
  const Var x = random_steps(T, random);
  const Mask mask{.lengths = lengths};
  CHECK(compare::same_bits(encoder(x, mask, ReturnWeights::no, nullptr).x.value(), x.value()));
  CHECK(compare::same_bits(decoder(x, decoder.memory(x), mask, ReturnWeights::no, nullptr).x.value(), x.value()));
}

// Vaswani et al. 2017, section 3.2.3.
TEST_CASE("a decoder layer step by step equals all steps at once, for every rule of self-attention") {
  for (const BlockOptions& o : all_options()) {
    INFO(static_cast<int>(o.self.kind) << o.self.rotary << static_cast<int>(o.norm));
    Random random(8);
    Params p{Random(9)};
    const DecoderBlock block(p, o, initialiser_config(InitialiserKind::standard));
    compare::randomise(p, random);
    const Var x = random_steps(T, random), states = random_steps(T, random);
    const MultiHead::Keys memory = block.memory(states);
    const Mask mask{.lengths = lengths};
    const DecoderBlock::Output whole = block(x, memory, mask, ReturnWeights::yes, nullptr);
    KVCache cache;
    for (std::size_t t = 0; t < T; ++t) {
      const DecoderBlock::Output step = block.step(slice(x, 0, t, t + 1), t, cache, memory, mask);
      CHECK(relative_error(step.x.value(), whole.x.value().rows(t, t + 1)) < 10 * exact);
      CHECK(relative_error(step.cross.value(), whole.cross.value().rows(t * B, (t + 1) * B)) < 10 * exact);
      cache = step.cache;
      each_var("", cache, [](const std::string&, const Var& part) { CHECK(part.dim(0) == B); });
    }
  }
}

TEST_CASE("a causal encoder layer step by step equals all steps at once") {
  for (const BlockOptions& o : all_options()) {
    INFO(static_cast<int>(o.self.kind) << o.self.rotary << static_cast<int>(o.norm));
    const DrawnEncoder drawn(o);
    const auto& [block, x] = std::tie(drawn.block, drawn.x);
    const Array whole = block(x, {.causal = true}, ReturnWeights::no, nullptr).x.value();
    KVCache cache;
    for (std::size_t t = 0; t < T; ++t) {
      const EncoderBlock::Output step = block.step(slice(x, 0, t, t + 1), t, cache);
      CHECK(relative_error(step.x.value(), whole.rows(t, t + 1)) < 10 * exact);
      cache = step.cache;
    }
  }
}

TEST_CASE("layers of rows that name their sentence equal those of the sentence, and replaced weights take effect") {
  Random random(10);
  Params p{Random(11)};
  const DecoderBlock block(p, options(Norm::pre), initialiser_config(InitialiserKind::standard));
  compare::randomise(p, random);
  const Var x = random_steps(1, random);
  const MultiHead::Keys memory = block.memory(random_steps(T, random));
  const DecoderBlock::Output own = block.step(x, 0, {}, memory, {.lengths = lengths});
  const Ids order{2, 0};
  const Var rows = transpose(gather(transpose(x, {1, 0, 2}), order), {1, 0, 2});
  const DecoderBlock::Output chosen = block.step(rows, 0, {}, memory, {.lengths = lengths, .sentence = order});
  CHECK(relative_error(chosen.cross.value(), gather(own.cross, order).value()) < exact);

  const DecoderBlock::Output same = block.step(x, 0, {}, memory, {.lengths = lengths}, [](const HookInput& input) {
    CHECK(input.scores.shape() == Shape{B, K, T});
    CHECK(input.scores.value()[(1 * K) * T + 2] == -std::numeric_limits<Real>::infinity());  // this position is padding
    return input.weights;
  });
  CHECK(relative_error(same.x.value(), own.x.value()) < 10 * exact);
  const DecoderBlock::Output first = block.step(x, 0, {}, memory, {.lengths = lengths}, [](const HookInput& input) {
    Array weights = zeros(input.weights.shape());
    for (std::size_t i = 0; i < weights.size(); i += T) weights[i] = 1;
    return constant(weights);
  });
  CHECK(relative_error(first.x.value(), own.x.value()) > 1e-3);
  CHECK_THROWS_AS(block.step(x, 0, {}, memory, {},
                             [](const HookInput&) {
                               return constant(zeros({1, 1, 1}));
                             }),
                  std::invalid_argument);
}

TEST_CASE("an encoder layer: a sentence alone equals the same sentence in a padded batch") {
  for (const BlockOptions& o : all_options()) {
    INFO(static_cast<int>(o.self.kind) << o.self.rotary << static_cast<int>(o.norm));
    const DrawnEncoder drawn(o);
    const auto& [block, x] = std::tie(drawn.block, drawn.x);
    const auto alone = [](const Var& all) { return slice(slice(all, 1, 1, 2), 0, 0, 2); };
    const Var batch = block(x, {.lengths = lengths}, ReturnWeights::no, nullptr).x;
    CHECK(relative_error(alone(batch).value(), block(alone(x), {}, ReturnWeights::no, nullptr).x.value()) < 10 * exact);
  }
}

// Kobayashi et al. 2020, section 3.
TEST_CASE("norm-based weights are the lengths of what each position adds to the context, scaled to sum 1") {
  Random random(1);
  Params params{Random(2)};
  const MultiHead attention(params / "cross", d, K, initialiser_config(InitialiserKind::standard));
  constexpr std::size_t S = 5;
  const auto keys = attention.keys(random_steps(S, random));
  const std::vector<std::size_t> source{S, 2, 4};
  const auto input = [&](const MultiHead::Keys& y) {
    return attention(attention.query(random_steps(T, random)), y, {.lengths = source}, ReturnWeights::yes);
  };
  const Var alpha = input(keys).weights;  // (T*B, K, S)
  const Array n = NormBasedWeights(attention, keys.values)(alpha, {0, 1, 2}).value();
  REQUIRE(n.shape() == Shape{T * B, S});
  for (std::size_t r = 0; r < T * B; ++r) {
    const std::size_t b = r % B;
    std::vector<double> lengths_of(S);
    for (std::size_t s = 0; s < S; ++s) {
      for (std::size_t i = 0; i < d; ++i) {
        double added = 0;
        for (std::size_t j = 0; j < d; ++j)
          added += alpha.value()[(r * K + j / (d / K)) * S + s] * keys.values.value()[(s * B + b) * d + j] *
                   attention.output.W.value()[j * d + i];
        lengths_of[s] += added * added;
      }
      lengths_of[s] = std::sqrt(lengths_of[s]);
    }
    const double sum = std::accumulate(lengths_of.begin(), lengths_of.end(), 0.0);
    for (std::size_t s = 0; s < S; ++s) {
      CHECK(n[r * S + s] == Approx(lengths_of[s] / sum).epsilon(100 * exact));
      CHECK((n[r * S + s] > 0) == (s < source[b]));
    }
  }
  // Rows of some sentences in another order, and rows whose weights are all 0.
  const Array some = NormBasedWeights(attention, keys.values)(gather(alpha, {2, 0}), {2, 0}).value();
  CHECK(relative_error(some, Array(concat({constant(n.rows(2, 3)), constant(n.rows(0, 1))}, 0).value())) < exact);
  CHECK(compare::same_bits(NormBasedWeights(attention, keys.values)(constant(zeros({1, K, S})), {1}).value(),
                           zeros({1, S})));
}
