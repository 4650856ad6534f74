// This file generates texts from Markov chains, with one chain per text. It also predicts the next word from counts of
// earlier words.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// ChainTexts has B texts of n + 1 words from a vocabulary of V words. Each text draws its own Markov chain of order
// one. The chain has a distribution of the next word for each word, drawn uniformly from all distributions (a Dirichlet
// distribution with parameters 1). Therefore one text gives no information about another.
struct ChainTexts {
  static constexpr std::size_t V = 6;

  ChainTexts(std::size_t n, std::size_t B, autograd::Random& random);

  std::size_t n, B;
  autograd::Ids words, next;  // (n*B), row t*B + b: the words that the model reads, and the next words
  std::vector<double> chain;  // (B, V, V) probability that the word of the column follows the word of the row

  // Both functions predict the distribution of the next word (V numbers) from the words 0 to t of text b. Word j has
  // the probability p(j). So far, the text has n words, and n_j of them are word j. The last word is word i. Before it,
  // word i occurred n_i times, and n_ij times the next word was word j. For uniformly drawn chains, no prediction from
  // the words is better than bigrams().
  //   unigrams   p(j) = (n_j + 1) / (n + V)
  //   bigrams    p(j) = (n_ij + 1) / (n_i + V)
  std::vector<double> unigrams(std::size_t b, std::size_t t) const;
  std::vector<double> bigrams(std::size_t b, std::size_t t) const;
};

}  // namespace softalign::apps
