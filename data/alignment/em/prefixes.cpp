#include "data/alignment/em/prefixes.h"

#include <algorithm>

#include "data/io/utf8.h"

namespace softalign::data {
namespace {

Vocabulary beginnings(const Vocabulary& words, size_t letters) {
  WordCounts counts;
  for (size_t id = end_id + 1; id < words.size(); ++id) ++counts[prefix_of(words.word(static_cast<Id>(id)), letters)];
  return Vocabulary::build(counts);
}

// Of each id of `words` that of its beginning; the specials keep theirs.
Ids in_beginnings(const Vocabulary& words, const Vocabulary& beginnings, size_t letters) {
  Ids ids = {pad_id, unk_id, start_id, end_id};
  for (size_t id = ids.size(); id < words.size(); ++id)
    ids.push_back(beginnings.id(prefix_of(words.word(static_cast<Id>(id)), letters)));
  return ids;
}

SparseRows pairs_of(const SparseRows& words, const Ids& source, const Ids& target, size_t rows) {
  std::vector<Ids> columns(rows);
  for (size_t f = 0; f < words.rows(); ++f) {
    Ids& row = columns[static_cast<size_t>(source[f])];
    for (size_t c = words.begin(f); c < words.end(f); ++c) row.push_back(target[static_cast<size_t>(words.column(c))]);
  }
  return SparseRows(std::move(columns));
}

}  // namespace

std::string prefix_of(const std::string& word, size_t letters) {
  const std::u32string points = decode_utf8(word);
  return points.size() <= letters ? word : encode_utf8(std::u32string_view(points).substr(0, letters));
}

Prefixes::Prefixes(size_t letters, const Vocabulary& source, const Vocabulary& target,
                   const std::vector<double>& frequency, const SparseRows& words)
    : letters_(letters),
      source_(beginnings(source, letters)),
      target_(beginnings(target, letters)),
      frequency_(target_.size()),
      pairs_(pairs_of(words, in_beginnings(source, source_, letters), in_beginnings(target, target_, letters),
                      source_.size())),
      of_cell_(words.cells()),
      share_(words.cells()),
      t_(pairs_.cells()) {
  const Ids source_ids = in_beginnings(source, source_, letters), target_ids = in_beginnings(target, target_, letters);
  for (size_t e = 0; e < target.size(); ++e) frequency_[static_cast<size_t>(target_ids[e])] += frequency[e];
  for (size_t f = 0; f < words.rows(); ++f) {
    for (size_t c = words.begin(f); c < words.end(f); ++c) {
      const auto e = static_cast<size_t>(words.column(c));
      of_cell_[c] = pairs_.find(source_ids[f], target_ids[e]);
      const double all = frequency_[static_cast<size_t>(target_ids[e])];
      share_[c] = all > 0 ? static_cast<float>(frequency[e] / all) : 0;  // <unk> may stand nowhere
    }
  }
}

void Prefixes::count(const std::vector<double>& counts) {
  std::fill(t_.begin(), t_.end(), 0.0);
  for (size_t c = 0; c < counts.size(); ++c) t_[of_cell_[c]] += counts[c];
  for (size_t f = 0; f < pairs_.rows(); ++f) {
    double all = 0;
    for (size_t c = pairs_.begin(f); c < pairs_.end(f); ++c) all += t_[c];
    for (size_t c = pairs_.begin(f); c < pairs_.end(f); ++c) t_[c] = all > 0 ? t_[c] / all : 0;
  }
}

double Prefixes::p0_of_beginnings(Id row, Id column) const {
  const Cell cell = row == unk_id || column == unk_id ? no_cell : pairs_.find(row, column);
  return cell == no_cell ? 0 : t_[cell] / (1 + frequency_[static_cast<size_t>(column)]);  // as one word of those more
}

}  // namespace softalign::data
