#include "data/metrics/aer.h"

#include <algorithm>
#include <set>

namespace softalign::data {
namespace {

bool contains(const Links& sorted, const Link& link) { return std::binary_search(sorted.begin(), sorted.end(), link); }

double ratio(std::size_t part, std::size_t whole, double of_nothing) {
  return whole == 0 ? of_nothing : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void AlignmentScore::add(const Links& links, const Gold& gold) {
  for (const Link& link : std::set<Link>(links.begin(), links.end())) {
    const bool is_sure = contains(gold.sure, link);
    found += 1;
    found_sure += is_sure;
    found_possible += is_sure || contains(gold.possible, link);
  }
  sure += gold.sure.size();
}

double AlignmentScore::aer() const { return 1.0 - ratio(found_sure + found_possible, found + sure, 1.0); }
double AlignmentScore::precision() const { return ratio(found_possible, found, 1.0); }
double AlignmentScore::recall() const { return ratio(found_sure, sure, 1.0); }

Links outside_fixed_expressions(const Links& links, const Gold& gold) {
  const auto touches = [](const Links& set, std::size_t target) {
    return std::any_of(set.begin(), set.end(), [target](const Link& link) { return link.target == target; });
  };
  Links rest;
  for (const Link& link : links) {
    if (touches(gold.sure, link.target) || !touches(gold.possible, link.target)) rest.push_back(link);
  }
  return rest;
}

}  // namespace softalign::data
