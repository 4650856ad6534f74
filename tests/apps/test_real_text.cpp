// These tests check the parts of the study `reproduce alignment-on-real-text`: its sentence pairs, the comparison of
// AERs, and the removal of attention weights.
#include <algorithm>
#include <map>

#include "apps/experiments/ablated_steps.h"
#include "apps/experiments/aer_difference.h"
#include "apps/experiments/real_text.h"
#include "apps/experiments/real_text_claims.h"
#include "models/search/intervention.h"
#include "tests/catch.h"
#include "tests/models/kinds.h"

using namespace softalign;
using namespace softalign::apps;

namespace {

data::Pair pair_of(data::Tokens source, data::Tokens target, std::optional<data::Gold> gold = {}) {
  return {.source = std::move(source), .target = std::move(target), .gold = std::move(gold), .tags = {}};
}

// Returns scores of one seed on 120 pairs with one link each, of which `wrong` in ten are wrong.
SeedScores scored(std::size_t wrong) {
  SeedScores scores(1);
  for (std::size_t i = 0; i < 120; ++i) {
    scores[0].emplace_back();
    scores[0].back().add({{0, i % 10 < wrong ? 1u : 0u}}, {{{0, 0}}, {}});
  }
  return scores;
}

// Returns results on the three sets of held-out pairs and on one gold set. All aligners have the same scores, and there
// is one training.
RealTextResults same_scores() {
  RealTextResults r;
  for (std::size_t set = 0; set <= RealTextResults::first_gold; ++set) {
    r.sets.push_back({"set", "", {}});
    for (std::size_t i = 0; i < 120; ++i)
      r.sets.back().pairs.push_back(
          pair_of(data::Tokens(3 + i % 3 * 4, "s"), data::Tokens(2, "t"), data::Gold{{{0, 0}}, {}}));
    for (auto& row : r.scores) row.emplace_back(scored(5));
    r.shifted.push_back(scored(5));
    r.links.push_back({AllLinks(120, {{0, 0}})});
    r.causes.emplace_back();
  }
  return r;
}

std::map<std::string, Verdict> verdicts(const RealTextResults& r) {
  const auto claims = claims_of(r);
  return {claims.begin(), claims.end()};
}

}  // namespace

TEST_CASE("real text: pairs are joined with their links, and the last group may be smaller") {
  const std::vector<data::Pair> pairs{pair_of({"a", "b"}, {"x"}, data::Gold{{{1, 0}}, {{0, 0}}}),
                                      pair_of({"c"}, {"y", "z"}, data::Gold{{{0, 1}}, {}}),
                                      pair_of({"d"}, {"w"}, data::Gold{{{0, 0}}, {}})};
  const std::vector<data::Pair> found = joined(pairs, 2);
  REQUIRE(found.size() == 2);
  CHECK(found[0].source == data::Tokens{"a", "b", "c"});
  CHECK(found[0].target == data::Tokens{"x", "y", "z"});
  CHECK(found[0].gold == data::Gold{{{1, 0}, {2, 2}}, {{0, 0}}});
  CHECK(found[1].source == data::Tokens{"d"});
  CHECK(found[1].gold == data::Gold{{{0, 0}}, {}});
  CHECK_FALSE(joined({pair_of({"a"}, {"x"})}, 1)[0].gold);
}

TEST_CASE("real text: a part of the words becomes unknown, and equal pairs give equal results") {
  const std::vector<data::Pair> pairs{pair_of(data::Tokens(1000, "word"), {"x"})};
  const data::Tokens changed = with_unknown_words(pairs, 0.3)[0].source;
  const auto kept = std::count(changed.begin(), changed.end(), "word");
  CHECK(kept > 640);
  CHECK(kept < 760);
  CHECK(with_unknown_words(pairs, 0.3)[0].source == changed);
  CHECK(with_unknown_words(pairs, 0)[0].source == pairs[0].source);
}

TEST_CASE("real text: punctuation stays when a word becomes unknown") {
  const data::Pair changed = with_unknown_words({pair_of({"Who?", "?"}, {"Tom..."})}, 1)[0];
  CHECK(changed.source[0].substr(0, 2) == "zq");
  CHECK(changed.source[0].back() == '?');
  CHECK(changed.source[1] == "?");
  CHECK(changed.target[0].substr(0, 2) == "zq");
  CHECK(changed.target[0].substr(changed.target[0].size() - 3) == "...");
}

