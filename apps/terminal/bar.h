// A bar of blocks for a number from 0 to 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace softalign::apps {

inline constexpr std::size_t bar_columns = 8;

inline std::string bar_of(double share) {
  const auto filled = static_cast<std::size_t>(std::lround(std::clamp(share, 0., 1.) * bar_columns));
  std::string text;
  for (std::size_t i = 0; i < bar_columns; ++i) text += i < filled ? "▇" : " ";
  return text;
}

}  // namespace softalign::apps
