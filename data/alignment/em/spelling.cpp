#include "data/alignment/em/spelling.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include "data/io/unicode.h"

namespace softalign::data {

std::u32string folded(const std::string& word) {
  constexpr auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD);
  utf8proc_uint8_t* text = nullptr;
  const utf8proc_ssize_t size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(word.data()),
                                             static_cast<utf8proc_ssize_t>(word.size()), &text, options);
  if (size < 0) return decode_utf8(word);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(text, std::free);
  return decode_utf8({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)});
}

double spelling_similarity(std::u32string_view e, std::u32string_view f) {
  if (e == f) return 1;
  constexpr std::size_t least = 4;
  const std::size_t longer = std::max(e.size(), f.size()), shorter = std::min(e.size(), f.size());
  if (shorter < least || 2 * (longer - shorter) >= longer) return 0;
  // d[j] is the edit distance between the first i letters of e and the first j letters of f (Wagner & Fischer 1974).
  std::vector<std::size_t> d(f.size() + 1);
  std::iota(d.begin(), d.end(), std::size_t{0});
  for (std::size_t i = 1; i <= e.size(); ++i) {
    std::size_t before = d[0];  // between the first i - 1 and the first j - 1 letters
    d[0] = i;
    for (std::size_t j = 1; j <= f.size(); ++j) {
      const std::size_t changed = before + (e[i - 1] != f[j - 1]);
      before = d[j];
      d[j] = std::min({changed, d[j] + 1, d[j - 1] + 1});
    }
  }
  return std::max(0., 1 - 2 * static_cast<double>(d.back()) / static_cast<double>(longer));
}

}  // namespace softalign::data
