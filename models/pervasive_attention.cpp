#include "models/pervasive_attention.h"

#include <stdexcept>
#include <string>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"

namespace softalign::models {

namespace {

std::size_t half_of(std::size_t kernel) {
  if (kernel % 2 == 0) throw std::invalid_argument("pervasive attention: a kernel has a middle, so its size is odd");
  return kernel / 2;
}

// Returns the share of channels that have their maximum at each source word: H (T, S, B, C) -> (T*B, S). It counts the
// channels from `first` on whose maximum over the source is above 0.
Array shares_of_maxima(const Array& H, std::size_t first) {
  const std::size_t T = H.dim(0), S = H.dim(1), B = H.dim(2), C = H.dim(3);
  Array fractions = autograd::zeros({T * B, S});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t b = 0; b < B; ++b) {
      autograd::Real* const row = fractions.data() + (t * B + b) * S;
      std::size_t active = 0;
      for (std::size_t c = first; c < C; ++c) {
        const auto at = [&](std::size_t s) { return H[((t * S + s) * B + b) * C + c]; };
        std::size_t largest = 0;
        for (std::size_t s = 1; s < S; ++s)
          if (at(s) > at(largest)) largest = s;
        if (at(largest) > 0) ++row[largest], ++active;
      }
      for (std::size_t s = 0; s < S && active > 0; ++s) row[s] /= static_cast<autograd::Real>(active);
    }
  return fractions;
}

}  // namespace

PervasiveAttention::PervasiveAttention(const Options& o, const autograd::Params& p)
    : half_(half_of(o.kernel)),
      growth_(o.growth),
      source_(p / "source", o.source_words, o.embedding, layers::normal(1)),
      target_(p / "target", o.target_words, o.embedding, layers::normal(1)),
      output_(p / "output", 2 * o.embedding + o.layers * o.growth, o.target_words, initialiser_.input(1)) {
  for (std::size_t l = 0; l < o.layers; ++l)
    layers_.emplace_back(p / ("layer" + std::to_string(l)), autograd::Patch{o.kernel, 1, half_},
                         2 * o.embedding + l * o.growth, o.growth, initialiser_.input(1));
}

// causal moves H down by half a window before the convolution. Row t of the result therefore depends only on the
// rows t - k + 1 .. t of H.
Var PervasiveAttention::causal(const layers::Convolution2d& convolution, const Var& H, std::size_t T,
                               std::size_t S) const {
  if (half_ == 0) return convolution(H, {T, S});
  const Var above = constant(autograd::zeros({half_ * S, H.dim(1), H.dim(2)}));
  return autograd::slice(convolution(autograd::concat({above, H}, 0), {T + half_, S}), 0, 0, T * S);
}

PervasiveAttention::Output PervasiveAttention::operator()(const Ids& source, const Ids& previous, std::size_t B) const {
  const std::size_t S = source.size() / B, T = previous.size() / B;
  Ids of_source, of_target;
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t s = 0; s < S; ++s)
      of_source.push_back(static_cast<autograd::Id>(s)), of_target.push_back(static_cast<autograd::Id>(t));
  Var H = autograd::concat({gather(target_(previous, B), of_target), gather(source_(source, B), of_source)},
                           2);  // (T*S, B, C)
  for (const layers::Convolution2d& convolution : layers_)
    H = autograd::concat({H, relu(causal(convolution, H, T, S))}, 2);
  H = reshape(H, {T, S, B, H.dim(2)});
  return {output_(max(H, 1)), shares_of_maxima(H.value(), H.dim(3) - growth_)};
}

}  // namespace softalign::models
