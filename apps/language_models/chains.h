// This file generates texts from Markov chains, with one chain per text. It also predicts the next word from counts of
// earlier words.
#pragma once

#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// ChainTexts has B texts of n + 1 words from a vocabulary of V words. Each text comes from its own Markov chain of
// order one, so the next word depends only on the last word. For each last word, the chain has a distribution of the
// next word. This distribution is drawn uniformly from all distributions (a Dirichlet distribution with parameters 1).
// Therefore one text gives no information about another.
struct ChainTexts {
  static constexpr std::size_t V = 6;

  ChainTexts(std::size_t n, std::size_t B, autograd::Random& random);

  std::size_t n, B;
  autograd::Ids words, next;  // (n*B), row t*B + b: the words that the model reads, and the next words
  std::vector<double> chain;  // (B, V, V) probability that the word of the column follows the word of the row

  // Both functions read the words 0 to t of text b, and return the probabilities p(j) that the next word is word j (V
  // numbers). In the formulas, n is the number of words that the function has read, and n_j of them are word j. The
  // last word is word i. Before it, word i occurred n_i times, and n_ij times word j followed it. Because the chains
  // are drawn uniformly, no prediction from these words is better than bigrams().
  //   unigrams   p(j) = (n_j + 1) / (n + V)
  //   bigrams    p(j) = (n_ij + 1) / (n_i + V)
  std::vector<double> unigrams(std::size_t b, std::size_t t) const;
  std::vector<double> bigrams(std::size_t b, std::size_t t) const;
};

}  // namespace softalign::apps
