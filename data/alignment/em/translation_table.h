// The translation table has t(e|f), the probability that the target word e translates the source word f. It has a cell
// only for words that occur together in a sentence pair. For rare words, it also uses the counts of words with the same
// first letters, and it prefers words with a similar spelling. diagonal.h explains the notation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/alignment/lexicon.h"
#include "data/corpus/batch.h"
#include "data/corpus/corpus.h"
#include "data/corpus/vocabulary.h"

namespace softalign::data {

using Cell = std::uint32_t;
inline constexpr Cell no_cell = std::numeric_limits<Cell>::max();

// SparseCells is the list of the cells of a sparse table. Each cell has a number: the cells count from 0, row by row.
// find() returns the number of a cell from its row and column.
class SparseCells {
 public:
  // columns_of_rows[r] lists the columns in which row r has a cell, in any order and possibly more than once. Throws
  // Error if there are 2^32 - 1 cells or more.
  explicit SparseCells(std::vector<Ids> columns_of_rows);

  std::size_t rows() const { return begin_.size() - 1; }
  std::size_t cells() const { return columns_.size(); }
  std::size_t begin(std::size_t row) const { return begin_[row]; }  // the first cell of the row
  std::size_t end(std::size_t row) const { return begin_[row + 1]; }
  Id column(std::size_t cell) const { return columns_[cell]; }
  Cell find(Id row, Id column) const;  // returns no_cell if there is no such cell

 private:
  std::vector<std::size_t> begin_;  // (rows + 1)
  Ids columns_;                     // (cells) in rising order within a row
};

// Returns the first `letters` code points of a word.
std::string prefix_of(const std::string& word, std::size_t letters);

// The class Prefixes has the prior p_0(e | f) for rare words. It counts how often words that begin like the source word
// f are translated by words that begin like the target word e. s(w) are the first letters of a word w:
//
//   p_0(e | f) = t(s(e) | s(f)) c(e) / c(s(e))
//   t(x | y) = c(x, y) / sum_z c(z, y)
//
// c(e) is the count of the target word e, and c(x) is the count of all target words that begin with x. c(x, y) is the
// sum of the counts c(e, f) of all e that begin with x and all f that begin with y.
class Prefixes {
 public:
  // `frequency` has the count of each target word by id. `words` has a cell for each source word and target word that
  // occur in the same sentence pair.
  Prefixes(std::size_t letters, const Vocabulary& source, const Vocabulary& target,
           const std::vector<double>& frequency, const SparseCells& words);

  void count(const std::vector<double>& counts);  // counts are c(e, f), with one number per cell of `words`
  double p0(Id f, Id e, std::size_t cell) const;  // returns p_0(e | f); `cell` is the cell of f and e

  // PairCounts says how much one sentence pair has added to two counts, for words f and e with first letters y and x.
  // `count` is its part of c(x, y). `total` is its part of sum_z c(z, y).
  struct PairCounts {
    double count, total;
  };
  Cell of_cell(std::size_t cell) const { return of_cell_[cell]; }
  Id of_source(Id f) const { return source_ids_[static_cast<std::size_t>(f)]; }
  // Returns the prior p_0(e | f) without the counts of one sentence pair (`of_pair`). `seen` is true if e and f occur
  // together in another pair.
  double p0_without(const PairCounts& of_pair, Id f, Id e, std::size_t cell, bool seen) const;

  // Returns the prior p_0(e | f) from the ids of the first letters of e and f, for words that never occurred together,
  // or never occurred at all.
  double p0_of_beginnings(Id f, Id e) const;
  Id of_source(const std::string& f) const { return source_.id(prefix_of(f, letters_)); }
  Id of_target(const std::string& e) const { return target_.id(prefix_of(e, letters_)); }

