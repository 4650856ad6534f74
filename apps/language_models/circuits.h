// This file generates texts with three regularities: bigrams, skip-trigrams and repeated names. A language model learns
// the texts, and `reproduce circuits` then reads the regularities from its weights.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// A Role is the function of a word in a text. A text has one cue, and pairs of words in random order. The model can
// predict the second word of a pair by one of three regularities:
//   lead, follower      bigram: follower i comes after lead i with probability 0.7, otherwise follower i + 1
//   pivot, result       skip-trigram: after pivot j comes result (i, j), where i is the cue earlier in the text
//   first, last name    induction: each text has its own four people, and their names occur several times
enum class Role { cue, pivot, result, lead, follower, first_name, last_name };

struct CircuitTexts {
  static constexpr std::size_t cues = 4, pivots = 4, leads = 8, names = 16, people = 4;
  static constexpr double often = 0.7;  // probability of a lead's more frequent follower

  // Generates B texts of n + 1 words.
  CircuitTexts(std::size_t n, std::size_t B, autograd::Random& random);

  std::size_t n, B;
  autograd::Ids words, next;  // (n*B), row t*B + b: the words that the model reads, and the next words
  autograd::Ids gold;         // (n*B) position of the cue or last name that determines the next word; else -1

  static std::size_t words_known();                    // V
  static autograd::Id word(Role role, std::size_t i);  // the i-th word of a role; result (i, j) is the i*pivots + j-th
  static std::size_t count(Role role);                 // number of words of a role
  static Role role(autograd::Id word);
};

}  // namespace softalign::apps
