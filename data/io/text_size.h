// How large a text is, before it is read into memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace softalign::data {

struct TextSize {
  double bytes = 0, lines = 0, words = 0;  // of what was compressed; words stand between spaces, tabs and line ends
};

// The size of the text in a file, compressed as gzip does or not. It is read in blocks, until its end or until
// `enough(size so far)`. A file that cannot be read has no size: whoever reads it says why.
TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough);

}  // namespace softalign::data
