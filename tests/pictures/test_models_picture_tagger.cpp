// A small convolutional network that labels every cell: gradients, shapes, and which pixels influence a cell.
#include "models/pictures/picture_tagger.h"

#include "autograd/gradcheck.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace models;
using autograd::Array;
using autograd::Params;
using autograd::Random;
using autograd::Shape;
using Layer = PictureTagger::Layer;

const std::vector<Layer> every_layer{Layer::nothing,      Layer::convolution, Layer::attention,
                                     Layer::channel_gate, Layer::cell_gate,   Layer::both_gates};
constexpr Grid grid{24, 20};  // 24 x 20 pixels make 6 x 5 cells

PictureTagger::Options tiny(Layer layer) {
  return {.layer = layer, .labels = 3, .first = 4, .width = 12, .keys = 2, .inner = 3};
}

}  // namespace

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("picture tagger: gradients equal central differences") {
  for (const Layer layer : every_layer) {
    const Params p{Random(1)};
    const PictureTagger model(tiny(layer), p);
    Random random(2);
    const Var pixels = constant(compare::random_array({64, 2, 3}, random));
    const autograd::Ids labels{0, -1, 2, 1, 1, -1, 0, 2};
    const autograd::GradcheckResult check = autograd::gradcheck(p, [&] {
      return cross_entropy(reshape(model(pixels, {8, 8}).logits, {8, 3}), labels, {.ignore = -1});
    });
    INFO(check.report);
    CHECK(check.ok);
  }
}
#endif

TEST_CASE(
    "picture tagger: a cell depends on itself, with convolution on neighbours, with attention or channel gates on "
    "all") {
  CHECK(PictureTagger::cells(grid) == Grid{6, 5});
  for (const Layer layer : every_layer) {
    const Params p{Random(3)};
    const PictureTagger model(tiny(layer), p);
    Random random(4);
    const Array before = compare::random_array({grid.cells(), 1, 3}, random);
    Array after = before.clone();
    for (std::size_t c = 0; c < 3; ++c) after[(8 * grid.width + 8) * 3 + c] += 1;  // a pixel of cell (2, 2)
    const auto read = [&](const Array& pixels) { return model(constant(pixels), grid).logits.value(); };
    const Array a = read(before), b = read(after);
    REQUIRE(a.shape() == Shape{30, 1, 3});
    std::size_t changed = 0;
    for (std::size_t cell = 0; cell < 30; ++cell)
      changed += !compare::same_bits(a.rows(cell, cell + 1), b.rows(cell, cell + 1));
    // The gate of cells has a window of 7 x 7, so cell (2, 2) reaches rows 0 to 5 and columns 0 to 4. A cell that is 0
    // passes nothing on.
    CHECK(changed == (layer == Layer::nothing ? 1 : layer == Layer::convolution ? 9 : 30));
  }
}

TEST_CASE("picture tagger: a picture has the same output in a batch, and each layer has its weights or gates") {
  Random random(5);
  const Var both = constant(compare::random_array({grid.cells(), 2, 3}, random));
  for (const Layer layer : every_layer) {
    const Params p{Random(6)};
    const PictureTagger model(tiny(layer), p);
    const auto in_batch = model(both, grid), alone = model(slice(both, 1, 1, 2), grid);
    CHECK(compare::relative_error(slice(in_batch.logits, 1, 1, 2).value(), alone.logits.value()) <
          (sizeof(autograd::Real) == 8 ? 1e-12 : 1e-5));
    CHECK(alone.weights.defined() == (layer == Layer::attention));
    if (alone.weights.defined()) CHECK(alone.weights.shape() == Shape{30, 1, 30});
    CHECK(alone.channels.defined() == (layer == Layer::channel_gate || layer == Layer::both_gates));
    if (alone.channels.defined()) CHECK(alone.channels.shape() == Shape{1, 12});
    CHECK(alone.cells.defined() == (layer == Layer::cell_gate || layer == Layer::both_gates));
    if (alone.cells.defined()) CHECK(alone.cells.shape() == Shape{30, 1, 1});
  }
}
