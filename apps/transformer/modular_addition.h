// Addition modulo a prime, and the frequencies of a table of numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// All sums a + b modulo p, one text "a b =" per sum, split into a training set and held-out sums. Both orders of two
// numbers are on the same side, so that the training set has no held-out sum in the other order.
struct Sums {
  Sums(std::size_t p, double training_fraction, autograd::Random& random);

  struct Texts {
    autograd::Ids words;    // (3*B), row t*B + b; "=" is p
    autograd::Ids answers;  // (B)
    std::size_t size() const { return answers.size(); }
  };
  std::size_t p;
  Texts training, held_out;
};

// Fourier: how much of a table (p, d), its mean row taken off, lies at each frequency k = 1 .. (p-1)/2; sums to 1.
//   share_k ~ sum_d |sum_a x_ad exp(-2 pi i k a / p)|^2
std::vector<double> fractions_of_frequencies(const autograd::Array& table, std::size_t p);

// The table (p, d) with its mean row and these frequencies only, or with all others.
enum class Frequencies { only, without };
autograd::Array at_frequencies(const autograd::Array& table, std::size_t p, const std::vector<std::size_t>& which,
                               Frequencies kept);

}  // namespace softalign::apps
