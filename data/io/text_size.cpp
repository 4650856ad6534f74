#include "data/io/text_size.h"

#include <zlib.h>

#include <memory>
#include <vector>

namespace softalign::data {

TextSize text_size(const std::string& path, const std::function<bool(const TextSize&)>& enough) {
  TextSize size;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) return size;
  std::vector<char> block(std::size_t{1} << 18);
  bool in_word = false;
  for (int got = 0; (got = gzread(file.get(), block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    std::size_t lines = 0, words = 0;
    for (int i = 0; i < got; ++i) {
      const char c = block[static_cast<std::size_t>(i)];
      const bool parts = c == ' ' || c == '\t' || c == '\n';
      lines += c == '\n';
      words += in_word && parts;
      in_word = !parts;
    }
    size.bytes += got;
    size.lines += static_cast<double>(lines);
    size.words += static_cast<double>(words);
    if (enough(size)) break;
  }
  size.lines += in_word, size.words += in_word;
  return size;
}

}  // namespace softalign::data
