#include "layers/convolution/convolution.h"

#include <fmt/format.h>

#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/padding.h"

namespace softalign::layers {

Var convolution(const Var& x, const Var& W, const Var& b, Window window, const std::vector<std::size_t>& lengths) {
  const std::size_t S = x.dim(0), B = x.dim(1), D = x.dim(2);
  if (W.dim(0) == 0 || W.dim(0) % D != 0)
    throw std::invalid_argument(fmt::format(
        "convolution: W {} must have rows for each of some neighbours of {} numbers", to_string(W.shape()), D));
  const std::size_t w = W.dim(0) / D, before = window == Window::causal ? w - 1 : (w - 1) / 2;
  const Var words = lengths.empty() ? x : x * constant(word_mask(S, lengths));
  const auto nothing = [&](std::size_t steps) { return constant(autograd::zeros({steps, B, D})); };
  const Var padded = autograd::concat({nothing(before), words, nothing(w - 1 - before)}, 0);
  std::vector<Var> neighbours;
  for (std::size_t u = 0; u < w; ++u) neighbours.push_back(slice(padded, 0, u, u + S));
  return affine(concat(neighbours, 2), W, b);
}

}  // namespace softalign::layers
