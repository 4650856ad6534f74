// A word alignment is a set of links between words. Words count from 0, and links never include </s>.
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

namespace softalign::data {

// A Link says that source word `source` and target word `target` translate each other. Links are sorted by source, then
// by target.
struct Link {
  std::size_t source = 0, target = 0;
  auto operator<=>(const Link&) const = default;
};
using Links = std::vector<Link>;

// The struct Gold has the gold links of one pair. All annotators agree on the sure links, S. The possible links are
// acceptable, too. Och & Ney (2003) call the union of both P, but here `possible` does not include `sure`. Both lists
// are sorted, without duplicates.
struct Gold {
  Links sure, possible;
  bool operator==(const Gold&) const = default;
};

}  // namespace softalign::data
