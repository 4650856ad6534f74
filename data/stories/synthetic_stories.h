// Stories with a question, its answer and the sentences that support the answer.
//
//   facts   for image processing people use convolutional neural networks . statistics is a branch of mathematics ..
//           -> what is good for image processing ? convolutional_neural_networks
//   facts-zh   the same in Chinese
//   one     mary went to the office . john moved to the garden ..     -> where is mary ?   the last of her moves counts
//   two     mary took the apple . mary went to the garden ..          -> where is the apple ? who has it, and where
//                                                                        they went; or where it was left
// After Weston et al. 2016, tasks 1 and 2.
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
  std::vector<std::size_t> gold;  // sentences, rising: one, of two one or two
};

inline constexpr std::size_t fewest_sentences = 2, most_facts = 10;

// std::invalid_argument: an unknown task, or a number of sentences that it cannot have.
Story draw_story(const std::string& task, std::size_t sentences, autograd::Random& random);

// Every word that an English story of any task can contain, each once, in a fixed order.
std::vector<std::string> story_words();

// Stories of four to eight sentences as lines of data/stories/story_corpus.h.
SyntheticExample facts_and_question(autograd::Random& random);
SyntheticExample chinese_facts_and_question(autograd::Random& random);
SyntheticExample moves_and_person(autograd::Random& random);
SyntheticExample moves_and_thing(autograd::Random& random);

}  // namespace softalign::data
