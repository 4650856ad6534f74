// Text without line ends is not read to the end of the memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace softalign::data {

// Bytes that a line of text may have. A longer one is of a file of another kind, or without line ends.
constexpr std::size_t longest_line = std::size_t{16} << 20;

// Watches text as it comes in, piece by piece. `name` is for the message.
class LineLimit {
 public:
  explicit LineLimit(std::string name) : name_(std::move(name)) {}
  void add(std::string_view bytes);  // std::runtime_error ("NAME:LINE: ...") as soon as a line is too long

 private:
  std::string name_;
  std::size_t number_ = 1, length_ = 0;  // of the line that has not ended
};

}  // namespace softalign::data
