// This prior of alignments prefers the diagonal: Dyer, Chahuneau & Smith 2013, "A Simple, Fast, and Effective
// Reparameterization of IBM Model 2". The notation is that of the paper: the source words are f_1 .. f_n, the target
// words are e_1 .. e_m, and f_0 is the empty word. i and j count from 1.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace softalign::data {

struct Diagonal {
  // lambda is the tension: 0 is uniform, and a large lambda allows only the diagonal. It starts weak (Dyer et al. start
  // at 4). A strong tension would link words to their neighbours before translations are known, and later rounds would
  // not undo these links.
  double lambda = 1;
  double p0 = 0.08;  // of the empty word
};

// h(i, j, m, n) = - |i/m - j/n|        0 on the diagonal, at least -1
double off_diagonal(std::size_t i, std::size_t j, std::size_t m, std::size_t n);

// Partition has Z_lambda(i, m, n) = sum_j exp(lambda h(i, j, m, n)), and the mean of h under exp(lambda h) / Z. Both
// are sums of two geometric series, left and right of the diagonal, so they have a closed form.
struct Partition {
  double Z, mean_h;
};
Partition partition(double lambda, std::size_t i, std::size_t m, std::size_t n);

// delta(a_i = j | i, m, n) = p0                                  j = 0
//                            (1 - p0) exp(lambda h(i,j,m,n)) / Z_lambda(i,m,n)
// The function writes the n + 1 numbers for j = 0 .. n to `prior`.
void diagonal_prior(const Diagonal& diagonal, std::size_t i, std::size_t m, std::size_t n, double* prior);

// DiagonalCounts has the statistics that determine the best lambda, summed over the posteriors of a corpus.
class DiagonalCounts {
 public:
  // Adds the posteriors of a pair: p(a_i = j | e, f), m rows of n + 1. A row may sum to less than 1.
  void add(const std::vector<double>& posteriors, std::size_t m, std::size_t n);
  // Returns the lambda in [.01, 100] that maximises sum_i sum_j p(a_i = j | e, f) log delta(a_i = j | i, m, n). The
  // gradient
  //   sum_i sum_j p(a_i = j | e, f) (h(i,j,m,n) - E_delta[h])
  // falls as lambda grows, so the function finds it by bisection.
  double best_lambda() const;

 private:
  double h_ = 0;                                                               // sum of p h
  std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> linked_;  // (m, n) -> sum_j p(a_i = j), j > 0, for each i
};

}  // namespace softalign::data
