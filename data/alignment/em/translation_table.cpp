#include "data/alignment/em/translation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::data {

SparseCells::SparseCells(std::vector<Ids> columns_of_rows) {
  begin_.push_back(0);
  for (Ids& columns : columns_of_rows) {
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    columns_.insert(columns_.end(), columns.begin(), columns.end());
    begin_.push_back(columns_.size());
    columns = {};
  }
  if (columns_.size() >= no_cell) {
    throw Error(ErrorKind::bad_data, "too many pairs of words stand together (2^32); give fewer sentence pairs");
  }
}

Cell SparseCells::find(Id row, Id column) const {
  const auto first = columns_.begin() + static_cast<std::ptrdiff_t>(begin_[row]);
  const auto last = columns_.begin() + static_cast<std::ptrdiff_t>(begin_[row + 1]);
  const auto found = std::lower_bound(first, last, column);
  return found != last && *found == column ? static_cast<Cell>(found - columns_.begin()) : no_cell;
}

namespace {

Vocabulary beginnings(const Vocabulary& words, std::size_t letters) {
  WordCounts counts;
  for (std::size_t id = end_id + 1; id < words.size(); ++id)
    ++counts[prefix_of(words.word(static_cast<Id>(id)), letters)];
  return Vocabulary::build(counts);
}

// Of each id of `words` that of its beginning; the specials keep theirs.
Ids in_beginnings(const Vocabulary& words, const Vocabulary& beginnings, std::size_t letters) {
  Ids ids = {pad_id, unk_id, start_id, end_id};
  for (std::size_t id = ids.size(); id < words.size(); ++id)
    ids.push_back(beginnings.id(prefix_of(words.word(static_cast<Id>(id)), letters)));
  return ids;
}

SparseCells pairs_of(const SparseCells& words, const Ids& source, const Ids& target, std::size_t rows) {
  std::vector<Ids> columns(rows);
  for (std::size_t f = 0; f < words.rows(); ++f) {
    Ids& row = columns[static_cast<std::size_t>(source[f])];
    for (std::size_t c = words.begin(f); c < words.end(f); ++c)
      row.push_back(target[static_cast<std::size_t>(words.column(c))]);
  }
  return SparseCells(std::move(columns));
}

}  // namespace

std::string prefix_of(const std::string& word, std::size_t letters) {
  const std::u32string points = decode_utf8(word);
  return points.size() <= letters ? word : encode_utf8(std::u32string_view(points).substr(0, letters));
}

Prefixes::Prefixes(std::size_t letters, const Vocabulary& source, const Vocabulary& target,
                   const std::vector<double>& frequency, const SparseCells& words)
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
  for (std::size_t e = 0; e < target.size(); ++e) frequency_[static_cast<std::size_t>(target_ids[e])] += frequency[e];
  for (std::size_t f = 0; f < words.rows(); ++f) {
    for (std::size_t c = words.begin(f); c < words.end(f); ++c) {
      const auto e = static_cast<std::size_t>(words.column(c));
      of_cell_[c] = pairs_.find(source_ids[f], target_ids[e]);
      const double all = frequency_[static_cast<std::size_t>(target_ids[e])];
      share_[c] = all > 0 ? static_cast<float>(frequency[e] / all) : 0;  // <unk> may stand nowhere
    }
  }
}

void Prefixes::count(const std::vector<double>& counts) {
  std::fill(t_.begin(), t_.end(), 0.0);
  for (std::size_t c = 0; c < counts.size(); ++c) t_[of_cell_[c]] += counts[c];
  for (std::size_t f = 0; f < pairs_.rows(); ++f) {
    double all = 0;
    for (std::size_t c = pairs_.begin(f); c < pairs_.end(f); ++c) all += t_[c];
    for (std::size_t c = pairs_.begin(f); c < pairs_.end(f); ++c) t_[c] = all > 0 ? t_[c] / all : 0;
  }
}

double Prefixes::p0_of_beginnings(Id row, Id column) const {
  const Cell cell = row == unk_id || column == unk_id ? no_cell : pairs_.find(row, column);
  return cell == no_cell ? 0
                         : t_[cell] / (1 + frequency_[static_cast<std::size_t>(column)]);  // as one word of those more
}

namespace {

// psi(x) = d/dx ln Gamma(x) for x > 0: psi(x) = psi(x + 1) - 1/x up to where the asymptotic series is exact to 1e-12.
double digamma(double x) {
  double sum = 0;
  for (; x < 8; ++x) sum -= 1 / x;
  const double y = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - y * (1. / 12 - y * (1. / 120 - y * (1. / 252 - y * (1. / 240 - y / 132))));
}

SparseCells cells_of(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target,
                     const Vocabulary& source_words, const Vocabulary& target_words) {
  std::vector<Ids> columns(source_words.size());
  for (const Pair& pair : pairs) {
    const Ids e = target_words.ids(pair.*target);
    Ids f_words = source_words.ids(pair.*source);
    f_words.push_back(empty_word);
    for (const Id f : f_words) {
      Ids& row = columns[static_cast<std::size_t>(f)];
      row.insert(row.end(), e.begin(), e.end());
    }
  }
  return SparseCells(std::move(columns));
}

std::vector<double> frequencies(const std::vector<Pair>& pairs, Tokens Pair::*side, const Vocabulary& words) {
  std::vector<double> frequency(words.size());
  for (const Pair& pair : pairs)
    for (const Id id : words.ids(pair.*side)) ++frequency[static_cast<std::size_t>(id)];
  return frequency;
}

}  // namespace

