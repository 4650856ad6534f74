// Attention over all steps at once: self, causal and cross, padding, shared sentences, several heads. Layer norm and
// convolution follow.
#include "autograd/ops/shape.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/dense/layer_norm.h"
#include "layers/pictures/convolution_2d.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

namespace fused_cases {

using compare::random_array;

namespace {

struct Sizes {
  std::size_t T, R, S, B, K, d, d_v;
  Mask mask;
  std::string name;
};

// Odd widths, sizes of 0 and 1, incomplete tiles, tiles in the masked future, a cache, several threads.
std::vector<Sizes> sizes() {
  std::vector<std::size_t> ragged(40);
  for (std::size_t b = 0; b < ragged.size(); ++b) ragged[b] = b % 10;
  return {{1, 1, 1, 1, 1, 1, 1, {}, " one of each"},
          {4, 2, 5, 2, 3, 3, 2, {.lengths = {5, 3}}, " cross, padded"},
          {4, 3, 4, 3, 2, 17, 17, {.lengths = {4, 0, 1}, .causal = true}, " causal, one without a word"},
          {2, 1, 5, 1, 2, 4, 4, {.causal = true}, " causal, behind three known ones"},
          {1, 5, 6, 2, 2, 5, 5, {.lengths = {6, 4}, .sentence = {1, 0, 1, 1, 0}}, " rows sharing sentences"},
          {1, 3, 4, 3, 2, 3, 3, {.rows_first = true}, " a cache"},
          {1, 2, 4, 3, 2, 3, 3, {.lengths = {4, 2, 1}, .sentence = {2, 0}, .rows_first = true}, " some of a cache"},
          {3, 2, 0, 2, 2, 3, 3, {}, " no key"},
          {0, 2, 3, 2, 2, 3, 3, {}, " no query"},
          {9, 40, 9, 40, 2, 33, 33, {.lengths = ragged, .causal = true}, " several threads"},
          {70, 2, 261, 2, 1, 5, 3, {.lengths = {261, 129}}, " several tiles"},
          {200, 2, 200, 2, 2, 4, 4, {.lengths = {200, 130}, .causal = true}, " several tiles, causal"}};
}

}  // namespace

Cases attention_cases() {
  Cases cases;
  for (const Sizes& z : sizes()) {
    Random random(z.T + 7 * z.d);
    const auto keys = [&](std::size_t width) {
      return z.mask.rows_first ? Shape{z.B, z.S, z.K * width} : Shape{z.S, z.B, z.K * width};
    };
    const Inputs inputs{variable(random_array({z.T, z.R, z.K * z.d}, random)),
                        variable(random_array(keys(z.d), random)), variable(random_array(keys(z.d_v), random))};
    cases.push_back({z.name, inputs, [z](const Inputs& x) {
                       return attention(x[0], x[1], x[2], z.K, z.mask, ReturnWeights::no).context;
                     }});
    if (z.T > 60) continue;
    cases.push_back({z.name + ", weights", inputs, [z](const Inputs& x) {
                       const AttentionOutput g = attention(x[0], x[1], x[2], z.K, z.mask);
                       const auto flat = [](const Var& y) { return reshape(y, {y.value().size()}); };
                       return concat({flat(g.context), flat(g.weights)}, 0);
                     }});
  }
  // One array serves as queries, keys and values, so their gradients are added.
  Random random(3);
  cases.push_back(
      {" of itself", {variable(random_array({5, 2, 6}, random))}, [](const Inputs& x) {
         return attention(x[0], x[0], x[0], 2, {.lengths = {5, 3}, .causal = true}, ReturnWeights::no).context;
       }});
  return cases;
}

Cases layer_norm_cases() {
  Cases cases;
  for (const Shape& s : {Shape{1, 3}, Shape{3, 5}, Shape{2, 3, 33}, Shape{0, 4}, Shape{7, 16}, Shape{600, 40}}) {
    Random random(s.back());
    cases.push_back({" " + to_string(s),
                     {variable(random_array(s, random)), variable(random_array({s.back()}, random)),
                      variable(random_array({s.back()}, random))},
                     [](const Inputs& x) { return layer_norm(x[0], x[1], x[2]); }});
  }
  return cases;
}

Cases convolution_2d_cases() {
  struct Picture {
    Grid grid;
    Patch patch;
    std::size_t B, C, N;
    std::string name;
  };
  Cases cases;
  for (const Picture& z :
       {Picture{{1, 1}, {1, 1, 0}, 1, 1, 1, " one of each"}, Picture{{4, 5}, {3, 1, 1}, 2, 3, 4, " padded"},
        Picture{{5, 4}, {3, 2, 0}, 3, 2, 17, " every second place"}, Picture{{6, 5}, {4, 3, 2}, 2, 1, 2, " even"},
        Picture{{3, 3}, {2, 1, 0}, 0, 2, 2, " no picture"}, Picture{{50, 60}, {3, 1, 1}, 1, 3, 2, " several tiles"},
        Picture{{7, 7}, {7, 1, 3}, 40, 40, 2, " a place too large for a tile"},
        Picture{{4, 5}, {3, 2, 1}, 9, 3, 17, " read in place"}, Picture{{3, 3}, {2, 1, 1}, 8, 2, 60, " wide"},
        Picture{{2, 2}, {2, 1, 0}, 8, 0, 3, " no channel"}, Picture{{2, 2}, {2, 1, 0}, 8, 3, 0, " no filter"}}) {
    Random random(z.grid.cells() + z.B);
    const std::size_t k = z.patch.size;
    cases.push_back({z.name,
                     {variable(random_array({z.grid.cells(), z.B, z.C}, random)),
                      variable(random_array({k * k * z.C, z.N}, random, 0.3)), variable(random_array({z.N}, random))},
                     [z](const Inputs& x) { return convolution_2d(x[0], x[1], x[2], z.grid, z.patch); }});
  }
  return cases;
}

}  // namespace fused_cases
