// Pictures in other sizes: each pixel the mean of what it covers.
#include "data/pictures/scaled.h"

#include <stdexcept>

#include "data/pictures/shapes.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;
using Values = std::vector<std::uint8_t>;

// Each value three times.
Picture grey(size_t height, size_t width, const Values& values) {
  Picture picture{height, width, {}};
  for (const std::uint8_t v : values) picture.rgb.insert(picture.rgb.end(), 3, v);
  return picture;
}

}  // namespace

TEST_CASE("the same size is the same picture") {
  autograd::Random random(1);
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {5, 8}, {24, 24}}) {
    const Picture picture = noisy_ground(height, width, random), same = scaled(picture, height, width);
    CHECK((same.height == height && same.width == width && same.rgb == picture.rgb));
  }
}

TEST_CASE("a smaller picture has the means of what its pixels cover") {
  CHECK(scaled(grey(2, 2, {0, 10, 20, 31}), 1, 1).rgb == grey(1, 1, {15}).rgb);  // 15.25
  CHECK(scaled(grey(2, 2, {0, 10, 20, 32}), 1, 1).rgb == grey(1, 1, {16}).rgb);  // 15.5
  CHECK(scaled(grey(1, 4, {0, 4, 100, 104}), 1, 2).rgb == grey(1, 2, {2, 102}).rgb);
  CHECK(scaled(grey(4, 1, {0, 4, 100, 104}), 2, 1).rgb == grey(2, 1, {2, 102}).rgb);
  // Of three pixels two take one and a half each: (2 * 30 + 60) / 3, (60 + 2 * 90) / 3.
  CHECK(scaled(grey(1, 3, {30, 60, 90}), 1, 2).rgb == grey(1, 2, {40, 80}).rgb);
  CHECK(scaled({1, 2, {0, 100, 200, 10, 110, 250}}, 1, 1).rgb == Values{5, 105, 225});  // each colour alone
}

TEST_CASE("a larger picture repeats its pixels, mixed where they meet") {
  CHECK(scaled(grey(1, 2, {10, 20}), 2, 4).rgb == grey(2, 4, {10, 10, 20, 20, 10, 10, 20, 20}).rgb);
  CHECK(scaled(grey(1, 2, {10, 20}), 1, 3).rgb == grey(1, 3, {10, 15, 20}).rgb);
}

TEST_CASE("one colour stays one colour, and the mean stays the mean") {
  const Picture white = grey(100, 70, Values(7000, 255));
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {33, 64}, {99, 71}})
    CHECK(scaled(white, height, width).rgb == Values(height * width * 3, 255));
  autograd::Random random(2);
  const Picture noise = noisy_ground(48, 48, random);
  size_t sum = 0;
  for (const std::uint8_t v : noise.rgb) sum += v;
  const Picture one = scaled(noise, 1, 1);
  CHECK(static_cast<double>(one.rgb[0] + one.rgb[1] + one.rgb[2]) / 3 ==
        Approx(static_cast<double>(sum) / static_cast<double>(noise.rgb.size())).margin(1));
}

TEST_CASE("no pixel makes no picture") {
  CHECK_THROWS_AS(scaled({}, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(scaled(grey(1, 1, {1}), 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(scaled(grey(1, 1, {1}), 1, 0), std::invalid_argument);
}
