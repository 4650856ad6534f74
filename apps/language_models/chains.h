// Texts from Markov chains, one chain per text, and predictions from counts.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// B texts of n + 1 words. Each text draws a chain of order one: after each word a distribution over all V words,
// uniformly from all distributions (Dirichlet with parameters 1). Therefore one text says nothing about another.
struct ChainTexts {
  static constexpr std::size_t V = 6;

  ChainTexts(std::size_t n, std::size_t B, autograd::Random& random);

  std::size_t n, B;
  autograd::Ids words, next;  // (n*B), row t*B + b: what is read, and what comes next
  std::vector<double> chain;  // (B, V, V) the probability of the column after the row

  // The distribution of the next word (V), predicted from the words 0 .. t of a text. With uniformly drawn chains, no
  // prediction from the words is better than bigrams.
  //   unigrams   p(j) = (n_j + 1) / (n + V)       of all words read
  //   bigrams    p(j) = (n_ij + 1) / (n_i + V)    of words after earlier occurrences of the last word i
  std::vector<double> unigrams(std::size_t b, std::size_t t) const;
  std::vector<double> bigrams(std::size_t b, std::size_t t) const;
};

}  // namespace softalign::apps
