// This file has a prior for word alignment. The prior makes links near the diagonal more probable, because word order
// is often similar in two languages. It is from Dyer, Chahuneau & Smith 2013, "A Simple, Fast, and Effective
// Reparameterization of IBM Model 2".
//
// Notation of the paper: f_1 .. f_n are the source words, e_1 .. e_m are the target words, and f_0 is the empty word.
// a_i is the position of the source word that generated target word e_i. i and j count from 1.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace softalign::data {

struct Diagonal {
  // lambda says how strongly the prior prefers the diagonal (the paper calls it tension). With 0, all positions are
  // equally probable. With a large lambda, only the diagonal is possible. EM training starts with a small lambda
  // (Dyer et al. start with 4). A large lambda would link words to their neighbours before the translations are known,
  // and later rounds would not undo these links.
  double lambda = 2;
  double p0 = 0.08;  // probability of the empty word
};

// Returns h(i, j, m, n) = - |i/m - j/n| for target word i of m and source word j of n. It is 0 on the diagonal, and at
// least -1.
double off_diagonal(std::size_t i, std::size_t j, std::size_t m, std::size_t n);

// The struct Partition contains Z_lambda(i, m, n) = sum_j exp(lambda h(i, j, m, n)), which normalises the prior of
// target word i. h is minus the distance from the diagonal, and lambda is its weight. The struct also contains the mean
// of h under this prior, exp(lambda h) / Z. The words on the left of the diagonal give a geometric series, and so do
// the words on its right. Therefore both numbers have a closed form.
struct Partition {
  double Z, mean_h;
};
Partition partition(double lambda, std::size_t i, std::size_t m, std::size_t n);

// Computes the prior: the probability that source word j generated target word i, before any word is known.
//
//   delta(a_i = j | i, m, n) = p0                                             j = 0, the empty word
//                              (1 - p0) exp(lambda h(i,j,m,n)) / Z_lambda(i,m,n)     j = 1 .. n
//
// p0 is the probability of the empty word. h is minus the distance from the diagonal (off_diagonal), and Z normalises
// the sum (partition). The result has m rows, for i = 1 .. m, and n + 1 columns, for j = 0 .. n.
std::vector<double> diagonal_prior(const Diagonal& diagonal, std::size_t m, std::size_t n);

// DiagonalCounts adds up the statistics of a corpus that determine the best lambda, the weight of the diagonal.
class DiagonalCounts {
 public:
  // Adds a pair. p(a_i = j | e, f) is the probability that target word i is linked to source word j, given both
  // sentences e and f. `posteriors` has m rows and n + 1 columns of these probabilities. A row may sum to less than 1.
  void add(const std::vector<double>& posteriors, std::size_t m, std::size_t n);
  // Returns the best lambda in [.01, 100], which is the weight of the diagonal. It maximises
  //   sum_i sum_j p(a_i = j | e, f) log delta(a_i = j | i, m, n)
  // where p are the probabilities of links, given both sentences, and delta is the prior. The derivative is
  //   sum_i sum_j p(a_i = j | e, f) (h(i,j,m,n) - E_delta[h])
  // where h is minus the distance from the diagonal, and E_delta[h] is its mean under the prior. The derivative falls
  // as lambda grows, so the function finds its zero by bisection.
  double best_lambda() const;

 private:
  double h_ = 0;  // sum of p h
  // linked_[{m, n}] is for all pairs with m target and n source words. Its entry i - 1 is a sum over these pairs: the
  // probability that target word i is linked to a source word, and not to the empty word.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> linked_;
};

}  // namespace softalign::data