 private:
  std::size_t letters_;
  Vocabulary source_, target_;     // vocabularies of first letters
  std::vector<double> frequency_;  // c(s) for the first letters s of target words, by id
  Ids source_ids_;                 // id of a source word -> id of its first letters
  SparseCells pairs_;              // cells of pairs of first letters
  std::vector<Cell> of_cell_;      // cell of two words -> cell of their first letters
  std::vector<double> share_;      // c(e) / c(s(e)), by target word
  std::vector<double> counts_;     // c(s, s'), by cell of first letters
  std::vector<double> totals_;     // c(s'), by row of first letters
};

inline constexpr Id empty_word = pad_id;  // f_0, as a row of the table

// TablePrior has pseudo-counts, which are added to the counts of translations (they are the parameters of a Dirichlet
// prior). If all of them are 0, the new probabilities are ratios of counts.
struct TablePrior {
  double alpha = 0.01;      // count for each e; a small number gives few e most of the probability (Dyer et al. 2013)
  double prefix = 1;        // sum of the counts for all e whose first letters are likely for f's first letters
  double identity = 1;      // times s(e, f), for e with a similar spelling (data/alignment/em/spelling.h)
  std::size_t letters = 4;  // number of first letters; 0: do not use first letters
};

class TranslationTable {
 public:
  // Makes one cell for each source word f and target word e that occur in the same sentence pair. Each e also gets a
  // cell with the empty word. All cells have the same initial value.
  TranslationTable(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target, const TablePrior& prior);

  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const SparseCells& cells() const { return cells_; }
  double operator[](std::size_t cell) const { return t_[cell]; }

  // Computes new translation probabilities t(e|f) from the count c(e,f) of each cell, by variational Bayes (M step of
  // EM). psi is the digamma function. c(f) and alpha(f) are sums over all target words e:
  //   t(e|f) = exp psi(c(e,f) + alpha(e,f)) / exp psi(c(f) + alpha(f))
  //   alpha(e,f) = alpha + prefix p_0(e|f) + identity s(e,f)
  // alpha, prefix and identity are the numbers in TablePrior. p_0 is the prior from the first letters, and s is the
  // similarity of spelling. If f is the empty word, alpha(e,f) is only alpha. If alpha is 0, the formula for t(e|f) has
  // no exp psi.
  void maximise(const std::vector<double>& counts);

  // Returns t(e_i | f_j) for the m target words e_i and the n source words f_j of a sentence pair, as (m, n+1) numbers.
  // Column 0 belongs to the empty word. For unknown words, and for words that never occurred together, the result is
  //   (prefix p_0(e|f) + identity s(e,f)) / (c(f) + prefix + identity)
  // prefix and identity are the numbers in TablePrior. p_0 is the prior from the first letters, s is the similarity of
  // spelling, and c(f) is the count of f. No result is below 1e-7. If all results for a word are 1e-7, only its
  // position decides its links.
  std::vector<double> of_pair(const Tokens& f, const Tokens& e) const;

  // Returns t(e_i | f_j) for the m target words and the n source words of a training pair, from the counts of all other
  // pairs (leave-one-out). The function subtracts the pair's own counts, because otherwise a rare word would explain
  // every word of its sentence. `rows` has the empty word and then the source words. `cells` (m, n+1) has the cells of
  // the pair. `own` (m, n+1) says how much the pair added to the last counts.
  std::vector<double> leave_one_out(const Ids& rows, std::span<const Cell> cells, std::span<const float> own) const;

  // Returns the target word e with the largest t(e|f) for each source word f. If several are equal, it takes the first
  // in the order of ids.
  Lexicon lexicon() const;
  // Returns the table as text, with a line `f<TAB>e<TAB>t(e|f)` for each t of at least `least`. The source words f are
  // in byte order. For each f, the largest t comes first. The empty word is written as an empty f.
  std::string text(double least) const;

 private:
  double value(double c) const;  // exp psi(c), or c without a prior
  double alpha(std::size_t f, std::size_t cell) const;
  double unseen(double c_f, double p0, double similarity) const;

  TablePrior prior_;
  Vocabulary source_, target_;
  SparseCells cells_;
  std::vector<float> similarity_;  // s(e,f), by cell
  std::optional<Prefixes> prefixes_;
  std::vector<float> counts_;           // c(e,f), by cell
  std::vector<double> total_, priors_;  // c(f), alpha(f), by row
  std::vector<double> t_;
};

}  // namespace softalign::data
