#include "data/pictures/scaled.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::data {

namespace {

// Pixel i of n covers [i m / n, (i + 1) m / n) of m pixels: pixels from `first` on, each by that many n-ths.
struct Cover {
  size_t first;
  std::vector<size_t> parts;  // they sum to m
};

std::vector<Cover> covers(size_t m, size_t n) {
  std::vector<Cover> all(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t begin = i * m, end = begin + m;  // in n-ths of a pixel
    all[i].first = begin / n;
    for (size_t at = begin; at < end;) {
      const size_t next = std::min((at / n + 1) * n, end);
      all[i].parts.push_back(next - at);
      at = next;
    }
  }
  return all;
}

}  // namespace

Picture scaled(const Picture& picture, size_t height, size_t width) {
  if (picture.rgb.empty() || height == 0 || width == 0)
    throw std::invalid_argument(
        fmt::format("scaled: {} x {} pixels to {} x {}", picture.height, picture.width, height, width));
  const std::vector<Cover> rows = covers(picture.height, height), columns = covers(picture.width, width);
  const size_t whole = picture.height * picture.width;
  Picture result{height, width, {}};
  result.rgb.reserve(height * width * 3);
  for (const Cover& down : rows)
    for (const Cover& right : columns) {
      std::array<size_t, 3> sums{};  // of whole-ths of the values
      for (size_t i = 0; i < down.parts.size(); ++i) {
        const std::uint8_t* p = picture.rgb.data() + ((down.first + i) * picture.width + right.first) * 3;
        for (const size_t part : right.parts)
          for (size_t& sum : sums) sum += down.parts[i] * part * *p++;
      }
      for (const size_t sum : sums) result.rgb.push_back(static_cast<std::uint8_t>((sum + whole / 2) / whole));
    }
  return result;
}

}  // namespace softalign::data
