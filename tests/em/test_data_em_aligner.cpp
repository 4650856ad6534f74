// The rounds of EM: these tests compare a round with the sum over its pairs, whose posteriors have their own tests.
#include "data/alignment/em/em_aligner.h"

#include <fmt/format.h>

#include "data/alignment/em/learnt_links.h"
#include "tests/catch.h"

using namespace softalign;
using namespace data;

namespace {

// A sentence of the words a0 .. a4, or b0 .. b4, each repeated. Words near the diagonal are translations.
Tokens sentence(const char* letter, size_t count) {
  Tokens words;
  for (size_t i = 0; i < count; ++i) words.push_back(fmt::format("{}{}", letter, i * 5 / count));
  return words;
}

Pair pair(size_t n, size_t m) {
  return {.source = sentence("a", n), .target = sentence("b", m), .gold = {}, .tags = {}};
}

// The table has relative frequencies, so that its numbers do not depend on spelling.
const EmOptions options{
    .diagonal_rounds = 2, .jump_rounds = 1, .agreement = false, .prior = {.alpha = 0, .prefix = 0, .identity = 0}};

// Returns the posteriors of a pair in the direction from source to target.
Posteriors by_diagonal(const Pair& pair, const EmAligner& aligner, double lambda) {
  const size_t m = pair.target.size(), n = pair.source.size();
  const Diagonal prior{.lambda = lambda, .p0 = options.diagonal_p0};
  return posteriors(diagonal_prior(prior, m, n), aligner.table().of_pair(pair.source, pair.target), m, n);
}
Posteriors by_jumps(const Pair& pair, const EmAligner& aligner, const Jumps& jumps) {
  const size_t m = pair.target.size(), n = pair.source.size();
  return posteriors(Transitions(jumps, n), aligner.table().of_pair(pair.source, pair.target), m);
}

}  // namespace

// A prior is kept for other pairs of the same lengths, but not if it has many cells, as with two of these pairs.
TEST_CASE("EM: the likelihood of a round is the sum over its pairs, whether they are short or long") {
  const std::vector<Pair> pairs{pair(50, 50), pair(3, 4), pair(60, 45), pair(3, 4)};
  EmAligner aligner(pairs, options);
  const EmRound first = aligner.round().forward;
  CHECK(first.words == 103);
  double diagonal = 0, jumps = 0;
  for (const Pair& each : pairs) diagonal += by_diagonal(each, aligner, first.lambda).log_likelihood;
  CHECK(aligner.round().forward.log_likelihood == Approx(diagonal));
  JumpTotals totals;
  for (const Pair& each : pairs) {
    const Posteriors found = by_jumps(each, aligner, Jumps());
    jumps += found.log_likelihood;
    totals.add(found.jumps);
  }
  const EmRound third = aligner.round().forward;
  CHECK(third.jumps);
  CHECK(third.log_likelihood == Approx(jumps));
  const Jumps learned = totals.best(options.jump_p0);
  for (const Pair& each : pairs) {
    const std::vector<double> p = by_jumps(each, aligner, learned).p;
    const Matrix found = aligner.posteriors(each).forward;
    const size_t n = each.source.size();
    for (size_t i = 0; i < found.size(); ++i)
      for (size_t j = 0; j <= n; ++j)  // the empty word is the first of p, and the last of the matrix
        REQUIRE(found[i][j] == Approx(p[i * (n + 1) + (j + 1) % (n + 1)]).margin(1e-6));
  }
}

TEST_CASE("EM: a pair without words has no links") {
  const Pair blank{.source = {}, .target = {"a"}, .gold = {}, .tags = {}, .blank = true};
  const Pair words{.source = {"a"}, .target = {"a"}, .gold = {}, .tags = {}};
  CHECK(learn_links({}).empty());
  CHECK(learn_links({blank, blank}) == std::vector<Links>(2));
  CHECK(learn_links({blank, words, words}) == std::vector<Links>{{}, {{0, 0}}, {{0, 0}}});
}