TranslationTable::TranslationTable(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target,
                                   const TablePrior& prior)
    : prior_(prior),
      source_(Vocabulary::build(count_words(pairs, source))),
      target_(Vocabulary::build(count_words(pairs, target))),
      cells_(cells_of(pairs, source, target, source_, target_)),
      alike_(cells_.rows(), no_cell),
      total_(cells_.rows()),
      t_(cells_.cells(), 1 / static_cast<double>(target_.size())) {
  if (prior.letters > 0 && prior.prefix > 0)
    prefixes_.emplace(prior.letters, source_, target_, frequencies(pairs, target, target_), cells_);
  for (std::size_t f = end_id + 1; f < cells_.rows(); ++f) {
    const Id e = target_.id(source_.word(static_cast<Id>(f)));
    if (e != unk_id) alike_[f] = cells_.find(static_cast<Id>(f), e);
  }
}

double TranslationTable::alpha(std::size_t f, std::size_t cell) const {
  if (f == empty_word) return prior_.alpha;
  return prior_.alpha + (prefixes_ ? prior_.prefix * prefixes_->p0(cell) : 0) +
         (cell == alike_[f] ? prior_.identity : 0);
}

void TranslationTable::maximise(const std::vector<double>& counts) {
  if (prefixes_) prefixes_->count(counts);
  const auto value = [this](double c) { return prior_.alpha > 0 ? std::exp(digamma(c)) : c; };
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t f = 0; f < cells_.rows(); ++f) {
    double c = 0, prior = 0;
    for (std::size_t cell = cells_.begin(f); cell < cells_.end(f); ++cell) {
      c += counts[cell];
      prior += t_[cell] = alpha(f, cell);
    }
    total_[f] = c;
    const double all = value(c + prior);
    for (std::size_t cell = cells_.begin(f); cell < cells_.end(f); ++cell)
      t_[cell] = all > 0 ? value(counts[cell] + t_[cell]) / all : 0;
  }
}

double TranslationTable::unseen(double p0, Id row, bool same_word) const {
  const double all = total_[static_cast<std::size_t>(row)] + prior_.prefix + prior_.identity;
  return all > 0 ? ((prefixes_ ? prior_.prefix * p0 : 0) + (same_word ? prior_.identity : 0)) / all : 0;
}

std::vector<double> TranslationTable::of_pair(const Tokens& f, const Tokens& e) const {
  constexpr double least = 1e-7;
  const Ids columns = target_.ids(e);
  Ids rows = source_.ids(f);
  rows.insert(rows.begin(), empty_word);
  // The beginnings are looked up when they are needed: most pairs have only words that occurred together before.
  constexpr Id not_asked = -1;
  Ids f_beginnings(f.size(), not_asked), e_beginnings(e.size(), not_asked);
  const auto p0 = [&](std::size_t i, std::size_t j) {
    if (f_beginnings[j] == not_asked) f_beginnings[j] = prefixes_->of_source(f[j]);
    if (e_beginnings[i] == not_asked) e_beginnings[i] = prefixes_->of_target(e[i]);
    return prefixes_->p0_of_beginnings(f_beginnings[j], e_beginnings[i]);
  };
  const auto of_unseen = [&](std::size_t i, std::size_t j) {
    return unseen(prefixes_ ? p0(i, j) : 0, rows[j + 1], f[j] == e[i]);
  };
  std::vector<double> t;
  t.reserve(e.size() * (f.size() + 1));
  for (std::size_t i = 0; i < e.size(); ++i) {
    for (std::size_t j = 0; j <= f.size(); ++j) {
      const bool known = rows[j] != unk_id && columns[i] != unk_id;
      const Cell cell = known ? cells_.find(rows[j], columns[i]) : no_cell;
      t.push_back(std::max(cell != no_cell ? t_[cell] : j > 0 ? of_unseen(i, j - 1) : 0, least));
    }
  }
  return t;
}

Lexicon TranslationTable::lexicon() const {
  Lexicon lexicon;
  for (std::size_t f = end_id + 1; f < cells_.rows(); ++f) {
    std::size_t best = cells_.begin(f);
    for (std::size_t cell = best; cell < cells_.end(f); ++cell)
      if (t_[cell] > t_[best]) best = cell;
    const std::string& e = target_.word(cells_.column(best));
    if (!is_special(e)) lexicon[source_.word(static_cast<Id>(f))] = {e, std::min(t_[best], 1.0)};
  }
  return lexicon;
}

std::string TranslationTable::text(double least) const {
  std::map<std::string, Id> rows = {{"", empty_word}};
  for (std::size_t f = end_id + 1; f < cells_.rows(); ++f) rows[source_.word(static_cast<Id>(f))] = static_cast<Id>(f);
  std::string text;
  for (const auto& [word, f] : rows) {
    std::vector<std::pair<double, Id>> likely;
    for (std::size_t cell = cells_.begin(static_cast<std::size_t>(f)); cell < cells_.end(static_cast<std::size_t>(f));
         ++cell)
      if (t_[cell] >= least) likely.emplace_back(-t_[cell], cells_.column(cell));
    std::sort(likely.begin(), likely.end());
    for (const auto& [t, e] : likely) text += fmt::format("{}\t{}\t{:.6f}\n", word, target_.word(e), -t);
  }
  return text;
}

}  // namespace softalign::data
