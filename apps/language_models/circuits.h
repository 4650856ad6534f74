// Texts that hold a bigram, a skip-trigram and an induction statistic, for language models whose weights are read.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// A Role says what a word is for. A text has one cue, and pairs of words in random order:
//   lead, follower      bigram: lead i is followed by follower i in 7 of 10 cases, else by follower i + 1
//   pivot, result       skip-trigram: cue i .. pivot j is followed by result (i, j); pivots come after the cue
//   first, last name    induction: each text has four people of its own, whose names come again and again
enum class Role { cue, pivot, result, lead, follower, first_name, last_name };

struct CircuitTexts {
  static constexpr std::size_t cues = 4, pivots = 4, leads = 8, names = 16, people = 4;
  static constexpr double often = 0.7;  // of a lead's more frequent follower

  // B texts of n + 1 words.
  CircuitTexts(std::size_t n, std::size_t B, autograd::Random& random);

  std::size_t n, B;
  autograd::Ids words, next;  // (n*B), row t*B + b: what is read, and what comes next
  autograd::Ids gold;         // (n*B) the position that decides the next word: of the cue, or of the last name; else -1

  static std::size_t words_known();                    // V
  static autograd::Id word(Role role, std::size_t i);  // the i-th word of a role; result (i, j) is the i*pivots + j-th
  static std::size_t count(Role role);                 // words of a role
  static Role role(autograd::Id word);
};

}  // namespace softalign::apps
