// Pictures drawn from a seed: that what is to be said of an object stands in the picture, and where.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "data/pictures/png.h"
#include "data/pictures/shapes.h"
#include "data/pictures/twins.h"
#include "tests/catch.h"

namespace {

using namespace data;
using Catch::Matchers::StartsWith;

Colour pixel(const Picture& picture, size_t i, size_t j) {
  Colour c;
  std::copy_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>((i * picture.width + j) * 3), 3, c.begin());
  return c;
}

// Each shape in that colour on black: which pixels it covers.
std::set<size_t> covered(size_t shape, size_t colour) {
  Picture black{shape_side, shape_side, std::vector<std::uint8_t>(shape_side * shape_side * 3)};
  draw_shape(black, shape, colour, 0, 0);
  std::set<size_t> pixels;
  for (size_t i = 0; i < shape_side * shape_side; ++i)
    if (pixel(black, 0, i) != Colour{0, 0, 0}) pixels.insert(i);
  return pixels;
}

int apart(size_t a, size_t b) { return std::abs(static_cast<int>(a) - static_cast<int>(b)); }

}  // namespace

TEST_CASE("shapes all look different, whatever their colour, and stay within the picture") {
  std::set<std::set<size_t>> looks;
  for (size_t shape = 0; shape < shape_names.size(); ++shape) {
    looks.insert(covered(shape, 0));
    CHECK(covered(shape, 0) == covered(shape, 5));
    CHECK(covered(shape, 0).size() > 10);
  }
  CHECK(looks.size() == shape_names.size());
  autograd::Random random(1);
  Picture ground = noisy_ground(8, 9, random);
  CHECK(ground.rgb.size() == 8 * 9 * 3);
  CHECK_THROWS_AS(draw_shape(ground, 0, 0, 2, 0), std::out_of_range);
  CHECK_THROWS_AS(draw_shape(ground, 0, 0, 0, 3), std::out_of_range);
  CHECK_THROWS_AS(draw_shape(ground, 6, 0, 0, 0), std::out_of_range);
  CHECK_THROWS_AS(draw_shape(ground, 0, 6, 0, 0), std::out_of_range);
}

TEST_CASE(
    "twins have one shape and no other object has it, their squares do not touch, their colours are in the picture") {
  autograd::Random random(2);
  std::set<size_t> squares_used, colours_used;
  for (int n = 0; n < 200; ++n) {
    const Twins twins = draw_twins(random);
    std::set<size_t> squares, shapes;
    for (size_t i = 0; i < twins.objects.size(); ++i) {
      const Twins::Object &object = twins.objects[i], &twin = twins.objects[object.twin];
      squares.insert(object.square), shapes.insert(object.shape);
      squares_used.insert(object.square), colours_used.insert(object.colour);
      CHECK((object.twin != i && twin.twin == i && twin.shape == object.shape));
      CHECK(std::max(apart(object.square / twins_side, twin.square / twins_side),
                     apart(object.square % twins_side, twin.square % twins_side)) > 1);
      if (shape_names[object.shape] == "ring") continue;  // nothing in its middle
      const Colour middle = pixel(twins.picture, object.square / twins_side * square_side + square_side / 2,
                                  object.square % twins_side * square_side + square_side / 2);
      Picture alone{shape_side, shape_side, std::vector<std::uint8_t>(shape_side * shape_side * 3)};
      draw_shape(alone, object.shape, object.colour, 0, 0);
      CHECK(middle == pixel(alone, shape_side / 2, shape_side / 2));
    }
    CHECK((squares.size() == 6 && shapes.size() == 3));
  }
  CHECK(squares_used.size() == twins_side * twins_side);
  CHECK(colours_used.size() == colour_names.size());
}

TEST_CASE("the same seed draws the same picture, another one another") {
  autograd::Random one(3), again(3), other(4);
  const Picture picture = draw_twins(one).picture;
  CHECK(picture.rgb == draw_twins(again).picture.rgb);
  CHECK(picture.rgb != draw_twins(other).picture.rgb);
  CHECK(picture.rgb != draw_twins(again).picture.rgb);
}

TEST_CASE("a picture as PNG says its size, begins and ends as the standard has it") {
  const Picture picture{2, 3, std::vector<std::uint8_t>(18, 200)};
  const std::string bytes = png(picture);
  CHECK_THAT(bytes, StartsWith("\x89PNG\r\n\x1a\n"));
  CHECK(bytes.substr(12, 14) == std::string("IHDR\0\0\0\3\0\0\0\2\x08\x02", 14));  // 3 wide, 2 high, 8 bits of RGB
  CHECK(bytes.substr(bytes.size() - 8, 4) == "IEND");
  CHECK_THROWS_AS(png({2, 3, std::vector<std::uint8_t>(17)}), std::invalid_argument);
  CHECK_THROWS_AS(png({}), std::invalid_argument);
}
