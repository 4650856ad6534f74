#include "data/alignment/em/translation_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "data/alignment/em/spelling.h"
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

// If the counts of a pair are subtracted from all counts, rounding may leave counts below this limit. They are treated
// as 0.
constexpr double nothing = 1e-4;
constexpr double least_t = 1e-7;
// exp psi(x) of a small x, and probabilities computed from it, are at least this number. Otherwise they would be
// rounded to 0, and a word without any probability above 0 would have posteriors of 0 / 0.
constexpr double least_value = 1e-150;

Vocabulary beginnings(const Vocabulary& words, std::size_t letters) {
  WordCounts counts;
  for (std::size_t id = end_id + 1; id < words.size(); ++id)
    ++counts[prefix_of(words.word(static_cast<Id>(id)), letters)];
  return Vocabulary::build(counts);
}

// Returns the id of the first letters of each word in `words`. Special words keep their ids.
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
      source_ids_(in_beginnings(source, source_, letters)),
      pairs_(pairs_of(words, source_ids_, in_beginnings(target, target_, letters), source_.size())),
      of_cell_(words.cells()),
      share_(target.size()),
      counts_(pairs_.cells()),
      totals_(pairs_.rows()) {
  const Ids target_ids = in_beginnings(target, target_, letters);
  for (std::size_t e = 0; e < target.size(); ++e) frequency_[static_cast<std::size_t>(target_ids[e])] += frequency[e];
  for (std::size_t e = 0; e < target.size(); ++e) {
    const double all = frequency_[static_cast<std::size_t>(target_ids[e])];
    share_[e] = all > 0 ? frequency[e] / all : 0;  // <unk> may not occur
  }
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t f = 0; f < words.rows(); ++f) {
    for (std::size_t c = words.begin(f); c < words.end(f); ++c)
      of_cell_[c] = pairs_.find(source_ids_[f], target_ids[static_cast<std::size_t>(words.column(c))]);
  }
}

void Prefixes::count(const std::vector<double>& counts) {
  std::fill(counts_.begin(), counts_.end(), 0.0);
  for (std::size_t c = 0; c < counts.size(); ++c) counts_[of_cell_[c]] += counts[c];
  for (std::size_t f = 0; f < pairs_.rows(); ++f) {
    totals_[f] = 0;
    for (std::size_t c = pairs_.begin(f); c < pairs_.end(f); ++c) totals_[f] += counts_[c];
  }
}

double Prefixes::p0(Id f, Id e, std::size_t cell) const {
  const double all = totals_[static_cast<std::size_t>(of_source(f))];
  return all > 0 ? counts_[of_cell_[cell]] / all * share_[static_cast<std::size_t>(e)] : 0;
}

double Prefixes::p0_without(const PairCounts& of_pair, Id f, Id e, std::size_t cell, bool seen) const {
  const Cell b = of_cell_[cell];
  const double count = counts_[b] - of_pair.count,
               all = totals_[static_cast<std::size_t>(of_source(f))] - of_pair.total;
  if (count < nothing || all < nothing) return 0;
  return count / all *
         (seen ? share_[static_cast<std::size_t>(e)] : 1 / frequency_[static_cast<std::size_t>(pairs_.column(b))]);
}

double Prefixes::p0_of_beginnings(Id row, Id column) const {
  const Cell cell = row == unk_id || column == unk_id ? no_cell : pairs_.find(row, column);
  return cell == no_cell || counts_[cell] == 0
             ? 0
             : counts_[cell] / totals_[static_cast<std::size_t>(row)] /
                   (1 + frequency_[static_cast<std::size_t>(column)]);  // as if one more word had this prefix
}

