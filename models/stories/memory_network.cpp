#include "models/stories/memory_network.h"

#include <algorithm>

#include "autograd/array.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/dot.h"

namespace softalign::models {

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

MemoryNetwork::Kept MemoryNetwork::keep(const Stories& stories) const {
  const std::size_t S = stories.S, B = stories.B, d = options_.width;
  const Array l = position_encoding(stories.sentences, stories.J, d);
  Ids ages(S * B);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t i = 0; i < stories.lengths[b]; ++i)
      ages[i * B + b] = static_cast<autograd::Id>(std::min(stories.lengths[b] - 1 - i, options_.sentences - 1));
  Kept kept{
      encoded(words_[0], stories.questions, position_encoding(stories.questions, stories.J, d)), {}, stories.lengths};
  for (std::size_t h = 0; h <= options_.hops; ++h)
    kept.m.push_back(reshape(encoded(words_[h], stories.sentences, l), {S, B, d}) + ages_[h](ages, B));
  return kept;
}

MemoryNetwork::Looked MemoryNetwork::look(const Kept& kept, const Ids& rows, Look look,
                                          const layers::Reweight& change) const {
  const std::size_t S = kept.m.front().dim(0), R = rows.size();
  Array seen = autograd::zeros({R, S});
  for (std::size_t r = 0; r < R; ++r)
    std::fill_n(seen.data() + r * S, kept.lengths[static_cast<std::size_t>(rows[r])], Real(1));
  Looked looked{gather(kept.u, rows), {}};
  for (std::size_t h = 0; h < options_.hops; ++h) {
    const Var& c = kept.m[h + 1];
    const Var e = layers::dot_scores(looked.u, kept.m[h], rows);  // (R, S)
    Var p = look == Look::softmax  ? softmax(e, seen)
            : look == Look::linear ? e * autograd::constant(seen)
                                   : softmax(autograd::constant(autograd::zeros({R, S})), seen);
    if (change) {
      const auto of_one_head = [&](const Var& x) { return reshape(x, {R, 1, S}); };
      const Var window = autograd::constant(seen);
      p = reshape(layers::changed_weights(change, of_one_head(e), of_one_head(window), false, of_one_head(p), c, h),
                  {R, S});
    }
    looked.u = looked.u + layers::weighted_sum(p, c, rows);
    looked.weights.push_back(p);
  }
  return looked;
}

MemoryNetwork::Output MemoryNetwork::operator()(const Stories& stories, Look how) const {
  const Looked looked = look(keep(stories), autograd::all_rows(stories.B), how);
  return {matmul_transposed(looked.u, last_words().E), looked.weights};
}

}  // namespace softalign::models
