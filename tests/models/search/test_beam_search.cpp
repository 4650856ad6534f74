#include "tests/models/table_model.h"

using namespace softalign;
using namespace tables;

namespace {

struct Found {
  Ids ids;
  double log_prob;
  data::Matrix weights;
};
// Appends every continuation of `begun` with at most max_length words, in no particular order.
void enumerate(const Table& table, Id sentence, std::size_t length, const Found& begun, std::size_t max_length,
               std::vector<Found>& all) {
  const std::vector<double> log_p = log_probabilities(table(sentence, begun.ids));
  for (Id v = 0; v < static_cast<Id>(log_p.size()); ++v) {
    if (v == data::pad_id || v == data::start_id || (v != data::end_id && begun.ids.size() == max_length)) continue;
    Found next = begun;
    next.log_prob += log_p[static_cast<std::size_t>(v)];
    next.weights.push_back(weights(sentence, begun.ids, length));
    if (v == data::end_id) {
      all.push_back(next);
    } else {
      next.ids.push_back(v);
      enumerate(table, sentence, length, next, max_length, all);
    }
  }
}

Ids greedy(const Table& table, Id sentence, std::size_t max_length, bool& finished) {
  Ids words;
  while (true) {
    const std::vector<Real> logits = table(sentence, words);
    Id best = data::unk_id;
    for (Id v = 3; v < static_cast<Id>(logits.size()); ++v)
      if (logits[static_cast<std::size_t>(v)] > logits[static_cast<std::size_t>(best)]) best = v;
    finished = best == data::end_id;
    if (finished || words.size() == max_length) return words;
    words.push_back(best);
  }
}

}  // namespace

// Wu et al. 2016, eq. 14.
TEST_CASE("beam search: a beam as wide as the search space finds what enumeration finds") {
  const models::Normalisation normalisation = GENERATE(models::Normalisation::plain, models::Normalisation::wu);
  const double alpha = GENERATE(0.0, 0.6, 2.0), beta = GENERATE(0.0, 0.2, 3.0);
  const std::uint64_t seed = GENERATE(1, 2);
  const Table table = random_table(7, seed);
  std::vector<Found> all;
  enumerate(table, 5, 3, {}, 4, all);
  REQUIRE(all.size() == 1 + 4 + 16 + 64 + 256);
  BeamOptions options{.beam = 5 * 256,
                      .normalisation = normalisation,
                      .length_penalty = alpha,
                      .coverage_penalty = beta,
                      .max_length = 4};
  const auto score = [&](const Found& f) { return expected_score(f.log_prob, f.weights, options); };
  std::sort(all.begin(), all.end(), [&](const Found& a, const Found& b) { return score(a) > score(b); });

  for (const std::size_t n : {std::size_t{1}, std::size_t{5}, all.size()}) {
    options.n_best = n;
    const TableModel model(table);
    const auto best = beam_search(model, make_batch(5, 2), options).at(0);
    REQUIRE(best.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      INFO(autograd::name_of(normalisation)
           << ", alpha " << alpha << ", beta " << beta << ", seed " << seed << ", rank " << i << " of " << n);
      CHECK(best[i].finished);
      CHECK(best[i].score == Approx(score(all[i])).margin(1e-5));
      // Neighbours whose scores differ by rounding only may be in another order.
      const bool alone = (i == 0 || score(all[i - 1]) - score(all[i]) > 1e-5) &&
                         (i + 1 == all.size() || score(all[i]) - score(all[i + 1]) > 1e-5);
      if (alone) CHECK(best[i].ids == all[i].ids);
    }
    check_hypotheses(table, 5, 3, options, best);
  }
}

TEST_CASE("beam search: a beam of one takes the best word at each step") {
  std::size_t cut = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Table table = random_table(9, seed);
    const TableModel model(table);
    const auto best = beam_search(model, make_batch(4, 1), {.max_length = 6}).at(0);
    REQUIRE(best.size() == 1);
    bool finished = false;
    CHECK(best[0].ids == greedy(table, 4, 6, finished));
    CHECK(best[0].finished == finished);
    cut += !finished;
    check_hypotheses(table, 4, 2, {}, best);
  }
  CHECK(cut > 5);
  CHECK(cut < 45);
}

