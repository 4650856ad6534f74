// A place in a line of text.
#pragma once

#include <cstddef>
#include <vector>

namespace softalign::data {

// Code points [begin, end) of the line, counted from 0.
struct Span {
  size_t begin = 0, end = 0;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

}  // namespace softalign::data