TEST_CASE("real text: the diagonal links words at the same relative position") {
  const auto links = [](std::size_t S, std::size_t T) {
    return diagonal_links(pair_of(data::Tokens(S, "s"), data::Tokens(T, "t")));
  };
  CHECK(links(3, 3) == data::Links{{0, 0}, {1, 1}, {2, 2}});
  CHECK(links(4, 2) == data::Links{{1, 0}, {3, 1}});
  CHECK(links(2, 4) == data::Links{{0, 0}, {0, 1}, {1, 2}, {1, 3}});
}

TEST_CASE("real text: the AER is the mean over the seeds, and its interval comes from samples of the pairs") {
  const data::Gold gold{{{0, 0}}, {}};
  data::AlignmentScore right, wrong;
  right.add({{0, 0}}, gold), wrong.add({{0, 1}}, gold);
  const SeedScores all_right{{right, right, right, right}}, half{{right, right, wrong, wrong}};
  CHECK(mean_aer(half) == Approx(50));
  CHECK(mean_aer({all_right[0], half[0]}) == Approx(25));
  CHECK(mean_aer(of_pairs(half, {0, 2, 3})) == Approx(200.0 / 3));

  const Difference none = difference(half, half);
  CHECK(none.points == 0);
  CHECK(none.low == 0);  // each sample has the same pairs on both sides
  CHECK(none.high == 0);
  const Difference more = difference(half, all_right);
  CHECK(more.points == Approx(50));
  CHECK(more.low == Approx(0));     // 6% of the samples of four pairs have no wrong pair
  CHECK(more.high == Approx(100));  // and as many have only wrong pairs
  SeedScores many_half(1), many_right(1);
  for (std::size_t i = 0; i < 200; ++i)
    many_half[0].push_back(i % 2 == 0 ? right : wrong), many_right[0].push_back(right);
  const Difference sure = difference(many_half, many_right);
  CHECK(sure.low > 41);  // the standard deviation is 3.5 points, and the interval has 1.96 of them on each side
  CHECK(sure.low < 45);
  CHECK(sure.high > 55);
  CHECK(sure.high < 59);
}

// The interventions of `align` do the same for the model's own translation, one at a time. The source has three
// positions, so the random other weight is the smallest one.
TEST_CASE("real text: a step without a weight writes what an intervention of this kind writes") {
  std::size_t changed = 0, unchanged = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const char* model : {"rnnsearch", "luong"}) {
      const kinds::Made made(kinds::with(kinds::small(), {{"model", model}, {"initialiser", "default"}}), seed);
      const data::Ids source{4, 5};
      const models::Memory memory = [&] {
        const autograd::NoGrad no_grad;
        return made.model.encode(data::make_source_batch({{source, {}}}, {0}));
      }();
      const auto decode = [&](const models::Intervention* change) {
        return models::decode_with(made.model.decoder(), memory, change, autograd::Random(1));
      };
      const models::Hypothesis alone = decode(nullptr);
      const std::vector<AblatedStep> steps = ablate_steps(made.model, {source, alone.ids}, autograd::Random(1));
      REQUIRE(steps.size() == alone.ids.size());
      for (std::size_t t = 0; t < steps.size(); ++t) {
        CHECK(steps[t].word == alone.ids[t]);
        const std::vector<float>& row = alone.weights.matrix[t];
        std::vector<std::size_t> order{0, 1, 2};
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
        CHECK(steps[t].attended == order[0]);
        const auto changes = [&](std::size_t position) {
          const models::Intervention ablate{.kind = data::InterventionKind::ablate, .step = t, .source = position};
          const models::Hypothesis without = decode(&ablate);
          return (t < without.ids.size() ? without.ids[t] : data::end_id) != steps[t].word;
        };
        CHECK(steps[t].largest == changes(order[0]));
        CHECK(steps[t].second == changes(order[1]));
        CHECK(steps[t].random == changes(order[2]));
        ++(steps[t].largest && !steps[t].random ? changed : unchanged);
      }
    }
  }
  CHECK(changed > 0);
  CHECK(unchanged > 0);
}

