// This file generates sentence pairs for entailment. The premise has one to three statements. The hypothesis has one or
// two of them, in another order and with other words. The label says whether the hypothesis follows from the premise:
//
//   premise        a red dog sleeps and a tall woman runs
//   entailment     a woman moves and an animal sleeps    It follows; words are left out or more general.
//   contradiction  a red dog runs                        One word contradicts the premise.
//   neutral        a young horse sleeps                  The premise does not mention this animal.
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
  std::size_t label = 0;  // index in entailment_labels
  // For each word of the hypothesis, `gold` has the position of the premise word from which it was derived. It has no
  // position for "and", and for words that the premise does not mention.
  std::vector<std::optional<std::size_t>> gold;
};

Entailment draw_entailment(autograd::Random& random);

// Returns every word that a generated pair can contain, each once, in a fixed order.
std::vector<std::string> entailment_words();

// Returns a generated pair as a line of a file of sentence pairs (data/sentence_pairs/sentence_pairs.h).
SyntheticExample premise_and_hypothesis(autograd::Random& random);

}  // namespace softalign::data
