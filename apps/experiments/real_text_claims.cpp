#include "apps/experiments/real_text_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/experiments/real_text.h"

namespace softalign::apps {

namespace {

using R = RealTextResults;

bool contains(const data::Links& sorted, const data::Link& link) {
  return std::binary_search(sorted.begin(), sorted.end(), link);
}

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

// Rounds to one decimal, and writes -0.04 as 0.0.
double rounded(double points) { return std::round(10 * points) / 10 + 0.0; }

std::string as_text(const Difference& d) {
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", rounded(d.points), rounded(d.low), rounded(d.high));
}

void append(std::string& figures, const std::string& more) { figures += (figures.empty() ? "" : "; ") + more; }

// The claim holds if the AER of `lower` is below the AER of `higher` on each of the test sets `begin` to `end` - 1, and
// if the 95% interval of the difference does not contain 0.
Verdict is_lower(const R& r, R::Row lower, R::Row higher, std::size_t begin, std::size_t end) {
  Verdict verdict{true, ""};
  for (std::size_t i = begin; i < end; ++i) {
    const Difference d = difference(r.of(lower, i), r.of(higher, i));
    verdict.held = verdict.held && d.high < 0;
    append(verdict.figures, as_text(d));
  }
  return verdict;
}

// The claim holds if the first difference is further below 0 than each of the other differences, and if their 95%
// intervals do not overlap.
Verdict is_further_below(const std::vector<Difference>& differences) {
  Verdict verdict{true, ""};
  for (const Difference& d : differences) {
    verdict.held = verdict.held && (&d == &differences.front() || differences.front().high < d.low);
    append(verdict.figures, as_text(d));
  }
  return verdict;
}

// Compares the lead over the diagonal on held-out pairs of at most 5 source words, of 6 to 10, and of more. The claim
// holds if the lead on the long pairs is at least as large as on the short pairs.
Verdict leads_on_long_pairs(const R& r) {
  constexpr std::array<std::size_t, 3> longest{5, 10, std::numeric_limits<std::size_t>::max()};
  Verdict verdict{true, ""};
  std::vector<double> leads;
  std::array<std::vector<std::size_t>, 3> groups;
  const std::vector<data::Pair>& pairs = r.sets[R::held_out].pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    groups[static_cast<std::size_t>(std::lower_bound(longest.begin(), longest.end(), pairs[i].source.size()) -
                                    longest.begin())]
        .push_back(i);
  for (const std::vector<std::size_t>& group : groups) {
    if (group.empty()) return {false, "there are no held-out pairs of one of the lengths"};
    const Difference d =
        difference(of_pairs(r.of(R::base, R::held_out), group), of_pairs(r.of(R::diagonal, R::held_out), group));
    leads.push_back(d.points);
    append(verdict.figures, as_text(d));
  }
  verdict.held = leads.back() <= leads.front();
  return verdict;
}

// The claim holds if a smaller share of the attention's links than of the right links is on the diagonal.
Verdict is_less_diagonal(const R& r) {
  Verdict verdict{true, ""};
  for (std::size_t i = 0; i < r.all(); ++i) {
    std::size_t found = 0, found_on = 0, gold = 0, gold_on = 0;
    for (std::size_t k = 0; k < r.sets[i].pairs.size(); ++k) {
      const data::Links cells = diagonal_links(r.sets[i].pairs[k]), &sure = r.sets[i].pairs[k].gold->sure;
      const auto on = [&](const data::Link& link) {
        return std::find(cells.begin(), cells.end(), link) != cells.end();
      };
      gold += sure.size(), gold_on += static_cast<std::size_t>(std::count_if(sure.begin(), sure.end(), on));
      for (const AllLinks& seed : r.links[i])
        found += seed[k].size(),
            found_on += static_cast<std::size_t>(std::count_if(seed[k].begin(), seed[k].end(), on));
    }
    verdict.held = verdict.held && percent(found_on, found) < percent(gold_on, gold);
    append(verdict.figures, fmt::format("{:.0f} and {:.0f}", percent(found_on, found), percent(gold_on, gold)));
  }
  return verdict;
}

// The claim holds if links on which two trainings agree are right more often than other links.
Verdict is_righter_if_agreed(const R& r) {
  Verdict verdict{true, ""};
  for (std::size_t i = 0; i < r.all(); ++i) {
    if (i == R::long_pairs || i == R::unknown_words) continue;
    std::size_t agreed = 0, agreed_right = 0, other = 0, other_right = 0;
    for (const AllLinks& one : r.links[i]) {
      for (const AllLinks& another : r.links[i]) {
        if (&one == &another) continue;
        for (std::size_t k = 0; k < one.size(); ++k) {
          const data::Gold& gold = *r.sets[i].pairs[k].gold;
          for (const data::Link& link : one[k]) {
            const bool right = contains(gold.sure, link) || contains(gold.possible, link);
            if (contains(another[k], link)) ++agreed, agreed_right += right;
            else ++other, other_right += right;
          }
        }
      }
    }
    verdict.held = verdict.held && percent(agreed_right, agreed) > percent(other_right, other);
    append(verdict.figures, fmt::format("agreement {:.0f}, right {:.0f} and {:.0f}", percent(agreed, agreed + other),
                                        percent(agreed_right, agreed), percent(other_right, other)));
  }
  return verdict;
}

// The claim holds if the largest weight changes more words than each of the other two weights. `steps` chooses the
// aligned or the misaligned steps.
Verdict largest_matters_most(const R& r, Ablations Causes::*steps) {
  Verdict verdict{true, ""};
  for (const Causes& c : r.causes) {
    const Ablations& a = c.*steps;
    if (c.aligned.steps + c.misaligned.steps == 0) continue;
    verdict.held = verdict.held && a.largest > std::max(a.second, a.random);
    append(verdict.figures, fmt::format("{:.0f}, {:.0f} and {:.0f}", percent(a.largest, a.steps),
                                        percent(a.second, a.steps), percent(a.random, a.steps)));
  }
  return verdict;
}

// The claim holds if the largest weight changes a larger share of the words at aligned steps than at misaligned steps.
Verdict aligned_matters_more(const R& r) {
  Verdict verdict{true, ""};
  for (const Causes& c : r.causes) {
    if (c.aligned.steps + c.misaligned.steps == 0) continue;
    const double aligned = percent(c.aligned.largest, c.aligned.steps),
                 misaligned = percent(c.misaligned.largest, c.misaligned.steps);
    verdict.held = verdict.held && aligned > misaligned;
    append(verdict.figures,
           fmt::format("{:.0f} of {} and {:.0f} of {}", aligned, c.aligned.steps, misaligned, c.misaligned.steps));
  }
  return verdict;
}

// The claim holds if `links` has a lower AER than the best model on each gold set.
Verdict em_is_best(const R& r) {
  Verdict verdict{true, ""};
  for (std::size_t i = R::first_gold; i < r.all(); ++i) {
    std::size_t best = R::base;
    for (std::size_t row = R::base; row < R::diagonal; ++row)
      if (mean_aer(r.of(row, i)) < mean_aer(r.of(best, i))) best = row;
    const Difference d = difference(r.of(R::em, i), r.of(best, i));
    verdict.held = verdict.held && d.high < 0;
    append(verdict.figures, as_text(d));
  }
  return verdict;
}

}  // namespace

std::vector<std::pair<std::string, Verdict>> claims_of(const RealTextResults& r) {
  const auto lead = [&](std::size_t set) { return difference(r.of(R::base, set), r.of(R::diagonal, set)); };
  std::vector<Difference> leads{lead(R::held_out)};
  for (std::size_t i = R::first_gold; i < r.all(); ++i) leads.push_back(lead(i));
  const auto lower_on_gold = [&](R::Row lower, R::Row higher) {
    return is_lower(r, lower, higher, R::first_gold, r.all());
  };
  const auto by_joined = [&](std::size_t set) { return difference(r.of(R::joined, set), r.of(R::longer, set)); };
  Verdict shifted{true, ""};
  for (std::size_t i = R::first_gold; i < r.all(); ++i) {
    const Difference d = difference(r.of(R::base, i), r.shifted[i]);
    shifted.held = shifted.held && d.high < 0;
    append(shifted.figures, fmt::format("AER {:.1f} and {:.1f}", mean_aer(r.of(R::base, i)), mean_aer(r.shifted[i])));
  }
  std::vector<std::pair<std::string, Verdict>> claims{
      {"On held-out pairs, attention aligns better than the diagonal",
       is_lower(r, R::base, R::diagonal, R::held_out, R::long_pairs)},
      {"On the gold sets, the lead over the diagonal is smaller than on held-out pairs", is_further_below(leads)},
      {"The lead over the diagonal is at least as large on long held-out pairs as on short ones",
       leads_on_long_pairs(r)},
      {"Unfamiliar length: joined pairs in training lower the AER of joined pairs more than that of single pairs",
       is_further_below({by_joined(R::long_pairs), by_joined(R::held_out)})},
      {"Unknown words: the lead over the diagonal is smaller if 30% of the words are replaced",
       is_further_below({lead(R::held_out), lead(R::unknown_words)})},
      {"Late words: a query without the previous word has a higher AER on the gold sets",
       lower_on_gold(R::base, R::no_query_word)},
      {"The weights of the next step have a higher AER on the gold sets", shifted},
      {"An encoder that reads only neighbours and positions has a higher AER on the gold sets",
       lower_on_gold(R::base, R::narrow_with_positions)},
      {"Source embeddings in keys and values lower the AER on the gold sets", lower_on_gold(R::bridging, R::base)},
      {"Dropout of the encoder states lowers the AER on the gold sets", lower_on_gold(R::state_dropout, R::base)},
      {"Subwords lower the AER on the gold sets", lower_on_gold(R::subwords, R::base)},
      {"Twice as many epochs lower the AER on the gold sets", lower_on_gold(R::longer, R::base)},
      {"Joined pairs lower the AER on the gold sets more than twice as many epochs",
       lower_on_gold(R::joined, R::longer)},
      {"More unknown words in training lower the AER on the gold sets", lower_on_gold(R::more_unknown, R::base)},
      {"Joined pairs and more unknown words lower the AER on the gold sets more than twice as many epochs",
       lower_on_gold(R::joined_unknown, R::longer)},
      {"On the gold sets, links has a lower AER than every model", em_is_best(r)},
      {"Fewer links of attention than right links are on the diagonal", is_less_diagonal(r)},
      {"At aligned steps, the largest weight changes the word more often than another weight",
       largest_matters_most(r, &Causes::aligned)},
      {"At misaligned steps, the largest weight changes the word more often than another weight",
       largest_matters_most(r, &Causes::misaligned)},
      {"The largest weight changes the word more often at aligned steps than at misaligned steps",
       aligned_matters_more(r)}};
  if (r.links.front().size() > 1)
    claims.emplace_back("Links on which two seeds agree are right more often than other links",
                        is_righter_if_agreed(r));
  return claims;
}

}  // namespace softalign::apps
