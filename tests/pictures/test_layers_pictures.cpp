// Compares attention within convolutional networks with PyTorch, and checks properties that hold for any weights.
#include "autograd/gradcheck.h"
#include "autograd/ops/gather.h"
#include "layers/pictures/gates.h"
#include "layers/pictures/non_local.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr std::size_t H = 4, W = 3, N = H * W, B = 2, C = 6;

Var random_picture(std::uint64_t seed) {
  Random random(seed);
  return variable(random_array({N, B, C}, random));
}

// The cells of x in another order.
Var reordered(const Var& x, const Ids& cells) { return gather(x, cells); }
const Ids order{7, 0, 3, 11, 5, 1, 9, 2, 10, 4, 8, 6};

void check_in_open_unit_interval(const Var& gate) {
  for (const Real g : gate.value().span()) CHECK((g > 0 && g < 1));
}

}  // namespace

// Zhang et al. 2019, eq. 1-3; Wang et al. 2018, eq. 6; Hu et al. 2018, eq. 2-4; Woo et al. 2018, eq. 1-3.
TEST_CASE("self-attention over cells, squeeze-and-excitation and CBAM equal their formulas in torch") {
  {
    golden::Golden g("non_local");
    Params p(Random(1));
    const NonLocal block(p, 8, 3, initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const NonLocal::Output out = block(g("x"));
    g.check({{"y", out.y}, {"weights", out.weights}});
  }
  {
    golden::Golden g("squeeze_excitation");
    Params p(Random(1));
    const SqueezeExcitation block(p, 6, 2, initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const Gated out = block(g("x"));
    g.check({{"y", out.y}, {"gate", out.gate}});
  }
  {
    golden::Golden g("cbam");
    Params p(Random(1));
    const Cbam block(p, 6, 3, initialiser_config(InitialiserKind::standard));
    g.adopt(p);
    const Cbam::Output out = block(g("x"), {4, 3});
    g.check({{"y", out.y}, {"channels", out.channels}, {"cells", out.cells}});
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("self-attention over cells and gates: gradients of every parameter equal central differences") {
  Params p(Random(2));
  const NonLocal look(p / "look", C, 2, initialiser_config(InitialiserKind::standard));
  const SqueezeExcitation squeeze(p / "squeeze", C, 3, initialiser_config(InitialiserKind::standard));
  const Cbam cbam(p / "cbam", C, 3, initialiser_config(InitialiserKind::standard));
  Random random(3);
  compare::randomise(p, random);
  std::vector<Var> inputs{random_picture(4)};
  for (const Parameter& parameter : p.all()) inputs.push_back(parameter.var);
  const GradcheckResult check = gradcheck(
      [&](const std::vector<Var>& in) {
        return cbam(squeeze(look(in[0]).y).y, {H, W}).y;
      },
      inputs);
  INFO(check.report);
  CHECK(check.ok);
}
#endif

TEST_CASE("self-attention over cells begins as the identity, and its weights are a distribution for each cell") {
  const NonLocal block(Params(Random(5)), C, 2, initialiser_config(InitialiserKind::standard));
  const Var x = random_picture(6);
  const NonLocal::Output out = block(x);
  CHECK(relative_error(out.y.value(), x.value()) == 0);
  const Array sums = sum(out.weights, {2}).value();
  for (const Real s : sums.span()) CHECK(std::abs(s - 1) < exact);
}

TEST_CASE("self-attention is equivariant to the order of cells, and channel gates are invariant to it") {
  const Var x = random_picture(7);
  const NonLocal look(Params(Random(8)), C, 2, initialiser_config(InitialiserKind::standard), ones());
  CHECK(relative_error(look(reordered(x, order)).y.value(), reordered(look(x).y, order).value()) < exact);
  const SqueezeExcitation squeeze(Params(Random(9)), C, 3, initialiser_config(InitialiserKind::standard));
  CHECK(relative_error(squeeze(reordered(x, order)).gate.value(), squeeze(x).gate.value()) < exact);
  const ChannelGate channel(Params(Random(9)), C, 3, initialiser_config(InitialiserKind::standard));
  CHECK(relative_error(channel(reordered(x, order)).gate.value(), channel(x).gate.value()) < exact);
}

TEST_CASE("gates are between 0 and 1 and scale their input, and spatial gates depend on the cell's position") {
  const Var x = random_picture(10);
  const Cbam cbam(Params(Random(11)), C, 3, initialiser_config(InitialiserKind::standard));
  const Cbam::Output out = cbam(x, {H, W});
  check_in_open_unit_interval(out.channels);
  check_in_open_unit_interval(out.cells);
  CHECK(out.channels.shape() == Shape{B, C});
  CHECK(out.cells.shape() == Shape{N, B, 1});
  CHECK(relative_error((x * out.channels * out.cells).value(), out.y.value()) < exact);
  const Cbam::Output moved = cbam(reordered(x, order), {H, W});
  CHECK(relative_error(moved.cells.value(), reordered(out.cells, order).value()) > 1e-3);
}
