// The saliency map of `reproduce saliency`: peaks that it promotes, and peaks that it does not see.
#include "apps/pictures/saliency.h"

#include <algorithm>

#include "tests/catch.h"

using namespace softalign;

namespace {

using apps::PixelMap;
using autograd::Random;

constexpr std::size_t side = 32;

// A map with peaks of the given heights in the middle of the given squares.
PixelMap with_peaks(const std::vector<std::pair<std::size_t, double>>& peaks) {
  PixelMap map(side * side);
  for (const auto& [square, height] : peaks) map[(square / 4 * 8 + 4) * side + square % 4 * 8 + 4] = height;
  return map;
}

double largest(const PixelMap& map) { return *std::max_element(map.begin(), map.end()); }

}  // namespace

TEST_CASE("saliency: one peak is promoted, and equal peaks suppress each other at any scale") {
  CHECK(largest(apps::normalised(with_peaks({{3, 2}}))) == Approx(1));
  CHECK(largest(apps::normalised(with_peaks({{3, 7}}))) == Approx(1));
  CHECK(largest(apps::normalised(with_peaks({{0, 4}, {3, 2}, {8, 1}}))) == Approx(0.625 * 0.625));  // m = 3/8
  CHECK(largest(apps::normalised(with_peaks({{0, 5}, {3, 5}, {8, 5}}))) == Approx(0).margin(1e-12));
  CHECK(largest(apps::normalised(with_peaks({{0, 5}, {3, 0.4}}))) == Approx(1));  // a value below a tenth is no peak
  CHECK(largest(apps::normalised(with_peaks({}))) == 0);
}

TEST_CASE("saliency: the scan path visits squares from the largest saliency on, and no square twice") {
  const std::vector<std::size_t> path = apps::scan_path(with_peaks({{5, 1}, {9, 3}, {2, 2}}));
  REQUIRE(path.size() == 16);
  CHECK(std::vector<std::size_t>(path.begin(), path.begin() + 3) == std::vector<std::size_t>{9, 2, 5});
  std::vector<std::size_t> sorted = path;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
}

TEST_CASE("saliency: a uniform picture has none, and an odd object is found anywhere") {
  data::Picture plain{side, side, std::vector<std::uint8_t>(3 * side * side, 80)};
  CHECK(largest(apps::saliency_map(plain)) == 0);
  std::size_t found = 0;
  for (std::size_t square = 0; square < 16; ++square) {
    Random random(square);
    data::Picture board = data::empty_squares(random);
    for (const std::size_t step : {3, 6, 9}) data::draw_object(board, {(square + step) % 16, 1, 0});
    data::draw_object(board, {square, 1, 1});
    found += apps::scan_path(apps::saliency_map(board)).front() == square;
  }
  CHECK(found >= 14);
  Random random(1);
  const apps::OddOneOut drawn = apps::draw_odd_one_out(random);
  for (std::size_t i = 2; i < 6; ++i) CHECK(drawn.objects[i].colour == drawn.objects[1].colour);
  CHECK(drawn.objects[0].colour != drawn.objects[1].colour);
}
