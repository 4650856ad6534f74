// This file has a prior for word alignment. The prior makes a link more probable if it is near the link of the previous
// word. It is a hidden Markov model (HMM) whose states are positions in the source. The model is from
// Vogel, Ney & Tillmann 1996, "HMM-Based Word Alignment in Statistical Translation". The empty word is handled as in
// Och & Ney 2003. diagonal.h explains the notation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace softalign::data {

// The struct Jumps has the probability that target word i is linked to source position a_i = j, if the previous word is
// linked to j':
//
//   p(a_i = j | a_{i-1} = j', n) = (1 - p0) s(j - j') / sum_{l=1..n} s(l - j')
//   p(a_1 = j | n)               = (1 - p0) s_1(j) / sum_{l=1..n} s_1(l)
//
// n is the number of source words, s(d) is the weight of a jump by d words, and s_1(j) is the weight of a start at j. A
// word is linked to the empty word with probability p0. The next jump then still starts at j'. A jump longer than
// `longest` has the same weight as a jump of `longest` words.
struct Jumps {
  static constexpr std::size_t longest = 60;
  double p0 = 0.2;
  std::vector<double> s;   // (2 longest + 1)  s(-longest) .. s(longest)
  std::vector<double> s1;  // (longest + 1)    s_1(0) ..

  Jumps();  // weights fall by exp(-1/2) per word of distance from the next word
  double& at(long jump);
  double at(long jump) const;
  std::vector<double> first(std::size_t n) const;  // (n)
};

// The class Transitions has the probabilities of all jumps in a sentence of n words, from any position j' to any
// position j. It stores one number per jump of at most `reach` words. From one position, all longer jumps to the left
// have the same probability, and so do all longer jumps to the right. So prefix sums give their totals quickly.
// Therefore time and memory grow with the product of n and `reach`, and not with n^2.
class Transitions {
 public:
  static constexpr std::size_t reach = 128;  // at least Jumps::longest
  Transitions(const Jumps& jumps, std::size_t n);

  std::size_t words() const { return n_; }
  double p0() const { return p0_; }                            // probability of the empty word
  const std::vector<double>& first() const { return first_; }  // (n)  p(a_1 = j)
  double operator()(std::size_t from, std::size_t to) const;
  // Computes a forward step of the forward-backward algorithm: y_j = sum_k x_k p(j | k), where p(j | k) is the
  // probability of a jump from position k to position j.
  void forward(const std::vector<double>& x, std::vector<double>& y) const;
  // Computes a backward step: y_k = sum_j p(j | k) x_j, where p(j | k) is the probability of a jump from k to j. Writes
  // n numbers to y.
  void backward(const std::vector<double>& x, double* y) const;
  // Counts jumps in a sentence of n words. It adds x_k p(j | k) y_j to jumps[j - k + n - 1], where p(j | k) is the
  // probability of a jump from position k to position j. x and y come from the forward-backward algorithm. Jumps longer
  // than `reach` count as the longest jump.
  void count(const double* x, const std::vector<double>& y, std::vector<double>& jumps) const;

 private:
  // Row k of `band_` has the probabilities of jumps from word k to the words low(k) .. high(k) - 1.
  std::size_t low(std::size_t k) const { return k > reach ? k - reach : 0; }
  std::size_t high(std::size_t k) const { return std::min(k + reach + 1, n_); }
  const double* row(std::size_t k) const { return &band_[k * width_]; }  // p(low(k) | k) ..

  std::size_t n_, width_;
  double p0_;
  std::vector<double> first_;
  std::vector<double> band_;          // (n, width)
  std::vector<double> left_, right_;  // (n)  p(j | k) for each j farther than `reach`; empty if there is none
};

// JumpCounts says how often each jump is expected, given the probabilities of links.
struct JumpCounts {
  std::vector<double> jumps;  // (2n - 1)  -(n-1) .. n-1
  std::vector<double> first;  // (n)
};
// Computes new weights of jumps from their counts (M step of EM). The weight of a jump by d words is s(d) = c(d) + 1/2,
// where c(d) is its expected count. The 1/2 keeps every jump possible.
class JumpTotals {
 public:
  void add(const JumpCounts& counts);
  Jumps best(double p0) const;

 private:
  std::vector<double> s_ = std::vector<double>(2 * Jumps::longest + 1), s1_ = std::vector<double>(Jumps::longest + 1);
};

}  // namespace softalign::data
