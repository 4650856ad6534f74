// The combined weights: the product of the layer's and the decoder's weights, and the share that needs no gold links.
#include "models/alignment/combined_weights.h"

#include <fmt/format.h>

#include <cmath>

#include "tests/catch.h"

using namespace softalign;
using namespace softalign::models;
using data::Matrix;

namespace {

// A row that puts `most` on one of three positions, and divides the rest equally.
std::vector<float> row(std::size_t at, float most) {
  std::vector<float> weights(3, (1 - most) / 2);
  weights.at(at) = most;
  return weights;
}

// Pairs of two words. Source word s<k> is translated as t<k>, and both targets change places. `layer` and `decoder`
// return the rows of a pair's first and second target word.
template <class Layer, class Decoder>
std::vector<BothAttentions> swapped_pairs(Layer layer, Decoder decoder) {
  std::vector<BothAttentions> pairs;
  for (std::size_t k = 0; k < 60; ++k) {
    const std::size_t a = k % 6, b = (k + 1 + k / 6 % 5) % 6;
    pairs.push_back({{fmt::format("s{}", a), fmt::format("s{}", b), "</s>"},
                     {fmt::format("t{}", b), fmt::format("t{}", a)},
                     layer(k),
                     decoder(k)});
  }
  return pairs;
}

Matrix right(std::size_t) { return {row(1, 0.8F), row(0, 0.8F)}; }
Matrix wrong(std::size_t) { return {row(0, 0.7F), row(1, 0.7F)}; }

}  // namespace

TEST_CASE("combined weights: the product of both, to the power of their shares") {
  const Matrix layer{{0.7F, 0.2F, 0.1F}, {0, 1, 0}}, decoder{{0.1F, 0.6F, 0.3F}, {0.5F, 0, 0.5F}};
  const Matrix c = combine(layer, decoder, 0.3);
  REQUIRE(c.size() == 2);
  double sum = 0;
  for (std::size_t j = 0; j < 3; ++j) sum += std::pow(layer[0][j], 0.3) * std::pow(decoder[0][j], 0.7);
  for (std::size_t j = 0; j < 3; ++j)
    CHECK(c[0][j] == Approx(std::pow(layer[0][j], 0.3) * std::pow(decoder[0][j], 0.7) / sum).epsilon(1e-6));
  // A weight of 0 counts as 1e-4, so the second row is proportional to these numbers.
  const double outside = std::pow(1e-4, 0.3) * std::pow(0.5, 0.7), inside = std::pow(1e-4, 0.7);
  CHECK(c[1][0] == Approx(outside / (2 * outside + inside)).epsilon(1e-6));
  CHECK(c[1][1] == Approx(inside / (2 * outside + inside)).epsilon(1e-6));
  CHECK(combine(layer, decoder, 1)[0][1] == Approx(layer[0][1]).epsilon(1e-6));
  CHECK(combine(layer, decoder, 0)[0][1] == Approx(decoder[0][1]).epsilon(1e-6));
}

TEST_CASE("combined weights: the cross-entropy leaves each link out") {
  // p(x|a) = (2 - 1 + 2/4) / 2, p(y|b) = p(z|b) = (1 - 1 + 1/4) / 2
  CHECK(link_cross_entropy({{"a", "x"}, {"b", "y"}, {"a", "x"}, {"b", "z"}}) ==
        Approx(-(2 * std::log(0.75) + 2 * std::log(0.125)) / 4));
  CHECK(link_cross_entropy({}) == 0);
}

TEST_CASE("combined weights: the share belongs to the attention whose links vary less") {
  const auto confused = [](std::size_t k) { return k % 2 == 0 ? right(k) : wrong(k); };
  CHECK(best_share(swapped_pairs(right, confused)) == 1);
  CHECK(best_share(swapped_pairs(confused, right)) == 0.5);  // the largest share at which the 0.8 still wins
  // Each is right about one word of a pair, and is surer there.
  const auto first = [](std::size_t) { return Matrix{row(1, 0.9F), row(1, 0.6F)}; };
  const auto second = [](std::size_t) { return Matrix{row(0, 0.6F), row(0, 0.9F)}; };
  const double share = best_share(swapped_pairs(first, second));
  CHECK(share > 0.2);
  CHECK(share < 0.8);
  CHECK(best_share({}) == 1);
}