TEST_CASE("real text: a source of one word has no third weight to remove") {
  const kinds::Made made(kinds::small());
  CHECK(ablate_steps(made.model, {{4}, {5, 6}}, autograd::Random(1)).empty());
  CHECK(ablate_steps(made.model, {{4, 5}, {5, 6}}, autograd::Random(1)).size() == 2);
}

TEST_CASE("real text: a claim about two aligners holds only if the interval of the difference does not contain 0") {
  using R = RealTextResults;
  const std::string epochs = "Twice as many epochs lower the AER on the gold sets";
  const std::string better = "On held-out pairs, attention aligns better than the diagonal";
  const std::string unknown = "Unknown words: the lead over the diagonal is smaller if 30% of the words are replaced";
  const std::string lengths = "The lead over the diagonal is at least as large on long held-out pairs as on short ones";
  const std::string em = "On the gold sets, links has a lower AER than every model";
  RealTextResults r = same_scores();
  CHECK_FALSE(verdicts(r)[epochs].held);
  CHECK(verdicts(r)[epochs].figures == "0.0 (0.0 to 0.0)");
  CHECK_FALSE(verdicts(r)[better].held);
  CHECK_FALSE(verdicts(r)[unknown].held);
  CHECK(verdicts(r)[lengths].held);  // 0 points for all lengths
  CHECK_FALSE(verdicts(r)[em].held);

  r.scores[R::longer][R::first_gold] = scored(2);
  CHECK(verdicts(r)[epochs].held);
  CHECK(verdicts(r)[epochs].figures.substr(0, 5) == "-30.0");
  r.scores[R::longer][R::first_gold] = scored(8);
  CHECK_FALSE(verdicts(r)[epochs].held);
  r.scores[R::em][R::first_gold] = scored(1);
  CHECK(verdicts(r)[em].held);
  r.scores[R::subwords][R::first_gold] = scored(1);  // the best model counts
  CHECK_FALSE(verdicts(r)[em].held);
  r.scores[R::base][R::held_out] = scored(2);
  CHECK(verdicts(r)[better].held);
  CHECK(verdicts(r)[unknown].held);
  for (std::size_t i = 2; i < 120; i += 3)  // the pairs of eleven words
    r.scores[R::base][R::held_out]->at(0)[i] = scored(10)[0][i];
  CHECK_FALSE(verdicts(r)[lengths].held);
}

TEST_CASE("real text: claims about causes, the diagonal and the agreement of seeds follow from counts") {
  const std::string aligned = "At aligned steps, the largest weight changes the word more often than another weight";
  const std::string misaligned =
      "At misaligned steps, the largest weight changes the word more often than another weight";
  const std::string more = "The largest weight changes the word more often at aligned steps than at misaligned steps";
  const std::string diagonal = "Fewer links of attention than right links are on the diagonal";
  const std::string agreed = "Links on which two seeds agree are right more often than other links";
  RealTextResults r = same_scores();
  r.causes[RealTextResults::held_out] = {{10, 6, 1, 0}, {20, 2, 3, 1}};
  std::map<std::string, Verdict> found = verdicts(r);
  CHECK(found[aligned].held);
  CHECK(found[aligned].figures == "60, 10 and 0");
  CHECK_FALSE(found[misaligned].held);
  CHECK(found[misaligned].figures == "10, 15 and 5");
  CHECK(found[more].held);
  CHECK(found[more].figures == "60 of 10 and 10 of 20");
  CHECK(found.count(agreed) == 0);
  CHECK_FALSE(found[diagonal].held);  // with three source words, link 0-0 is on the diagonal

  for (std::vector<AllLinks>& seeds : r.links) {
    seeds = {AllLinks(120, {{0, 0}, {1, 1}}), AllLinks(120, {{0, 0}, {2, 1}})};
    seeds[0][0] = {{1, 0}};  // in one pair, only the second seed is right
  }
  found = verdicts(r);
  CHECK(found[agreed].held);
  // Of 239 + 240 links, 2 * 119 agree and are right. One of the other 241 is right.
  CHECK(found[agreed].figures.substr(0, 35) == "agreement 50, right 100 and 0; agre");
  for (AllLinks& seed : r.links[RealTextResults::first_gold]) seed = AllLinks(120, {{1, 1}});
  CHECK_FALSE(verdicts(r)[agreed].held);
}
