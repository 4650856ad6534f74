// The memory that a backward pass needs in addition to the memory of the forward pass. It limits the size of models.
#include "autograd/array.h"
#include "autograd/memory.h"
#include "autograd/ops/fused.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "layers/recurrent/cell.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using autograd::array_bytes;
using autograd::variable;
using compare::random_array;

// The peak of memory during work(), in bytes above the memory that is in use before.
template <class Work>
std::size_t most_asked(const Work& work) {
  autograd::forget_most_array_bytes();
  const std::size_t before = array_bytes().now;
  work();
  return array_bytes().most - before;
}

// The memory of the backward pass through S steps of a cell, and the number of gates of the cell.
struct WayBack {
  std::size_t bytes, gates;
};
WayBack way_back(CellKind kind, std::size_t S, std::size_t B, std::size_t H) {
  const std::size_t E = 4;
  Random random(1);
  Params p(random);
  const Cell cell(p / "cell", kind, E, H, initialiser_config(InitialiserKind::standard));
  const Var loss = sum(cell.run(variable(random_array({S, B, E}, random)), {}, Direction::forward).h);
  return {most_asked([&] { backward(loss); }), cell.gates()};
}

constexpr std::size_t wide = 1100;  // a matrix (wide, wide) is a large weight (autograd/kernels/gemm.cpp)
constexpr std::size_t bytes_of_wide = wide * wide * sizeof(Real);

}  // namespace

TEST_CASE("gradients of a cell's gates reuse the memory of the gates") {
  const std::size_t S = 60, B = 16, H = 24;
  for (const auto& [kind_name, kind] : names_of(CellKind{})) {
    INFO(kind_name);
    const WayBack back = way_back(kind, S, B, H);
    CHECK(back.bytes < S * B * back.gates * sizeof(Real));
  }
}

TEST_CASE("the packed copy of a cell's recurrent weights is freed before their gradient is computed") {
  const std::size_t H = 600;
  for (const auto& [kind_name, kind] : names_of(CellKind{})) {
    INFO(kind_name);
    const WayBack back = way_back(kind, 2, 4, H);
    const std::size_t recurrent = H * back.gates * sizeof(Real);
    CHECK(back.bytes < recurrent + recurrent / 2);
  }
}

TEST_CASE("the packed copy of a large weight is freed before its gradient is computed") {
  Random random(2);
  const Var W = variable(random_array({wide, wide}, random)), x = variable(random_array({4, wide}, random));
  const Var loss = sum(matmul(x, W));
  CHECK(most_asked([&] { backward(loss); }) < bytes_of_wide / 2);
}

TEST_CASE("the packed copies for the forward pass are freed before the output layer's gradients are computed") {
  Random random(3);
  const Var W = variable(random_array({wide, wide}, random)), x = variable(random_array({4, wide}, random));
  const Var W_o = variable(random_array({wide, 10}, random)), b = variable(autograd::zeros({10}));
  const std::size_t before = array_bytes().now;
  const Var h = matmul(x, W);
  CHECK(array_bytes().now - before > bytes_of_wide);
  const Var losses = autograd::fused::output_cross_entropy(h, W_o, b, autograd::all_rows(4), 0, -1);
  CHECK(array_bytes().now - before < bytes_of_wide / 2);
}
