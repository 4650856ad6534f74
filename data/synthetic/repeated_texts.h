// This file generates texts about who likes what. If a name is repeated, the person likes the same thing as before:
//
//   mary likes tea . john likes chess . mary likes tea .
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "autograd/random.h"
#include "data/corpus/corpus.h"
#include "data/corpus/synthetic_example.h"

namespace softalign::data {

struct Repeats {
  Tokens text;  // four words per statement
  // A Return is a statement about a name that occurred before. `likes` is the position of the word "likes" in it, and
  // `statement` is the number of the last earlier statement about the name.
  struct Return {
    std::size_t likes, statement;
  };
  std::vector<Return> returns;
};

inline constexpr std::size_t words_of_a_statement = 4, most_names = 12;

// Generates a text with at most `names` different names. Throws std::invalid_argument if `names` is 0, or more than
// most_names.
Repeats draw_repeats(std::size_t statements, std::size_t names, autograd::Random& random);

// Returns every word that a text can contain, each once, in a fixed order.
std::vector<std::string> repeats_words();

// Returns a text for a language model as a line of a corpus (read_texts in data/corpus/readers.h). The gold links
// connect words to earlier words of the same text.
SyntheticExample text_that_repeats(autograd::Random& random);

}  // namespace softalign::data
