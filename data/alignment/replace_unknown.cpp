#include "data/alignment/replace_unknown.h"

#include <algorithm>
#include <stdexcept>

#include "data/corpus/vocabulary.h"

namespace softalign::data {

size_t replace_unknown(Record& record, const Lexicon& lexicon) {
  if (record.matrix.size() < record.target.size() || record.attends != "output") {
    throw std::invalid_argument("replace_unknown: the record has no attention for the words that it writes");
  }
  if (record.source.empty()) return 0;
  size_t replaced = 0;
  for (size_t t = 0; t < record.target.size(); ++t) {
    if (record.target[t] != unk_token) continue;
    const auto begin = record.matrix[t].begin();
    const auto words_end = begin + static_cast<std::ptrdiff_t>(record.source.size());
    const std::string& source = record.source[static_cast<size_t>(std::max_element(begin, words_end) - begin)];
    const auto found = lexicon.find(source);
    record.target[t] = found == lexicon.end() ? source : found->second.word;
    ++replaced;
  }
  return replaced;
}

}  // namespace softalign::data
