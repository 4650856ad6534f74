// Entailment: a premise has one to three statements. The hypothesis has one or two of them, in another order and with
// other words.
//
//   premise      a red dog sleeps and a tall woman runs
//   entailment   a woman moves and an animal sleeps     words may be left out or more general
//   contradiction  a red dog runs                       one word speaks against its statement
//   neutral      a young horse sleeps                   nobody spoke of that one
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/corpus.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

inline constexpr std::array<std::string_view, 3> entailment_labels{"entailment", "neutral", "contradiction"};

struct Entailment {
  Tokens premise, hypothesis;
  std::size_t label = 0;  // in entailment_labels
  // For each word of the hypothesis, the position of the premise word that it was derived from. There is none for
  // "and", and for words that the premise does not mention.
  std::vector<std::optional<std::size_t>> gold;
};

Entailment draw_entailment(autograd::Random& random);

// Every word that a pair can contain, each once, in a fixed order.
std::vector<std::string> entailment_words();

// Such a pair as a line of data/sentence_pairs/sentence_pairs.h.
SyntheticExample premise_and_hypothesis(autograd::Random& random);

}  // namespace softalign::data
