#include "data/io/line_limit.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/io/error.h"

namespace softalign::data {

void LineLimit::add(std::string_view bytes) {
  for (std::size_t begin = 0;;) {
    const std::size_t end = bytes.find('\n', begin);
    length_ += std::min(end, bytes.size()) - begin;
    if (length_ > longest_line)
      throw Error(
          ErrorKind::bad_data,
          fmt::format("{}:{}: the line has more than {} MB, so this is probably no text file with one item per line",
                      name_, number_, longest_line >> 20));
    if (end == std::string_view::npos) return;
    begin = end + 1;
    length_ = 0;
    ++number_;
  }
}

}  // namespace softalign::data
