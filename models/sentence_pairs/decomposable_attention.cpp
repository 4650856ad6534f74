#include "models/sentence_pairs/decomposable_attention.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "models/family.h"

namespace softalign::models {

namespace {

using autograd::Array;
using autograd::Real;

constexpr std::size_t farthest = 11;  // all larger distances count as this one

// present returns (B, 1, n), with 1 where a sentence has a word, and 0 elsewhere.
Array present(const std::vector<std::size_t>& lengths, std::size_t n) {
  Array mask = autograd::zeros({lengths.size(), 1, n});
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(mask.data() + b * n, lengths[b], Real(1));
  return mask;
}

// of_words returns x (B, n, h), with 0 where a sentence has no word.
Var of_words(const Var& x, const std::vector<std::size_t>& lengths) {
  return x * autograd::constant(present(lengths, x.dim(1)).reshaped({x.dim(0), x.dim(1), 1}));
}

Ids distances(std::size_t n) {
  Ids all;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      all.push_back(static_cast<autograd::Id>(std::min(i > j ? i - j : j - i, farthest)));
  return all;
}

Var transposed(const Var& x) { return transpose(x, {0, 2, 1}); }

}  // namespace

DecomposableAttention::TwoLayers::TwoLayers(const autograd::Params& p, std::size_t in, std::size_t hidden,
                                            const layers::InitialiserConfig& init)
    : first(p / "first", in, hidden, init.input(1)), second(p / "second", hidden, hidden, init.input(1)) {}

Var DecomposableAttention::TwoLayers::operator()(const Var& x) const { return relu(second(relu(first(x)))); }

DecomposableAttention::DecomposableAttention(const Options& o, const autograd::Params& p)
    : options_(o),
      words_(p / "words", o.words, o.width, layers::normal_by_width()),
      F_(p / "F", o.intra ? 2 * o.width : o.width, o.hidden, initialiser_),
      G_(p / "G", (o.intra ? 4 : 2) * o.width, o.hidden, initialiser_),
      H_(p / "H", 2 * o.hidden, o.hidden, initialiser_) {
  if (o.labels > 0) output_.emplace(p / "output", o.hidden, o.labels, initialiser_.input(1));
  if (!o.intra) return;
  F_i_.emplace(p / "F_i", o.width, o.hidden, initialiser_);
  distances_.emplace(p / "distances", farthest + 1, 1, layers::zeros());
}

DecomposableAttention::Sentence DecomposableAttention::read(const Ids& words,
                                                            const std::vector<std::size_t>& lengths) const {
  const Var a = transpose(words_(words, lengths.size()), {1, 0, 2});  // (B, n, d)
  if (!options_.intra) return {a, {}};
  const std::size_t n = a.dim(1);
  const Var F = (*F_i_)(a), d = reshape((*distances_)(distances(n)), {1, n, n});
  const Var f = batched_matmul(F, transposed(F)) + d;  // (B, n, n)
  const Var among = softmax(f, present(lengths, n));
  return {autograd::concat({a, batched_matmul(among, a)}, 2), among};
}

DecomposableAttention::Output DecomposableAttention::operator()(const SentencePairs& pairs) const {
  const auto [a, among_a] = read(pairs.a, pairs.a_lengths);
  const auto [b, among_b] = read(pairs.b, pairs.b_lengths);
  Var e = batched_matmul(F_(a), transposed(F_(b)));  // (B, m, n)
  if (options_.uniform) e = e * Real(0);
  const Var of_a = softmax(e, present(pairs.b_lengths, pairs.n));
  const Var of_b = softmax(transposed(e), present(pairs.a_lengths, pairs.m));
  const Var beta = batched_matmul(of_a, b), alpha = batched_matmul(of_b, a);
  const Var v1 = of_words(G_(autograd::concat({a, beta}, 2)), pairs.a_lengths);
  const Var v2 = of_words(G_(autograd::concat({b, alpha}, 2)), pairs.b_lengths);
  const Var y = H_(autograd::concat({sum(v1, {1}), sum(v2, {1})}, 1));
  return {output_ ? (*output_)(y) : Var(), of_a, of_b, y, v1, v2, among_a, among_b};
}

namespace {

constexpr Real least = Real(1e-6);  // if all words have the value 0, their weights are equal

DecomposableAttention::Options compare_options(const ModelOptions& o) {
  return {.words = o.source_vocabulary, .width = o.embedding, .hidden = o.hidden, .intra = o.intra_sentence};
}

// pairs_of returns the premise and the hypothesis of each source.
SentencePairs pairs_of(const Batch& batch) {
  const Parts parts = parts_of(batch);
  SentencePairs pairs;
  pairs.B = batch.size;
  for (std::size_t b = 0; b < batch.size; ++b) {
    if (parts[b].size() != 2 || parts[b][0].empty() || parts[b][1].empty())
      throw std::invalid_argument(
          fmt::format("source {}: {} sentences; a premise and a hypothesis expected, each ended by </s>",
                      batch.index.empty() ? b : batch.index[b], parts[b].size()));
    pairs.a_lengths.push_back(parts[b][0].size()), pairs.b_lengths.push_back(parts[b][1].size());
    pairs.m = std::max(pairs.m, parts[b][0].size()), pairs.n = std::max(pairs.n, parts[b][1].size());
  }
  pairs.a.assign(pairs.m * pairs.B, data::pad_id), pairs.b.assign(pairs.n * pairs.B, data::pad_id);
  for (std::size_t b = 0; b < pairs.B; ++b) {
    for (std::size_t i = 0; i < parts[b][0].size(); ++i) pairs.a[i * pairs.B + b] = parts[b][0][i];
    for (std::size_t j = 0; j < parts[b][1].size(); ++j) pairs.b[j * pairs.B + b] = parts[b][1][j];
  }
  return pairs;
}

// side_by_side copies the numbers x_a (B, m) of words of a, and x_b (B, n) of words of b, to rows (B, S). In a row,
// word i of a has position i, the separator has position |a_b|, and word j of b has position |a_b| + 1 + j. All other
// numbers of the row are 0.
Var side_by_side(const Var& x_a, const Var& x_b, const SentencePairs& pairs, std::size_t S) {
  const std::size_t B = pairs.B, m = pairs.m, n = pairs.n;
  const Var all = autograd::concat({x_a, x_b, autograd::constant(autograd::zeros({B, 1}))}, 1);  // (B, m + n + 1)
  Ids from(B * S, 0);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t s = 0; s < S; ++s) {
      const std::size_t a = pairs.a_lengths[b], end = a + 1 + pairs.b_lengths[b];
      const std::size_t column = s < a ? s : s > a && s < end ? m + s - a - 1 : m + n;
      from[b * S + s] = static_cast<Id>(b * (m + n + 1) + column);
    }
  return reshape(gather(reshape(all, {B * (m + n + 1), 1}), from), {B, S});
}

// write copies the weights between the words of two sentences, (B, r, c). The copy belongs to head k of the weights
// between all positions, (S*B, K, S).
void write(const Var& from, std::size_t first_row, std::size_t rows, std::size_t first_column, std::size_t columns,
           std::size_t b, std::size_t k, Array& into, std::size_t B) {
  const std::size_t K = into.dim(1), S = into.dim(2);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      into[(((first_row + i) * B + b) * K + k) * S + first_column + j] =
          from.value()[(b * from.dim(1) + i) * from.dim(2) + j];
}

}  // namespace