TEST_CASE("beam search: the best words are found at any index of a large vocabulary") {
  const Id V = 700;
  for (Id first = 4; first < V; ++first) {
    const Id second = first > 4 ? V + 3 - first : 5;
    if (first == second) continue;
    const TableModel model([=](Id, const Ids& words) {  // a translation is one word, then </s>
      std::vector<Real> logits(V, 0);
      if (words.empty()) {
        logits[static_cast<std::size_t>(first)] = 9;
        logits[static_cast<std::size_t>(second)] = 8;
      } else {
        logits[data::end_id] = 20;
      }
      return logits;
    });
    const auto best = beam_search(model, make_batch(4, 1), {.beam = 2, .n_best = 2}).at(0);
    CHECK(best[0].ids == Ids{first});
    CHECK(best[1].ids == Ids{second});
  }
}

TEST_CASE("beam search: a batch gives the results of its single sentences") {
  const Ids ids = {4, 9, 5, 4, 12, 7};
  const std::vector<std::size_t> words = {3, 1, 7, 2, 0, 5};
  for (std::size_t seed = 0; seed < 10; ++seed) {
    const Table table = random_table(12, seed);
    const TableModel model(table);
    const BeamOptions options{.beam = 1 + seed % 5, .n_best = 1 + seed % 3 % (1 + seed % 5)};
    const auto together = beam_search(model, make_batch(ids, words), options);
    REQUIRE(together.size() == ids.size());
    for (std::size_t b = 0; b < ids.size(); ++b) {
      INFO("seed " << seed << ", sentence " << b);
      // A sentence without words consists of </s>, so </s> is its first id.
      const Id id = words[b] == 0 ? data::end_id : ids[b];
      check_hypotheses(table, id, words[b] + 1, options, together[b]);
      const auto alone = beam_search(model, make_batch(ids[b], words[b]), options).at(0);
      REQUIRE(together[b].size() == options.n_best);
      REQUIRE(alone.size() == options.n_best);
      for (std::size_t i = 0; i < options.n_best; ++i) {
        CHECK(together[b][i].ids == alone[i].ids);
        CHECK(together[b][i].finished == alone[i].finished);
        CHECK(together[b][i].log_prob == Approx(alone[i].log_prob).margin(1e-5));
        CHECK(together[b][i].weights.matrix == alone[i].weights.matrix);
      }
    }
  }
}

TEST_CASE("beam search: equal hypotheses come in the order of their ids") {
  const TableModel model([](Id, const Ids&) { return std::vector<Real>(6, 0); });
  const auto best =
      beam_search(model, make_batch(4, 0), {.beam = 4, .n_best = 4, .length_penalty = 0, .max_length = 1});
  REQUIRE(best[0].size() == 4);
  // Step 1 finds <unk>, </s>, 4, 5. Step 2 prefers <unk> to </s> among equal continuations, so no other word is
  // finished.
  CHECK(best[0][0].ids.empty());
  CHECK(best[0][1].ids == Ids{data::unk_id});
  CHECK(best[0][1].finished);
  CHECK(best[0][2].ids == Ids{4});
  CHECK_FALSE(best[0][2].finished);
  CHECK(best[0][3].ids == Ids{5});
}

TEST_CASE("beam search: the first of equal hypotheses continues the earlier hypothesis") {
  const TableModel model([](Id, const Ids& words) {
    const Real word = words.empty() ? Real(0) : never, end = words.empty() ? never : Real(0);
    return std::vector<Real>{0, never, 0, end, word, word};
  });
  const auto best = beam_search(model, make_batch(4, 0), {.beam = 2, .n_best = 2, .max_length = 4});
  CHECK(best[0][0].ids == Ids{4});
  CHECK(best[0][1].ids == Ids{5});
}
