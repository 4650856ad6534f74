#include "models/small/memory_network.h"

#include <algorithm>

#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/storage/all_rows.h"
#include "layers/attention/dot.h"

namespace models {

namespace {

using autograd::Array;
using autograd::Real;

// l_kj of each sentence, 0 where it has no word: (N, J, d) for N sentences of at most J words.
Array position_encoding(const Ids& words, std::size_t J, std::size_t d) {
  const std::size_t N = J == 0 ? 0 : words.size() / J;
  Array l = autograd::zeros({N, J, d});
  for (std::size_t n = 0; n < N; ++n) {
    const auto row = words.begin() + static_cast<std::ptrdiff_t>(n * J);
    const auto length = static_cast<std::size_t>(std::find(row, row + static_cast<std::ptrdiff_t>(J), -1) - row);
    for (std::size_t j = 0; j < length; ++j)
      for (std::size_t k = 0; k < d; ++k) {
        const double place = static_cast<double>(j + 1) / static_cast<double>(length);
        const double part = static_cast<double>(k + 1) / static_cast<double>(d);
        l[(n * J + j) * d + k] = static_cast<Real>((1 - place) - part * (1 - 2 * place));
      }
  }
  return l;
}

// sum_j l_j E x_j of each sentence: (N, d)
Var encoded(const layers::Embedding& E, const Ids& words, const Array& l) {
  Ids known = words;
  std::replace(known.begin(), known.end(), -1, 0);  // l is 0 there
  return sum(reshape(E(known), l.shape()) * autograd::constant(l), {1});
}

}  // namespace

MemoryNetwork::MemoryNetwork(const Options& o, const autograd::Params& p) : options_(o) {
  const layers::Initialiser small = layers::normal(0.1);  // section 4.2
  for (std::size_t h = 0; h <= o.hops; ++h) {
    words_.emplace_back(p / ("words_" + std::to_string(h)), o.words, o.width, small);
    ages_.emplace_back(p / ("ages_" + std::to_string(h)), o.sentences, o.width, small);
  }
}

MemoryNetwork::Output MemoryNetwork::operator()(const Stories& stories, Look look) const {
  const std::size_t S = stories.S, B = stories.B, d = options_.width;
  const Array l = position_encoding(stories.sentences, stories.J, d);
  Ids ages(S * B);
  const Ids each = autograd::all_rows(B);
  Array seen = autograd::zeros({B, S});
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t i = 0; i < stories.lengths[b]; ++i) {
      const std::size_t age = std::min(stories.lengths[b] - 1 - i, options_.sentences - 1);
      ages[i * B + b] = static_cast<autograd::Id>(age);
      seen[b * S + i] = 1;
    }
  const auto memory = [&](std::size_t h) {  // (S, B, d)
    return reshape(encoded(words_[h], stories.sentences, l), {S, B, d}) + ages_[h](ages, B);
  };
  Output output;
  Var u = encoded(words_[0], stories.questions, position_encoding(stories.questions, stories.J, d));  // (B, d)
  Var m = memory(0);
  for (std::size_t h = 0; h < options_.hops; ++h) {
    const Var c = memory(h + 1), e = layers::dot_scores(u, m, each);  // (B, S)
    const Var p = look == Look::softmax  ? softmax(e, seen)
                  : look == Look::linear ? e * autograd::constant(seen)
                                         : softmax(autograd::constant(autograd::zeros({B, S})), seen);
    u = u + layers::weighted_sum(p, c, each);
    output.weights.push_back(p);
    m = c;
  }
  output.logits = matmul_transposed(u, words_.back().E);
  return output;
}

}  // namespace models
