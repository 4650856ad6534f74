#include "data/alignment/symmetrisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>

#include "data/alignment/argmax_links.h"

namespace softalign::data {

namespace {

using Set = std::set<Link>;

Set intersection(const Set& F, const Set& B) {
  Set both;
  std::set_intersection(F.begin(), F.end(), B.begin(), B.end(), std::inserter(both, both.end()));
  return both;
}

Set union_of(const Set& F, const Set& B) {
  Set any = F;
  any.insert(B.begin(), B.end());
  return any;
}

// Growing has the links so far, and knows which words have a link.
struct Growing {
  Set links = {};
  std::vector<bool> source, target;  // true if the word has a link

  void add(const Link& link) {
    links.insert(link);
    source[link.source] = target[link.target] = true;
  }
};

// grow_once visits all links in order, including the links that it adds. It returns whether it added a link.
bool grow_once(Growing& grown, const Set& any) {
  // Neighbours in the same row or column come first, as in the programs of the paper. An index below 0 becomes very
  // large, so `any` does not contain it.
  static const std::vector<std::pair<int, int>> steps = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                                         {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  bool more = false;
  for (const Link& link : grown.links) {
    for (const auto& [source, target] : steps) {
      const Link next{link.source + static_cast<std::size_t>(source), link.target + static_cast<std::size_t>(target)};
      if (any.count(next) == 0 || (grown.source[next.source] && grown.target[next.target])) continue;
      grown.add(next);
      more = true;
    }
  }
  return more;
}

Set grow_diag_final_and(const Set& F, const Set& B, std::size_t source_words, std::size_t target_words) {
  Growing grown{{}, std::vector<bool>(source_words), std::vector<bool>(target_words)};
  for (const Link& link : intersection(F, B)) grown.add(link);
  const Set any = union_of(F, B);
  while (grow_once(grown, any)) continue;
  for (const Set* side : {&F, &B}) {
    for (const Link& link : *side)
      if (!grown.source[link.source] && !grown.target[link.target]) grown.add(link);
  }
  return grown.links;
}

}  // namespace

Links symmetrise(JointRuleKind rule, const Links& forward, const Links& backward, std::size_t source_words,
                 std::size_t target_words) {
  for (const Links* links : {&forward, &backward}) {
    for (const Link& link : *links) {
      if (link.source < source_words && link.target < target_words) continue;
      throw std::invalid_argument(fmt::format("symmetrise: link {}-{} is outside {} x {} words", link.source,
                                              link.target, source_words, target_words));
    }
  }
  const Set F(forward.begin(), forward.end()), B(backward.begin(), backward.end());
  const auto joined = [&]() -> Set {
    switch (rule) {
      case JointRuleKind::intersection:
        return intersection(F, B);
      case JointRuleKind::union_of_both:
        return union_of(F, B);
      case JointRuleKind::grow_diag_final_and:
        return grow_diag_final_and(F, B, source_words, target_words);
      default:
        throw std::invalid_argument(fmt::format("symmetrise: the rule {} needs weights", autograd::name_of(rule)));
    }
  };
  const Set links = joined();
  return {links.begin(), links.end()};
}

std::vector<std::string> rules_of_links() {
  using enum JointRuleKind;
  std::vector<std::string> names;
  for (const JointRuleKind rule : {intersection, union_of_both, grow_diag_final_and})
    names.emplace_back(autograd::name_of(rule));
  return names;
}

Links transposed(const Links& links) {
  Links turned;
  for (const Link& link : links) turned.push_back({link.target, link.source});
  std::sort(turned.begin(), turned.end());
  return turned;
}

static Gold transposed(const Gold& gold) { return {transposed(gold.sure), transposed(gold.possible)}; }

std::vector<Pair> turned(std::vector<Pair> pairs) {
  for (Pair& pair : pairs) {
    std::swap(pair.source, pair.target);
    std::swap(pair.source_line, pair.target_line);
    if (pair.gold) pair.gold = transposed(*pair.gold);
    if (pair.written) {
      pair.written->gold = transposed(pair.written->gold);
      std::swap(pair.written->source, pair.written->target);
    }
  }
  return pairs;
}

namespace {

Links agreeing_links(const Matrix& forward, const Matrix& backward, std::size_t S, std::size_t T, double threshold) {
  Links links;
  for (std::size_t s = 0; s < S; ++s) {
    for (std::size_t t = 0; t < T; ++t) {
      const double both = static_cast<double>(forward[t][s]) * static_cast<double>(backward[s][t]);
      if (std::sqrt(both) >= threshold) links.push_back({s, t});
    }
  }
  return links;
}

}  // namespace

Links joint_links(const JointRule& rule, const Matrix& forward, const Matrix& backward, std::size_t source_words,
                  std::size_t target_words) {
  const Links F = argmax_links(forward, source_words, target_words);  // argmax_links also checks the sizes
  const Links B = transposed(argmax_links(backward, target_words, source_words));
  if (rule.kind == JointRuleKind::agreement)
    return agreeing_links(forward, backward, source_words, target_words, rule.threshold);
  if (rule.kind == JointRuleKind::forward) return F;
  if (rule.kind == JointRuleKind::backward) return B;
  return symmetrise(rule.kind, F, B, source_words, target_words);
}

}  // namespace softalign::data
