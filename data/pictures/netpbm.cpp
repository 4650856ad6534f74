#include "data/pictures/netpbm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/io/internal/fields.h"
#include "data/io/number.h"
#include "data/pictures/internal/picture_size.h"

namespace softalign::data {

namespace {

struct Header {
  size_t channels, width = 0, height = 0, largest = 0;
  size_t bytes;  // of the header itself
};

// "P6 # comment\n640 480\n255\n": white space and comments between the numbers, one white space behind the last.
class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  Header read() {
    const char form = bytes_.size() > 1 ? bytes_[1] : '?';
    if (form != '5' && form != '6')
      fail(where_,
           fmt::format("a Netpbm picture of the form P{}; only P5 and P6 are read: pnmtopng makes a PNG of it", form));
    Header header{.channels = form == '6' ? size_t{3} : size_t{1}, .bytes = 0};
    header.width = number("the width");
    header.height = number("the height");
    header.largest = number("the largest value");
    if (at_ == bytes_.size() || !is_space(bytes_[at_])) broken("white space behind the largest value");
    header.bytes = at_ + 1;
    return header;
  }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  [[noreturn]] void broken(const std::string& expected) const {
    fail(where_, fmt::format("byte {}: {} expected, as in \"P6 640 480 255\"", at_, expected));
  }

  size_t number(const char* what) {
    const size_t before = at_;
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#'))
      at_ = bytes_[at_] == '#' ? std::min(bytes_.find('\n', at_), bytes_.size()) : at_ + 1;
    const size_t begin = at_;
    while (at_ < bytes_.size() && std::isdigit(static_cast<unsigned char>(bytes_[at_]))) ++at_;
    const auto value = data::number<size_t>(bytes_.substr(begin, at_ - begin));
    if (begin == before && begin < at_) broken(fmt::format("white space before {}", what));
    if (!value) broken(what);
    return *value;
  }

  std::string_view bytes_;
  const std::string& where_;
  size_t at_ = 2;
};

}  // namespace

Picture parse_netpbm(std::string_view bytes, const std::string& where) {
  const Header header = HeaderReader(bytes, where).read();
  check_picture_size(header.height, header.width, where);
  if (header.largest == 0 || header.largest > 65535)
    fail(where, fmt::format("the largest value is {}; 1 to 65535 expected", header.largest));
  const size_t pixels = header.height * header.width, bytes_of_a_value = header.largest > 255 ? 2 : 1;
  const size_t expected = pixels * header.channels * bytes_of_a_value, found = bytes.size() - header.bytes;
  if (found != expected)
    fail(where, fmt::format("{} bytes of pixels where {} x {} {}{} have {}; {}", found, header.width, header.height,
                            header.channels == 3 ? "colours" : "greys", bytes_of_a_value == 2 ? " of two bytes" : "",
                            expected, found < expected ? "the file is cut short" : "one picture a file is expected"));
  Picture picture{header.height, header.width, std::vector<std::uint8_t>(pixels * 3)};
  const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header.bytes;
  const auto value = [&] {
    size_t v = *next++;
    if (bytes_of_a_value == 2) v = v << 8 | *next++;
    if (v > header.largest) fail(where, fmt::format("a value of {}, but the largest is {}", v, header.largest));
    return static_cast<std::uint8_t>((v * 255 + header.largest / 2) / header.largest);
  };
  for (size_t i = 0; i < picture.rgb.size(); i += 3) {
    picture.rgb[i] = value();
    for (const size_t c : {1, 2}) picture.rgb[i + c] = header.channels == 3 ? value() : picture.rgb[i];
  }
  return picture;
}

}  // namespace softalign::data