Memory Label::memory(const std::vector<std::size_t>& places, const Var& readout, const Var& alignment) const {
  return {places, ReadoutAndAlignment{readout, alignment}};
}

OneWord::Answer Label::answer(const Memory& memory, const Ids& sources, const Training*) const {
  const auto& [readout, alignment] = memory.as<ReadoutAndAlignment>();
  return {gather(readout, sources), {gather(alignment, sources)}};
}

Parikh::Parikh(const ModelOptions& o, const autograd::Params& p)
    : compare_(compare_options(o), p), decoder_(o, p, initialiser_) {}

Memory Parikh::read(const Batch& batch, const Training*) const {
  const SentencePairs pairs = pairs_of(batch);
  const auto out = compare_(pairs);
  const std::size_t S = most_places(batch);
  // alignment_i = sum_k v_ik / sum_j sum_k v_jk
  const Var said = side_by_side(sum(out.v1, {2}), sum(out.v2, {2}), pairs, S);  // (B, S)
  Array words = autograd::zeros({pairs.B, S});
  for (std::size_t b = 0; b < pairs.B; ++b) {
    std::fill_n(words.data() + b * S, batch.places[b], Real(1));
    words[b * S + pairs.a_lengths[b]] = 0;  // the separator
  }
  const Var counted = said + autograd::constant(words) * least;
  return decoder_.memory(batch.places, out.judged, counted / sum(counted, {1}, autograd::Keep::yes));
}

std::vector<Heads> Parikh::self_attention(const Batch& batch) const {
  const SentencePairs pairs = pairs_of(batch);
  const auto out = compare_(pairs);
  const std::size_t B = pairs.B, S = most_places(batch), K = out.among_a.defined() ? 2 : 1;
  Array weights = autograd::zeros({S * B, K, S});
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t m = pairs.a_lengths[b], n = pairs.b_lengths[b], hypothesis = m + 1;
    for (std::size_t k = 0; k < K; ++k) weights[((m * B + b) * K + k) * S + m] = 1;
    write(out.of_a, 0, m, hypothesis, n, b, 0, weights, B);
    write(out.of_b, hypothesis, n, 0, m, b, 0, weights, B);
    if (K == 1) continue;
    write(out.among_a, 0, m, 0, m, b, 1, weights, B);
    write(out.among_b, hypothesis, n, hypothesis, n, b, 1, weights, B);
  }
  return {{.kind = data::HeadKind::encoder_self, .weights = autograd::constant(std::move(weights))}};
}

Family parikh() {
  Family f{.name = "decomposable",
           .author = "parikh",
           .title = "entailment",
           .attention = layers::ScoreKind::dot,
           .task = Task::entailment};
  f.uses = {"model", "embedding", "hidden", "intra-sentence", "source-vocabulary", "target-vocabulary"};
  f.conflicts = [](const ModelOptions& o) {
    return conflicts_of_own_attention(o, layers::ScoreKind::dot) +
           Conflicts{{o.tie != Tie::none,
                      "the model decomposable has no embeddings of labels, so tie has no effect. Remove --tie"}};
  };
  f.make = make<Parikh>;
  f.defaults = {{"embedding", "48"}, {"hidden", "64"},         {"epochs", "8"},      {"lr", "0.002"},
                {"clip", "5"},       {"label-smoothing", "0"}, {"word-dropout", "0"}};
  return f;
}

}  // namespace softalign::models
