#include "data/alignment/em/em_aligner.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace softalign::data {

namespace {

constexpr std::size_t most_pairs_of_block = 4096;

// rows_of returns the ids of the words as rows of the table, with the empty word first.
Ids rows_of(const Tokens& words, const Vocabulary& vocabulary) {
  Ids rows = {empty_word};
  const Ids ids = vocabulary.ids(words);
  rows.insert(rows.end(), ids.begin(), ids.end());
  return rows;
}

void add_cells(std::vector<Cell>& cells, const TranslationTable& table, const Tokens& source, const Tokens& target) {
  const Ids rows = rows_of(source, table.source());
  for (const Id e : table.target().ids(target))
    for (const Id f : rows) cells.push_back(table.cells().find(f, e));
}

// agree replaces both posteriors by r_ij = sqrt(p(a_i = j | e, f) p(a_j = i | f, e)). The posteriors of the empty word
// do not change.
void agree(Posteriors& forward, Posteriors& backward, std::size_t m, std::size_t n) {
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double &p = forward.p[i * (n + 1) + j + 1], &q = backward.p[j * (m + 1) + i + 1];
      p = q = std::sqrt(p * q);
    }
  }
}

}  // namespace

// ExpectedCounts has the sums of one round in one direction.
struct EmAligner::ExpectedCounts {
  std::vector<double> counts;  // c(e, f), by cell of the table
  DiagonalCounts diagonal;
  JumpTotals jumps;
  EmRound round;
};

// Both priors depend on the lengths of a pair and not on its words. Many short pairs have the same lengths, so their
// priors are computed once and kept. An object belongs to one thread.
class EmAligner::Priors {
 public:
  explicit Priors(const Direction& direction) : direction_(direction) {}

  std::vector<double> diagonal(std::size_t m, std::size_t n) {
    if (m * (n + 1) > most_cells_kept) return diagonal_prior(direction_.diagonal, m, n);
    const auto [kept, is_new] = diagonals_.try_emplace({m, n});
    if (is_new) kept->second = diagonal_prior(direction_.diagonal, m, n);
    return kept->second;
  }

  const Transitions& transitions(std::size_t n) {
    if (n * n > most_cells_kept) return long_.emplace(direction_.jumps, n);
    return transitions_.try_emplace(n, direction_.jumps, n).first->second;
  }

 private:
  static constexpr std::size_t most_cells_kept = 2048;

  const Direction& direction_;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> diagonals_;
  std::map<std::size_t, Transitions> transitions_;
  std::optional<Transitions> long_;
};

double EmRound::perplexity() const { return std::exp(-log_likelihood / static_cast<double>(words)); }

EmAligner::EmAligner(const std::vector<Pair>& pairs, const EmOptions& options)
    : options_(options),
      forward_{{pairs, &Pair::source, &Pair::target, options.prior}, {}, {}},
      backward_{{pairs, &Pair::target, &Pair::source, options.prior}, {}, {}} {
  for (Direction* direction : {&forward_, &backward_}) {
    direction->diagonal.p0 = options.diagonal_p0;
    direction->jumps.p0 = options.jump_p0;
  }
  Size all{0, 0, 0, 0};
  for (const Pair& pair : pairs) {
    const std::size_t m = pair.target.size(), n = pair.source.size();
    pairs_.push_back({m, n, all.forward, all.backward});
    all.forward += m * (n + 1);
    all.backward += n * (m + 1);
  }
  forward_.cells.reserve(all.forward);
  backward_.cells.reserve(all.backward);
#pragma omp parallel sections
  {
#pragma omp section
    for (const Pair& pair : pairs) add_cells(forward_.cells, forward_.table, pair.source, pair.target);
#pragma omp section
    for (const Pair& pair : pairs) add_cells(backward_.cells, backward_.table, pair.target, pair.source);
  }
}

Posteriors EmAligner::expect(Priors& priors, bool jumps, const std::vector<double>& t, std::size_t m, std::size_t n,
                             CountJumps count_jumps) {
  return jumps ? data::posteriors(priors.transitions(n), t, m, count_jumps)
               : data::posteriors(priors.diagonal(m, n), t, m, n);
}

EmAligner::ExpectedCounts EmAligner::start(Direction& direction) const {
  ExpectedCounts expected;
  expected.counts.resize(direction.table.cells().cells());
  expected.round.jumps = jumping();
  if (is_last()) direction.own.reserve(direction.cells.size());
  return expected;
}

std::size_t EmAligner::block_size(std::size_t begin) const {
  const std::size_t most = std::min(most_pairs_of_block, pairs_.size() - begin);
  std::size_t size = 0;
  for (std::size_t cells = 0; size < most && (size == 0 || cells < most_cells); ++size)
    cells += pairs_[begin + size].m * pairs_[begin + size].n;
  return size;
}

