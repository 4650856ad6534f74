#include "tests/benchmarks/micro_cases.h"

#include <numeric>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"
#include "layers/addressing/addressing.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/attention/scores.h"
#include "layers/attention/window.h"
#include "layers/dense/layer_norm.h"
#include "layers/dense/output.h"
#include "layers/pictures/convolution_2d.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "tests/compare.h"

using namespace softalign;

namespace benchmarks {
namespace {

using namespace autograd;
using fused_cases::Inputs;

constexpr double number = sizeof(Real);  // bytes per number

// A function creates the inputs, so that every case gets the same numbers.
Var random_variable(const Shape& shape, double scale = 1) {
  Random random(shape.size());
  return variable(compare::random_array(shape, random, scale));
}

// One row per sentence.
Ids each_once(std::size_t B) {
  Ids rows(B);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

double product(std::size_t m, std::size_t k, std::size_t n) { return 2 * double(m) * double(k) * double(n); }

// A cell evaluates its activations in the forward pass, and tanh(c') again in the backward pass. Numbers per unit:
// forward, the gates are read and written, and c, c' and h'. Backward, gates, c, c', dh' and dc' are read, dgates and
// dc written.
Work lstm_work(std::size_t rows, std::size_t H) {
  const double units = double(rows * H);
  return {.exps = 3 * units, .tanhs = 3 * units, .bytes = number * units * (11 + 13)};
}
// The work includes the product h U, once forward and twice backward.
Work gru_work(std::size_t rows, std::size_t H) {
  const double units = double(rows * H);
  return {.flops = 3 * product(rows, H, 3 * H), .exps = 2 * units, .tanhs = units, .bytes = number * units * (9 + 10)};
}

}  // namespace

MicroCase lstm(const Sizes& z) {
  Work work = lstm_work(z.S * z.B, z.H);
  work.flops = 3 * product(z.S * z.B, z.H, 4 * z.H);
  const Var nothing = constant(zeros({z.B, z.H}));
  return {{"",
           {random_variable({z.S, z.B, 4 * z.H}), random_variable({z.H, 4 * z.H}, 0.03)},
           [z, nothing](const Inputs& x) {
             return layers::lstm(x[0], x[1], {nothing, nothing}, {z.S, z.B}).h;
           }},
          work};
}

MicroCase gru(const Sizes& z) {
  const Var nothing = constant(zeros({z.B, z.H}));
  return {{"",
           {random_variable({z.S, z.B, 3 * z.H}), random_variable({z.H, 3 * z.H}, 0.03)},
           [z, nothing](const Inputs& x) {
             return layers::gru(GRUForm::cho, x[0], x[1], {}, nothing, {z.S, z.B});
           }},
          gru_work(z.S * z.B, z.H)};
}

// The keys are read in both passes, because tanh is not stored. Their gradient is read and written.
MicroCase additive_scores(const Sizes& z) {
  const double keys = double(z.S * z.B * z.A);
  return {{"",
           {random_variable({z.B, z.A}), random_variable({z.S, z.B, z.A}), random_variable({z.A})},
           [z](const Inputs& x) { return layers::additive_scores(x[0], x[1], x[2], {}, {}, each_once(z.B)); }},
          {.tanhs = 2 * keys, .bytes = number * 4 * keys}};
}

MicroCase dot_scores(const Sizes& z) {
  return {{"",
           {random_variable({z.B, z.H}), random_variable({z.S, z.B, z.H})},
           [z](const Inputs& x) { return layers::dot_scores(x[0], x[1], each_once(z.B)); }},
          {.bytes = number * 4 * double(z.S * z.B * z.H)}};
}

MicroCase gaussian_window(const Sizes& z) {
  const double weights = double(z.B * z.S);
  return {{"",
           {random_variable({z.B, z.S}), random_variable({z.B, 1})},
           [](const Inputs& x) { return layers::gaussian_window(x[0], x[1], 5); }},
          {.exps = weights, .bytes = number * 6 * weights}};  // forward alpha, y; backward dy, y, alpha, dalpha
}

MicroCase weighted_sum(const Sizes& z) {
  const std::size_t D = 2 * z.H;
  return {{"",
           {random_variable({z.B, z.S}), random_variable({z.S, z.B, D})},
           [z](const Inputs& x) { return layers::weighted_sum(x[0], x[1], each_once(z.B)); }},
          {.bytes = number * 4 * double(z.S * z.B * D)}};
}

// The logits are written, read for the sum, read and written as their gradient, and read by two products and for db.
MicroCase output_cross_entropy(const Sizes& z) {
  const std::size_t N = z.T * z.B;
  const double logits = double(N * z.V);
  return {{"",
           {random_variable({N, z.E}), random_variable({z.E, z.V}, 0.1), random_variable({z.V})},
           [N, z](const Inputs& x) {
             Ids words(N);
             for (std::size_t n = 0; n < N; ++n) words[n] = static_cast<Id>(4 + n % (z.V - 4));
             return layers::output_cross_entropy(x[0], x[1], x[2], words);
           }},
          {.flops = 3 * product(N, z.E, z.V), .exps = 2 * logits, .bytes = number * 7 * logits}};
}

// All steps at once, with four heads. There are two products forward and four backward. The queries, keys, values and
// contexts are four arrays forward and eight backward. The weights are written, read for the context, and read again
// with their gradient.
MicroCase attention(const Sizes& z) {
  constexpr std::size_t K = 4;
  const std::size_t d = (z.H + K - 1) / K;
  const double weights = double(z.B * K * z.T * z.S);
  return {{"",
           {random_variable({z.T, z.B, K * d}), random_variable({z.S, z.B, K * d}), random_variable({z.S, z.B, K * d})},
           [](const Inputs& x) { return layers::attention(x[0], x[1], x[2], K, {}).context; }},
          {.flops = 6 * 2 * weights * double(d),
           .exps = weights,
           .bytes = number * (12 * double(z.S * z.B * K * d) + 5 * weights)}};
}

// Forward, x is read; y and the normalised rows are written. Backward, the normalised rows and dy are read; dx and the
// rows of dg are written. The rows of dg are then read again for dg.
MicroCase layer_norm(const Sizes& z) {
  return {{"",
           {random_variable({z.T, z.B, z.H}), random_variable({z.H}), random_variable({z.H})},
           [](const Inputs& x) { return layers::layer_norm(x[0], x[1], x[2]); }},
          {.bytes = number * 8 * double(z.T * z.B * z.H)}};
}

// Pictures of 12 x 12 cells with windows of 3 x 3, from 32 to 64 channels. There are three products of the windows,
// which stay in the cache. Arrays x and y and their gradients are read or written.
MicroCase convolution_2d(const Sizes& z) {
  constexpr std::size_t C = 32, N = 64;
  constexpr layers::Grid grid{12, 12};
  const std::size_t cells = grid.cells() * z.B;
  return {{"",
           {random_variable({grid.cells(), z.B, C}), random_variable({9 * C, N}, 0.1), random_variable({N})},
           [grid](const Inputs& x) {
             return layers::convolution_2d(x[0], x[1], x[2], grid, {.size = 3, .stride = 1, .padding = 1});
           }},
          {.flops = 3 * product(cells, 9 * C, N), .bytes = number * 3 * double(cells * (C + N))}};
}

// Each row has a memory of S positions of H numbers. Forward, the memory is read for its norms and again, from the
// cache, for the products. Backward, it is read, and its gradient is read and written. Each position needs two
// exponentials and a logarithm.
MicroCase addressing(const Sizes& z) {
  const double places = double(z.S * z.B);
  return {
      {"",
       {random_variable({z.B, z.H}), random_variable({z.B, 1}), random_variable({z.B, 1}), random_variable({z.B, 3}),
        random_variable({z.B, 1}), random_variable({z.B, z.S}), random_variable({z.S, z.B, z.H})},
       [](const Inputs& x) {
         return layers::address({x[0], softplus(x[1]), sigmoid(x[2]), softmax(x[3]), softplus(x[4])}, softmax(x[5]),
                                x[6]);
       }},
      {.exps = 3 * places, .bytes = number * places * (4 * double(z.H) + 12)}};
}

// Forward, the memory is read and written. Backward, the memory and the gradient of the result are read, and the
// memory's own gradient is read and written.
MicroCase memory_write(const Sizes& z) {
  return {{"",
           {random_variable({z.S, z.B, z.H}), random_variable({z.B, z.S}), random_variable({z.B, z.H}),
            random_variable({z.B, z.H})},
           [](const Inputs& x) { return layers::memory_write(x[0], x[1], x[2], x[3]); }},
          {.bytes = number * 6 * double(z.S * z.B * z.H)}};
}

}  // namespace benchmarks
