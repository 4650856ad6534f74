#include "data/alignment/argmax_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace softalign::data {

Links argmax_links(const Matrix& matrix, std::size_t source_words, std::size_t target_words, std::size_t shift) {
  if (matrix.size() != target_words && matrix.size() != target_words + 1) {
    throw std::invalid_argument(
        fmt::format("argmax_links: {} rows for {} target words; expected one a word, and one for </s>", matrix.size(),
                    target_words));
  }
  Links links;
  for (std::size_t t = 0; t < matrix.size(); ++t) {
    const std::vector<float>& row = matrix[t];
    if (row.empty() || (row.size() != source_words && row.size() != source_words + 1)) {
      throw std::invalid_argument(
          fmt::format("argmax_links: row {} has {} columns for {} source words", t, row.size(), source_words));
    }
    if (t < shift || t - shift >= target_words) continue;
    const auto source = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    if (source < source_words) links.push_back({source, t - shift});
  }
  std::sort(links.begin(), links.end());
  return links;
}

}  // namespace softalign::data