Posteriors EmAligner::expect_pair(const Direction& direction, std::size_t begin, std::size_t m, std::size_t n,
                                  Priors& priors) const {
  std::vector<double> t(m * (n + 1));
  std::transform(&direction.cells[begin], &direction.cells[begin] + t.size(), t.begin(),
                 [&](Cell cell) { return direction.table[cell]; });
  return expect(priors, jumping(), t, m, n, CountJumps::yes);
}

void EmAligner::expect_block(std::size_t begin, std::span<PairPosteriors> found) const {
#pragma omp parallel
  {
    Priors forward(forward_), backward(backward_);
#pragma omp for schedule(dynamic, 32)
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Size& pair = pairs_[begin + k];
      found[k] = {expect_pair(forward_, pair.forward, pair.m, pair.n, forward),
                  expect_pair(backward_, pair.backward, pair.n, pair.m, backward)};
      if (options_.agreement) agree(found[k].forward, found[k].backward, pair.m, pair.n);
    }
  }
}

void EmAligner::add_counts(Direction& direction, const Posteriors& found, std::size_t begin, std::size_t m,
                           std::size_t n, ExpectedCounts& expected) const {
  for (std::size_t c = 0; c < found.p.size(); ++c) expected.counts[direction.cells[begin + c]] += found.p[c];
  if (is_last()) direction.own.insert(direction.own.end(), found.p.begin(), found.p.end());
  for (std::size_t i = 0; i < m; ++i) expected.round.empty += found.p[i * (n + 1)];
  expected.round.words += m;
  expected.round.log_likelihood += found.log_likelihood;
  if (expected.round.jumps) expected.jumps.add(found.jumps);
  else expected.diagonal.add(found.p, m, n);
}

EmRound EmAligner::maximise(Direction& direction, ExpectedCounts& expected) const {
  direction.table.maximise(expected.counts);
  if (expected.round.jumps) direction.jumps = expected.jumps.best(options_.jump_p0);
  else if (done_ + 1 >= options_.constant_rounds) direction.diagonal.lambda = expected.diagonal.best_lambda();
  EmRound round = expected.round;
  round.empty /= static_cast<double>(round.words);
  round.lambda = direction.diagonal.lambda;
  return round;
}

EmAligner::Round EmAligner::round() {
  ExpectedCounts forward = start(forward_), backward = start(backward_);
  std::vector<PairPosteriors> found(most_pairs_of_block);
  for (std::size_t begin = 0, size = 0; begin < pairs_.size(); begin += size) {
    size = block_size(begin);
    expect_block(begin, std::span(found).first(size));
    // Each direction adds the counts of one pair after the other, so sums do not depend on the number of threads.
#pragma omp parallel sections
    {
#pragma omp section
      for (std::size_t k = 0; k < size; ++k) {
        const Size& pair = pairs_[begin + k];
        add_counts(forward_, found[k].forward, pair.forward, pair.m, pair.n, forward);
      }
#pragma omp section
      for (std::size_t k = 0; k < size; ++k) {
        const Size& pair = pairs_[begin + k];
        add_counts(backward_, found[k].backward, pair.backward, pair.n, pair.m, backward);
      }
    }
  }
  const Round result{maximise(forward_, forward), maximise(backward_, backward)};
  ++done_;
  return result;
}

Matrix EmAligner::attention(const Direction& direction, const std::vector<double>& t, std::size_t m,
                            std::size_t n) const {
  const bool jumps = done_ > options_.diagonal_rounds;  // whether the last round used jumps
  Priors priors(direction);
  const Posteriors found = expect(priors, jumps, t, m, n, CountJumps::no);
  Matrix matrix(m, std::vector<float>(n + 1));
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j <= n; ++j) matrix[i][(j + n) % (n + 1)] = static_cast<float>(found.p[i * (n + 1) + j]);
  }
  return matrix;
}

EmAligner::BidirectionalPosteriors EmAligner::posteriors(const Pair& pair) const {
  const std::size_t m = pair.target.size(), n = pair.source.size();
  return {attention(forward_, forward_.table.of_pair(pair.source, pair.target), m, n),
          attention(backward_, backward_.table.of_pair(pair.target, pair.source), n, m)};
}

EmAligner::BidirectionalPosteriors EmAligner::leave_one_out(std::size_t k, const Pair& pair) const {
  const Size& size = pairs_[k];
  const auto of = [](const Direction& direction, const Tokens& source, std::size_t begin, std::size_t m,
                     std::size_t n) {
    const std::size_t cells = m * (n + 1);
    return direction.table.leave_one_out(rows_of(source, direction.table.source()), {&direction.cells[begin], cells},
                                         {&direction.own[begin], cells});
  };
  return {attention(forward_, of(forward_, pair.source, size.forward, size.m, size.n), size.m, size.n),
          attention(backward_, of(backward_, pair.target, size.backward, size.n, size.m), size.n, size.m)};
}

}  // namespace softalign::data
