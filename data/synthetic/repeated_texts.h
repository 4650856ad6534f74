// Texts with repetitions: statements about who likes what, in which a repeated name likes the same thing as before.
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
  Tokens text;  // four words a statement
  // A repeated name: the position of "likes" before its thing, and the last earlier statement about the name.
  struct Return {
    std::size_t likes, statement;
  };
  std::vector<Return> returns;
};

inline constexpr std::size_t words_of_a_statement = 4, most_names = 12;

// Uses `names` names. std::invalid_argument: no name, or more than there are.
Repeats draw_repeats(std::size_t statements, std::size_t names, autograd::Random& random);

// Every word that a text can contain, each once, in a fixed order.
std::vector<std::string> repeats_words();

// A text for a language model as a line of data/corpus/corpus.h (read_texts), with gold links to its own past.
SyntheticExample text_that_repeats(autograd::Random& random);

}  // namespace softalign::data
