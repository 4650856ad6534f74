// Of a few names, the one that somebody may have meant by another.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

namespace softalign::autograd {

// The letters to add, drop, change, or swap with their neighbour, that make b of a: the optimal string alignment
// distance. d(i, j) is that of the first i and j letters.
inline std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// The known name that is most like `name`, capitals aside: at most a third of its letters differ, or one holds the
// other
// ("hidden-size": hidden). "" if none is.
inline std::string nearest(std::string name, const std::vector<std::string>& known) {
  const auto lower = [](std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
  };
  name = lower(name);
  std::string best;
  double least = 1;  // of the letters that differ, as a part of a third
  for (const std::string& candidate : known) {
    const std::string other = lower(candidate);
    const std::string &shorter = name.size() < other.size() ? name : other, &longer = &shorter == &name ? other : name;
    double part = 3. * static_cast<double>(edit_distance(name, other)) / static_cast<double>(longer.size() + 1);
    if (shorter.size() > 3 && longer.find(shorter) != std::string::npos) part = std::min(part, 0.9);
    if (part >= least) continue;
    least = part;
    best = candidate;
  }
  return best;
}

// "; did you mean rnnsearch?", or "".
inline std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 100;  // that anybody mistypes; comparing takes time in proportion to the length
  const std::string meant = name.size() > longest ? "" : nearest(name, known);
  return meant.empty() ? "" : "; did you mean " + meant + "?";
}

}  // namespace softalign::autograd
