// This prior of alignments prefers a word near the previous one. It is a hidden Markov model:
// Vogel, Ney & Tillmann 1996, "HMM-Based Word Alignment in Statistical Translation", with the empty words of Och & Ney
// 2003. data/alignment/em/diagonal.h explains the notation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace softalign::data {

// p(a_i = j | a_{i-1} = j', n) = (1 - p0) s(j - j') / sum_{l=1..n} s(l - j')
// p(a_1 = j | n)               = (1 - p0) s_1(j) / sum_{l=1..n} s_1(l)
// Each word is aligned to the empty word with probability p0. The next jump then still starts at j'. Jumps longer than
// `longest` count as `longest`.
struct Jumps {
  static constexpr std::size_t longest = 60;
  double p0 = 0.2;
  std::vector<double> s;   // (2 longest + 1)  s(-longest) .. s(longest)
  std::vector<double> s1;  // (longest + 1)    s_1(0) ..

  Jumps();  // falls by exp(-1/2) with each word away from the next one
  double& at(long jump);
  double at(long jump) const;
  std::vector<double> first(std::size_t n) const;  // (n)
};

// Transitions has p(a_i = . | a_{i-1} = j', n) for all j' of a sentence. It stores jumps of at most `reach` words in a
// band, with one number for each. All longer jumps in one direction have the same s, so their sums are differences of
// running sums. Therefore time and memory grow with n reach, and not with n^2.
class Transitions {
 public:
  static constexpr std::size_t reach = 128;  // at least Jumps::longest
  Transitions(const Jumps& jumps, std::size_t n);

  double operator()(std::size_t from, std::size_t to) const;
  // Computes y_j = sum_k x_k p(j | k).
  void forward(const std::vector<double>& x, std::vector<double>& y) const;
  // Computes y_k = sum_j p(j | k) x_j and writes the n numbers from y on.
  void backward(const std::vector<double>& x, double* y) const;
  // Adds x_k p(j | k) y_j to jumps[j - k + n - 1]. Jumps longer than `reach` count as the longest jump.
  void count(const double* x, const std::vector<double>& y, std::vector<double>& jumps) const;

 private:
  // The band has jumps from k to the words [low, high).
  std::size_t low(std::size_t k) const { return k > reach ? k - reach : 0; }
  std::size_t high(std::size_t k) const { return std::min(k + reach + 1, n_); }
  const double* row(std::size_t k) const { return &band_[k * width_]; }  // p(low(k) | k) ..

  std::size_t n_, width_;
  std::vector<double> band_;          // (n, width)
  std::vector<double> left_, right_;  // (n)  p(j | k) for each j further than `reach`; empty if none is
};

// JumpCounts says how often each jump is expected under the posteriors.
struct JumpCounts {
  std::vector<double> jumps;  // (2n - 1)  -(n-1) .. n-1
  std::vector<double> first;  // (n)
};
// This is the M step: s(d) = c(d) + 1/2, so that no jump is impossible.
class JumpTotals {
 public:
  void add(const JumpCounts& counts);
  Jumps best(double p0) const;

 private:
  std::vector<double> s_ = std::vector<double>(2 * Jumps::longest + 1), s1_ = std::vector<double>(Jumps::longest + 1);
};

}  // namespace softalign::data
