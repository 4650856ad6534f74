// t(e|f): how probable the target word e is as the translation of the source word f. Letters as in
// data/alignment/em/diagonal.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment/em/prefixes.h"
#include "data/alignment/em/sparse_rows.h"
#include "data/alignment/lexicon.h"
#include "data/corpus/corpus.h"
#include "data/corpus/vocabulary.h"

namespace softalign::data {

inline constexpr Id empty_word = pad_id;  // f_0, as a row of the table

// The pseudo-counts of t's Dirichlet prior; with all of them 0 the M step is maximum likelihood.
struct TablePrior {
  double alpha = 0.01;    // of every e: small, so that few e have most of the probability (Dyer et al. 2013)
  double prefix = 1;      // shared among the e that begin as translations of f's beginning do
  double identity = 0.1;  // of the e spelt like f
  size_t letters = 4;     // that make a beginning; 0: no such share
};

class TranslationTable {
 public:
  // A cell for each f and e that stand in one pair, and for the empty word with each e; all begin alike.
  TranslationTable(const std::vector<Pair>& pairs, Tokens Pair::*source, Tokens Pair::*target, const TablePrior& prior);

  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  const SparseRows& cells() const { return cells_; }
  double operator[](size_t cell) const { return t_[cell]; }

  // Variational Bayes, with psi the digamma function (c(f) and alpha(f) are sums over e):
  //   t(e|f) = exp psi(c(e,f) + alpha(e,f)) / exp psi(c(f) + alpha(f))
  //   alpha(e,f) = alpha + prefix p_0(e|f) + identity [e = f]
  // With alpha = 0 the same without exp psi. `counts` are c(e,f), a number a cell.
  void maximise(const std::vector<double>& counts);

  // (m, n+1)  t(e_i | f_j), column 0 the empty word's. Of words that never stood together, or that nobody has seen,
  //   (prefix p_0(e|f) + identity [e = f]) / (c(f) + prefix + identity)
  // and none is less than 1e-7: what is known of neither is told by its place among its neighbours.
  std::vector<double> of_pair(const Tokens& f, const Tokens& e) const;

  // The e with the largest t(e|f) for each f; of equal ones the first in order of ids.
  Lexicon lexicon() const;
  // A line `f<TAB>e<TAB>t(e|f)` for each t of at least `least`, by f in order of bytes, the largest first; the empty
  // word is an empty f.
  std::string text(double least) const;

 private:
  double alpha(size_t f, size_t cell) const;
  double unseen(double p0, Id row, bool same_word) const;

  TablePrior prior_;
  Vocabulary source_, target_;
  SparseRows cells_;
  std::optional<Prefixes> prefixes_;
  std::vector<Cell> alike_;    // by row: the cell of the e that is spelt like f
  std::vector<double> total_;  // by row: c(f)
  std::vector<double> t_;
};

}  // namespace softalign::data
