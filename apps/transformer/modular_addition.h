// This file generates sums modulo a prime, and computes the frequencies in a table of numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// ModularSums has all sums a + b modulo p. Each sum is a text "a b =". The sums are split into a training set and
// held-out sums. The sums a + b and b + a are always in the same set. So the training set does not show the answer of a
// held-out sum with the numbers swapped.
struct ModularSums {
  ModularSums(std::size_t p, double training_fraction, autograd::Random& random);

  struct Texts {
    autograd::Ids words;    // (3*B), row t*B + b; "=" is p
    autograd::Ids answers;  // (B)
    std::size_t size() const { return answers.size(); }
  };
  std::size_t p;
  Texts training, held_out;
};

// Returns the Fourier shares of a table x with p rows and d columns. share_k says how much of the table lies at
// frequency k, for k = 1 .. (p-1)/2. The mean row is subtracted first. In the formula, x_aj is the number in row a and
// column j, and i is the imaginary unit. ~ means "proportional to", because the shares are scaled so that they sum to
// 1.
//   share_k ~ sum_j |sum_a x_aj exp(-2 pi i k a / p)|^2
std::vector<double> fractions_of_frequencies(const autograd::Array& table, std::size_t p);

// at_frequencies returns a changed copy of the table. With Frequencies::only, the copy has only the mean row and the
// frequencies in `which`. With Frequencies::without, it lacks the frequencies in `which`.
enum class Frequencies { only, without };
autograd::Array at_frequencies(const autograd::Array& table, std::size_t p, const std::vector<std::size_t>& which,
                               Frequencies kept);

}  // namespace softalign::apps