namespace {

// exp_digamma returns exp psi(x) for x > 0, with psi(x) = d/dx ln Gamma(x). The loop uses
//   psi(x) = psi(x + 4) - 1/x - 1/(x+1) - 1/(x+2) - 1/(x+3)
// until the series of exp psi in y = x - 1/2 is exact to 1e-12. With p = x (x+3) and q = p + 2 = (x+1) (x+2), the four
// fractions sum to (2x+3) / p + (2x+3) / q. This sum takes one slow division instead of four.
double exp_digamma(double x) {
  double sum = 0;
  for (; x < 12; x += 4) {
    const double p = x * (x + 3), q = p + 2;
    sum -= (2 * x + 3) * (p + q) / (p * q);
  }
  const double y = x - 0.5, z = 1 / (y * y);
  const double series = y * (1 + z * (1. / 24 - z * (37. / 5760 - z * (10313. / 2903040 - z * 5509121. / 1393459200))));
  return sum == 0 ? series : series * std::exp(sum);
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

// similarities returns s(e, f) of every cell. The similarity of the empty word and of special words is 0.
std::vector<float> similarities(const SparseCells& cells, const Vocabulary& source, const Vocabulary& target) {
  const auto all_folded = [](const Vocabulary& words) {
    std::vector<std::u32string> found(words.size());
    for (std::size_t id = end_id + 1; id < words.size(); ++id) found[id] = folded(words.word(static_cast<Id>(id)));
    return found;
  };
  const std::vector<std::u32string> e = all_folded(target), f = all_folded(source);
  std::vector<float> similarity(cells.cells());
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t row = end_id + 1; row < cells.rows(); ++row) {
    for (std::size_t c = cells.begin(row); c < cells.end(row); ++c)
      similarity[c] = static_cast<float>(spelling_similarity(e[static_cast<std::size_t>(cells.column(c))], f[row]));
  }
  return similarity;
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
      similarity_(similarities(cells_, source_, target_)),
      counts_(cells_.cells()),
      total_(cells_.rows()),
      priors_(cells_.rows()),
      t_(cells_.cells(), 1 / static_cast<double>(target_.size())) {
  if (prior.letters > 0 && prior.prefix > 0)
    prefixes_.emplace(prior.letters, source_, target_, frequencies(pairs, target, target_), cells_);
}

double TranslationTable::value(double c) const { return prior_.alpha > 0 ? std::max(exp_digamma(c), least_value) : c; }

double TranslationTable::alpha(std::size_t f, std::size_t cell) const {
  if (f == empty_word) return prior_.alpha;
  return prior_.alpha + (prefixes_ ? prior_.prefix * prefixes_->p0(static_cast<Id>(f), cells_.column(cell), cell) : 0) +
         prior_.identity * similarity_[cell];
}

void TranslationTable::maximise(const std::vector<double>& counts) {
  if (prefixes_) prefixes_->count(counts);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t f = 0; f < cells_.rows(); ++f) {
    double c = 0, prior = 0;
    for (std::size_t cell = cells_.begin(f); cell < cells_.end(f); ++cell) {
      counts_[cell] = static_cast<float>(counts[cell]);
      c += counts[cell];
      prior += t_[cell] = alpha(f, cell);
    }
    total_[f] = c;
    priors_[f] = prior;
    const double all = value(c + prior);
    for (std::size_t cell = cells_.begin(f); cell < cells_.end(f); ++cell)
      t_[cell] = std::max(all > 0 ? value(counts[cell] + t_[cell]) / all : 0, least_value);
  }
}

double TranslationTable::unseen(double c_f, double p0, double similarity) const {
  const double all = c_f + prior_.prefix + prior_.identity;
  return all > 0 ? (prior_.prefix * p0 + prior_.identity * similarity) / all : 0;
}

std::vector<double> TranslationTable::of_pair(const Tokens& f, const Tokens& e) const {
  const Ids columns = target_.ids(e);
  Ids rows = source_.ids(f);
  rows.insert(rows.begin(), empty_word);
  // Prefixes and folded words are computed only if they are needed, because most pairs have only words that occurred
  // together before.
  constexpr Id not_asked = -1;
  Ids f_beginnings(f.size(), not_asked), e_beginnings(e.size(), not_asked);
  std::vector<std::optional<std::u32string>> f_folded(f.size()), e_folded(e.size());
  const auto p0 = [&](std::size_t i, std::size_t j) {
    if (f_beginnings[j] == not_asked) f_beginnings[j] = prefixes_->of_source(f[j]);
    if (e_beginnings[i] == not_asked) e_beginnings[i] = prefixes_->of_target(e[i]);
    return prefixes_->p0_of_beginnings(f_beginnings[j], e_beginnings[i]);
  };
  const auto similarity = [&](std::size_t i, std::size_t j) {
    if (!f_folded[j]) f_folded[j] = folded(f[j]);
    if (!e_folded[i]) e_folded[i] = folded(e[i]);
    return spelling_similarity(*e_folded[i], *f_folded[j]);
  };
  const auto of_unseen = [&](std::size_t i, std::size_t j) {
    return unseen(total_[static_cast<std::size_t>(rows[j + 1])], prefixes_ ? p0(i, j) : 0, similarity(i, j));
  };
  std::vector<double> t;
  t.reserve(e.size() * (f.size() + 1));
  for (std::size_t i = 0; i < e.size(); ++i) {
    for (std::size_t j = 0; j <= f.size(); ++j) {
      const bool known = rows[j] != unk_id && columns[i] != unk_id;
      const Cell cell = known ? cells_.find(rows[j], columns[i]) : no_cell;
      t.push_back(std::max(cell != no_cell ? t_[cell] : j > 0 ? of_unseen(i, j - 1) : 0, least_t));
    }
  }
  return t;
}

namespace {

// first_equal returns, for each position, the first position with an equal value.
template <class Value>
std::vector<std::size_t> first_equal(std::size_t size, Value value) {
  std::vector<std::size_t> first(size);
  for (std::size_t i = 0; i < size; ++i) {
    while (value(first[i]) != value(i)) ++first[i];
  }
  return first;
}

// sums_of_equal sums own (m, n+1). It replaces each entry by the sum over all entries with an equal first row and an
// equal first column.
std::vector<double> sums_of_equal(std::span<const float> own, const std::vector<std::size_t>& first_row,
                                  const std::vector<std::size_t>& first_column) {
  const std::size_t columns = first_column.size();
  std::vector<double> sums(own.size());
  const auto place = [&](std::size_t k) { return first_row[k / columns] * columns + first_column[k % columns]; };
  for (std::size_t k = 0; k < own.size(); ++k) sums[place(k)] += own[k];
  for (std::size_t k = 0; k < own.size(); ++k) sums[k] = sums[place(k)];
  return sums;
}

}  // namespace

std::vector<double> TranslationTable::leave_one_out(const Ids& rows, std::span<const Cell> cells,
                                                    std::span<const float> own) const {
  const std::size_t columns = rows.size(), m = own.size() / columns;
  const auto row = [&](std::size_t k) { return rows[k % columns]; };
  // Two target words, or two prefixes, are equal if their cells with the empty word are equal.
  const auto sums = [&](auto of_source, auto of_cell) {
    const auto equal_e = first_equal(m, [&](std::size_t i) { return of_cell(cells[i * columns]); });
    const auto equal_f = first_equal(columns, [&](std::size_t j) { return of_source(rows[j]); });
    return std::pair{sums_of_equal(own, equal_e, equal_f), sums_of_equal(own, std::vector<std::size_t>(m), equal_f)};
  };
  const auto [own_c, own_total] = sums([](Id f) { return f; }, [](Cell cell) { return cell; });
  std::pair<std::vector<double>, std::vector<double>> own_s;  // of prefixes
  if (prefixes_) {
    own_s = sums([&](Id f) { return prefixes_->of_source(f); }, [&](Cell cell) { return prefixes_->of_cell(cell); });
  }
  // c(f) and exp psi(c(f) + alpha(f)) are the same for all target words.
  std::vector<double> all_counts(columns), denominators(columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const auto f = static_cast<std::size_t>(rows[j]);
    all_counts[j] = std::max(0.0, total_[f] - own_total[j]);
    denominators[j] = value(all_counts[j] + priors_[f]);
  }
  std::vector<double> t(own.size());
  for (std::size_t k = 0; k < own.size(); ++k) {
    const double c = counts_[cells[k]] - own_c[k], c_f = all_counts[k % columns];
    const bool seen = c > nothing, word = row(k) != empty_word;
    const double p0 = prefixes_ && word ? prefixes_->p0_without({own_s.first[k], own_s.second[k]}, row(k),
                                                                cells_.column(cells[k]), cells[k], seen)
                                        : 0;
    const double similarity = word ? similarity_[cells[k]] : 0;
    if (seen) {
      const double alpha = prior_.alpha + prior_.prefix * p0 + prior_.identity * similarity;
      t[k] = value(c + alpha) / denominators[k % columns];
    } else if (word) {
      t[k] = unseen(c_f, p0, similarity);
    }
    t[k] = std::max(t[k], least_t);
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
