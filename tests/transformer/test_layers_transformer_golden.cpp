// Compares values and gradients of the Transformer's parts with PyTorch.
#include "autograd/kernels.h"
#include "autograd/ops/shape.h"
#include "layers/transformer/block.h"
#include "layers/transformer/positions.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using golden::Golden;
using Lengths = std::vector<std::size_t>;

constexpr std::size_t d = 6, K = 2, f = 8, B = 2;

Var steps_of(const Var& x) { return reshape(x, {x.dim(0) / B, B, d}); }
Var rows_of(const Var& x) { return reshape(x, {x.dim(0) * B, d}); }

BlockOptions options(const std::string& norm) {
  return {.self = {.width = d, .heads = K}, .feed_forward = f, .norm = value_named<Norm>(norm).value()};
}

}  // namespace

// Ba et al. 2016, eq. 3-4.
TEST_CASE("layer norm equals torch.nn.LayerNorm") {
  const KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed));
  Golden g("layer_norm");
  g.check({{"y", layer_norm(g("x"), g("g"), g("b"))}});
}

TEST_CASE("positions concatenated to words equal torch's product with both") {
  Golden g("concatenated_positions");
  const Params p{Random(1)};
  const Positions positions(p, PositionKind::concatenated, 0, d, normal(1));
  g.adopt(p);
  g.check({{"y", rows_of(positions(steps_of(g("x")), g.fact<std::size_t>("first")))}});
}

// Vaswani et al. 2017, eq. 1, section 3.2.2.
TEST_CASE("multi-head self-attention, causal attention and cross-attention equal PyTorch's") {
  const KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed));
  for (const std::string& kind : golden::cases("multi_head")) {
    INFO(kind);
    Golden g("multi_head", kind);
    Params p{Random(1)};
    const MultiHead attention(p / "attention", d, K, initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const Var x = steps_of(g("x")), y = kind == "cross" ? steps_of(g("states")) : x;
    const Mask mask = kind == "causal" ? Mask{.causal = true} : Mask{.lengths = g.fact<Lengths>("lengths")};
    const AttentionOutput seen = attention(attention.query(x), attention.keys(y), mask, ReturnWeights::yes);
    g.check({{"context", rows_of(seen.context)}, {"weights", seen.weights}});
  }
}

// Vaswani et al. 2017, eq. 2, section 3.1; Xiong et al. 2020, table 1.
TEST_CASE("an encoder layer equals torch.nn.TransformerEncoderLayer with pre-norm and post-norm") {
  const KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed, Kernels::tiled));
  for (const std::string& norm : golden::cases("encoder_block")) {
    INFO(norm);
    Golden g("encoder_block", norm);
    Params p{Random(1)};
    const EncoderBlock block(p, options(norm), initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const Mask mask{.lengths = g.fact<Lengths>("lengths")};
    g.check({{"y", rows_of(block(steps_of(g("x")), mask, ReturnWeights::no, nullptr).x)}});
  }
}

// Vaswani et al. 2017, section 3.1; Xiong et al. 2020, table 1.
TEST_CASE("a decoder layer equals torch.nn.TransformerDecoderLayer with pre-norm and post-norm") {
  const KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed, Kernels::tiled));
  for (const std::string& norm : golden::cases("decoder_block")) {
    INFO(norm);
    Golden g("decoder_block", norm);
    Params p{Random(1)};
    const DecoderBlock block(p, options(norm), initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const Mask mask{.lengths = g.fact<Lengths>("lengths")};
    const MultiHead::Keys memory = block.memory(steps_of(g("states")));
    g.check({{"y", rows_of(block(steps_of(g("x")), memory, mask, ReturnWeights::no, nullptr).x)}});
  }
}
