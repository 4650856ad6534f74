// t(e|f) is the probability that the target word e translates the source word f. The table has cells only for words
// that occur together in a pair. Rare words use the counts of words with the same first letters, and prefer words with
// a similar spelling. data/alignment/em/diagonal.h explains the notation.
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

// SparseCells numbers the cells of a sparse table from 0, row by row. It knows the row and column of each cell.
class SparseCells {
 public:
  // `columns_of_rows` has the columns of each row, in any order and any number of times. Throws Error for 2^32 - 1
  // cells or more.
  explicit SparseCells(std::vector<Ids> columns_of_rows);

  std::size_t rows() const { return begin_.size() - 1; }
  std::size_t cells() const { return columns_.size(); }
  std::size_t begin(std::size_t row) const { return begin_[row]; }  // its first cell
  std::size_t end(std::size_t row) const { return begin_[row + 1]; }
  Id column(std::size_t cell) const { return columns_[cell]; }
  Cell find(Id row, Id column) const;  // no_cell if it is not there

 private:
  std::vector<std::size_t> begin_;  // (rows + 1)
  Ids columns_;                     // (cells), rising within a row
};

// Returns the first `letters` code points of a word.
std::string prefix_of(const std::string& word, std::size_t letters);

// Prefixes is a prior for rare words: it counts how often words with the beginning of f are translated by words with
// the beginning of e.
//
// p_0(e | f) = t(s(e) | s(f)) c(e) / c(s(e))        s(w): the first letters of w
// t(s | s') = sum of c(e, f) over all e, f that begin so / the same over all e
class Prefixes {
 public:
  // Takes the words of both sides, the count of each target word, and the words that occur together.
  Prefixes(std::size_t letters, const Vocabulary& source, const Vocabulary& target,
           const std::vector<double>& frequency, const SparseCells& words);

  void count(const std::vector<double>& counts);  // c(e, f), a number a cell of words
  double p0(Id f, Id e, std::size_t cell) const;  // of the cell of f and e

  // Own is the share of one sentence pair in the counts of a cell's beginnings, and of all cells with the same
  // beginning of f.
  struct Own {
    double count, total;
  };
  Cell of_cell(std::size_t cell) const { return of_cell_[cell]; }
  Id of_source(Id f) const { return source_ids_[static_cast<std::size_t>(f)]; }
  // Returns p_0 without the share of that pair. `seen` says whether e and f occur together in another pair.
  double p0_without(const Own& own, Id f, Id e, std::size_t cell, bool seen) const;

  // Returns p_0, by the ids of the first letters, for words that never occurred together, or never occurred.
  double p0_of_beginnings(Id f, Id e) const;
  Id of_source(const std::string& f) const { return source_.id(prefix_of(f, letters_)); }
  Id of_target(const std::string& e) const { return target_.id(prefix_of(e, letters_)); }

 private:
  std::size_t letters_;
  Vocabulary source_, target_;     // of beginnings
  std::vector<double> frequency_;  // c(s) of target beginnings, by id
  Ids source_ids_;                 // of words -> of beginnings
  SparseCells pairs_;              // of beginnings
  std::vector<Cell> of_cell_;      // of words -> of beginnings
  std::vector<double> share_;      // c(e) / c(s(e)), by target word
  std::vector<double> counts_;     // c(s, s'), by cell of beginnings
  std::vector<double> totals_;     // c(s'), by row of beginnings
};

inline constexpr Id empty_word = pad_id;  // f_0, as a row of the table

// TablePrior has the pseudo-counts of t's Dirichlet prior. If all of them are 0, the M step is maximum likelihood.
struct TablePrior {
  double alpha = 0.01;      // of every e: small, so that few e have most of the probability (Dyer et al. 2013)
  double prefix = 1;        // shared among the e that begin as translations of f's beginning do
  double identity = 1;      // times s(e, f), for e that are spelt like f (data/alignment/em/spelling.h)
  std::size_t letters = 4;  // that make a beginning; 0: no such share
};

class TranslationTable {
 public:
  // Makes one cell per f and e that occur in one pair, and per empty word and e. All cells have the same initial value.
  TranslationTable(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target, const TablePrior& prior);

  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const SparseCells& cells() const { return cells_; }
  double operator[](std::size_t cell) const { return t_[cell]; }

  // This is the M step of variational Bayes. psi is the digamma function, and c(f) and alpha(f) are sums over e:
  //   t(e|f) = exp psi(c(e,f) + alpha(e,f)) / exp psi(c(f) + alpha(f))
  //   alpha(e,f) = alpha + prefix p_0(e|f) + identity s(e,f)
  // With alpha = 0, the formula has no exp psi. `counts` has one number c(e,f) per cell.
  void maximise(const std::vector<double>& counts);

  // Returns t(e_i | f_j) as (m, n+1). Column 0 belongs to the empty word. For words that never occurred together, or
  // that are unknown, the result is
  //   (prefix p_0(e|f) + identity s(e,f)) / (c(f) + prefix + identity)
  // No result is less than 1e-7, so unknown words are aligned by their position only.
  std::vector<double> of_pair(const Tokens& f, const Tokens& e) const;

  // Returns the same for a training pair, with the counts of the other pairs only (leave-one-out). It subtracts the
  // pair's own counts first, because otherwise a rare word would explain every word of its sentence. `rows` has the
  // empty word and then the n source words. `cells` and `own` (m, n+1) have the cells of the pair and the pair's share
  // in the last counts.
  std::vector<double> leave_one_out(const Ids& rows, std::span<const Cell> cells, std::span<const float> own) const;

  // Returns the e with the largest t(e|f) for each f. If several are equal, it takes the first in the order of ids.
  Lexicon lexicon() const;
  // Returns a line `f<TAB>e<TAB>t(e|f)` for each t of at least `least`. The f are in the order of bytes, and the
  // largest t of an f comes first. The empty word is an empty f.
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
