// What words have in common that begin alike: how often each beginning is translated by each other, for words that are
// too rare to tell themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/alignment/em/sparse_rows.h"
#include "data/corpus/vocabulary.h"

namespace softalign::data {

// The first `letters` code points of a word.
std::string prefix_of(const std::string& word, size_t letters);

// p_0(e | f) = t(s(e) | s(f)) c(e) / c(s(e))        s(w): the first letters of w
// t(s | s') = sum of c(e, f) over all e, f that begin so / the same over all e
class Prefixes {
 public:
  // Of the words of both sides, how often each target word stands in the corpus, and which words stand together.
  Prefixes(size_t letters, const Vocabulary& source, const Vocabulary& target, const std::vector<double>& frequency,
           const SparseRows& words);

  void count(const std::vector<double>& counts);  // c(e, f), a number a cell of words
  double p0(size_t cell) const { return t_[of_cell_[cell]] * share_[cell]; }
  // The same for words that never occurred together, or not at all, by the ids of their beginnings.
  double p0_of_beginnings(Id f, Id e) const;
  Id of_source(const std::string& f) const { return source_.id(prefix_of(f, letters_)); }
  Id of_target(const std::string& e) const { return target_.id(prefix_of(e, letters_)); }

 private:
  size_t letters_;
  Vocabulary source_, target_;     // of beginnings
  std::vector<double> frequency_;  // c(s) of target beginnings, by id
  SparseRows pairs_;               // of beginnings
  std::vector<Cell> of_cell_;      // of words -> of beginnings
  std::vector<float> share_;       // c(e) / c(s(e)), by cell of words
  std::vector<double> t_;          // t(s | s'), by cell of beginnings
};

}  // namespace softalign::data
