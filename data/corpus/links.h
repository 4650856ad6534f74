// This file defines word alignments as links, and gold standards. Words are counted from 0 and never include </s>.
#pragma once

#include <compare>
#include <cstddef>
#include <vector>

namespace softalign::data {

// A Link says that source word `source` and target word `target` translate each other. Links sort by source, then
// target.
struct Link {
  std::size_t source = 0, target = 0;
  auto operator<=>(const Link&) const = default;
};
using Links = std::vector<Link>;

// Gold is the gold standard of one pair. All annotators agree on the sure links (S); the possible links are also
// acceptable. The P of Och & Ney (2003) is the union of both, but here `possible` excludes `sure`. Both are sorted,
// without duplicates.
struct Gold {
  Links sure, possible;
  bool operator==(const Gold&) const = default;
};

}  // namespace softalign::data
