// Synthetic pictures: the property that a model must name is visible in the picture, at the position that is said.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "data/pictures/picture_file.h"
#include "data/pictures/shapes.h"
#include "data/pictures/synthetic_captions.h"
#include "data/pictures/synthetic_tasks.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;
using Catch::Matchers::StartsWith;

Colour pixel(const Picture& picture, size_t i, size_t j) {
  Colour c;
  std::copy_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>((i * picture.width + j) * 3), 3, c.begin());
  return c;
}

// The pixels that the shape covers, drawn in this colour on black.
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

TEST_CASE("shapes differ in any colour and stay inside the picture") {
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

TEST_CASE("twins share a unique shape, their squares do not touch, and their colours are in the picture") {
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
      CHECK(std::max(apart(object.square / squares_side, twin.square / squares_side),
                     apart(object.square % squares_side, twin.square % squares_side)) > 1);
      if (shape_names[object.shape] == "ring") continue;  // the middle of a ring is empty
      const Colour middle = pixel(twins.picture, object.square / squares_side * square_side + square_side / 2,
                                  object.square % squares_side * square_side + square_side / 2);
      Picture alone{shape_side, shape_side, std::vector<std::uint8_t>(shape_side * shape_side * 3)};
      draw_shape(alone, object.shape, object.colour, 0, 0);
      CHECK(middle == pixel(alone, shape_side / 2, shape_side / 2));
    }
    CHECK((squares.size() == 6 && shapes.size() == 3));
  }
  CHECK(squares_used.size() == squares);
  CHECK(colours_used.size() == colour_names.size());
}

TEST_CASE("lights: exactly the objects that touch a lamp are lit, and lamps are white") {
  autograd::Random random(5);
  size_t lit = 0;
  for (int n = 0; n < 200; ++n) {
    const Lights lights = draw_lights(random);
    std::set<size_t> taken(lights.lamps.begin(), lights.lamps.end());
    for (const size_t lamp : lights.lamps)
      CHECK(pixel(lights.picture, lamp / 4 * 8 + 4, lamp % 4 * 8 + 4) == Colour{255, 255, 255});
    for (const Lights::Object& object : lights.objects) {
      taken.insert(object.square);
      bool near = false;
      for (const size_t lamp : lights.lamps)
        near = near || (apart(object.square / 4, lamp / 4) < 2 && apart(object.square % 4, lamp % 4) < 2);
      CHECK(object.lit == near);
      lit += object.lit;
    }
    CHECK(taken.size() == 8);
  }
  CHECK((lit > 480 && lit < 720));  // 40% to 60% of 1,200
}

TEST_CASE("Mondrians: a patch shows its paint times the light, so two paints under two lights may look the same") {
  autograd::Random random(6);
  std::set<size_t> paints;
  double weakest = 1, strongest = 0;
  for (int n = 0; n < 100; ++n) {
    const Mondrian mondrian = draw_mondrian(random);
    for (const double light : mondrian.light) {
      weakest = std::min(weakest, light), strongest = std::max(strongest, light);
      CHECK((light >= 0.25 && light <= 1));
    }
    for (const Mondrian::Patch& patch : mondrian.objects) {
      paints.insert(patch.paint);
      for (size_t c = 0; c < 3; ++c) {
        double sent = 0;
        for (size_t i = 0; i < 64; ++i)
          sent += pixel(mondrian.picture, patch.square / 4 * 8 + i / 8, patch.square % 4 * 8 + i % 8)[c] / 64.0;
        const double reflected = (patch.paint & (size_t{1} << c)) != 0 ? 230 : 115;
        CHECK(sent == Approx(reflected * mondrian.light[c]).margin(5));
      }
    }
  }
  CHECK(paints.size() == paint_names.size());
  CHECK((weakest < 0.3 && strongest > 0.95));
}

TEST_CASE("boards: they have two things, a square per word of a colour or shape, and only listed words") {
  const std::vector<std::string> words = board_words();
  autograd::Random random(7);
  std::set<std::string> said;
  for (int n = 0; n < 200; ++n) {
    const Board board = draw_board(random);
    REQUIRE((board.caption.size() == 7 && board.gold.size() == 7));
    CHECK((board.gold[1] == board.gold[2] && board.gold[5] == board.gold[6] && board.gold[1] < board.gold[5]));
    CHECK_FALSE((board.gold[0] || board.gold[3] || board.gold[4]));
    said.insert(board.caption.begin(), board.caption.end());
  }
  CHECK(said == std::set<std::string>(words.begin(), words.end()));
}

TEST_CASE("the same seed gives the same picture, and another seed gives another one") {
  autograd::Random one(3), again(3), other(4);
  const Picture picture = draw_twins(one).picture;
  CHECK(picture.rgb == draw_twins(again).picture.rgb);
  CHECK(picture.rgb != draw_twins(other).picture.rgb);
  CHECK(picture.rgb != draw_twins(again).picture.rgb);
}

TEST_CASE("a written PNG contains its size and begins and ends as the standard requires") {
  const Picture picture{2, 3, std::vector<std::uint8_t>(18, 200)};
  const std::string bytes = png(picture);
  CHECK_THAT(bytes, StartsWith("\x89PNG\r\n\x1a\n"));
  CHECK(bytes.substr(12, 14) == std::string("IHDR\0\0\0\3\0\0\0\2\x08\x02", 14));  // 3 wide, 2 high, 8-bit RGB
  CHECK(bytes.substr(bytes.size() - 8, 4) == "IEND");
  CHECK_THROWS_AS(png({2, 3, std::vector<std::uint8_t>(17)}), std::invalid_argument);
  CHECK_THROWS_AS(png({}), std::invalid_argument);
}
