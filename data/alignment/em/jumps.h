// A prior of alignments that prefers a word near the one before: the hidden Markov model of Vogel, Ney & Tillmann 1996,
// "HMM-Based Word Alignment in Statistical Translation", with the empty words of Och & Ney 2003. Letters as in
// data/alignment/em/diagonal.h.
#pragma once

#include <cstddef>
#include <vector>

namespace data {

// p(a_i = j | a_{i-1} = j', n) = (1 - p0) s(j - j') / sum_{l=1..n} s(l - j')
// p(a_1 = j | n)               = (1 - p0) s_1(j) / sum_{l=1..n} s_1(l)
// Before each word the empty word is chosen with p0; it remembers j', from which the next word jumps.
// Jumps longer than `longest` count as that long.
struct Jumps {
  static constexpr size_t longest = 60;
  double p0 = 0.2;
  std::vector<double> s;   // (2 longest + 1)  s(-longest) .. s(longest)
  std::vector<double> s1;  // (longest + 1)    s_1(0) ..

  Jumps();  // falls by exp(-1/2) with each word away from the next one
  double& at(long jump);
  double at(long jump) const;
  // (n x n)  row j': p(a_i = . | a_{i-1} = j', n)
  std::vector<double> transitions(size_t n) const;
  std::vector<double> first(size_t n) const;  // (n)
};

// How often each jump was made, expected over the posteriors.
struct JumpCounts {
  std::vector<double> jumps;  // (2n - 1)  -(n-1) .. n-1
  std::vector<double> first;  // (n)
};
// The M step: s(d) = c(d) + 1/2, that no jump is impossible.
class JumpTotals {
 public:
  void add(const JumpCounts& counts);
  Jumps best(double p0) const;

 private:
  std::vector<double> s_ = std::vector<double>(2 * Jumps::longest + 1), s1_ = std::vector<double>(Jumps::longest + 1);
};

}  // namespace data
