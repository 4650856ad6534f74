// This file limits the length of the lines that a program reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace softalign::data {

// longest_line is the largest number of bytes that a line of text may have. If a line is longer, the file probably has
// no line ends, or is not a text file.
constexpr std::size_t longest_line = std::size_t{16} << 20;

// LineLimit checks text while a program reads it, so that text without line ends cannot fill the memory. The error
// message begins with `name`, the name of the file.
class LineLimit {
 public:
  explicit LineLimit(std::string name) : name_(std::move(name)) {}
  void add(std::string_view bytes);  // throws Error (bad_data, "NAME:LINE: ...") as soon as a line is too long

 private:
  std::string name_;
  std::size_t number_ = 1, length_ = 0;  // number and length of the current line
};

}  // namespace softalign::data
