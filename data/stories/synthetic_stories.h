// This file generates stories with a question, its answer, and the sentences that support the answer. There are four
// tasks:
//
//   facts      for image processing people use convolutional neural networks . statistics is a branch of mathematics ..
//              -> what is good for image processing ? convolutional_neural_networks
//   facts-zh   the same in Chinese
//   one        mary went to the office . john moved to the garden ..     -> where is mary ?
//   two        mary took the apple . mary went to the garden ..          -> where is the apple ?
//
// In the task `one`, the last move of the person decides the answer. In the task `two`, two sentences decide it: who
// has the thing, and where this person went. If somebody left the thing, one sentence decides it. The tasks `one` and
// `two` are like tasks 1 and 2 of Weston et al. 2016.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/corpus.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

struct Story {
  std::vector<Tokens> sentences;
  Tokens question;
  std::string answer;
  std::vector<std::size_t> gold;  // gold sentences, in rising order: one; in the task `two` one or two
};

inline constexpr std::size_t fewest_sentences = 2, most_facts = 10;

// Generates a story. Throws std::invalid_argument for an unknown task, or for a number of sentences that the task
// cannot have.
Story draw_story(const std::string& task, std::size_t sentences, autograd::Random& random);

// Returns every word that an English story of any task can contain, each once, in a fixed order.
std::vector<std::string> story_words();

// Each function generates a story of four to eight sentences, as a line of a file of stories
// (data/stories/story_corpus.h).
SyntheticExample facts_and_question(autograd::Random& random);
SyntheticExample chinese_facts_and_question(autograd::Random& random);
SyntheticExample moves_and_person(autograd::Random& random);
SyntheticExample moves_and_thing(autograd::Random& random);

}  // namespace softalign::data
