// This file generates sentences of an invented language, in which articles and verbs agree with nouns. Models learn to
// fill gaps in these sentences.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// The struct Sentences has B sentences of an invented language. Each sentence has a phrase, a verb and a second phrase.
// A phrase is an article, and then a noun and two adjectives in any order:
//   "ta gro bamas nova lukaten nun kli rota zodo"
// The vowel of a noun shows its gender (a, e or o), and the ending -s shows the plural. The article (ta, te or to) has
// the gender of its noun. In half of the phrases, "nun" replaces the article. The verb has the number (singular or
// plural) of the first noun, and its ending -en shows the plural. If one noun is singular and the other plural, the
// second noun is called an attractor, because it can mislead a model.
struct Sentences {
  static constexpr std::size_t words_each = 9;

  enum class Decided { article, verb };
  struct Gap {
    Decided what;
    std::size_t at, gold;  // positions of the word, and of the noun that decides it
    bool attractor;        // only for a verb: the other noun has the other number
  };

  Sentences(std::size_t B, autograd::Random& random);

  std::size_t B;
  autograd::Ids words;                 // (words_each*B), row t*B + b
  std::vector<std::vector<Gap>> gaps;  // one list per sentence; the gap of the verb is the last

  static std::size_t words_known();  // V, with the mask
  static autograd::Id mask();        // [MASK]
  static const std::string& name(autograd::Id word);
  // Returns the range of ids of all articles or of all verbs: the first id, and the id after the last one.
  static std::pair<autograd::Id, autograd::Id> kind(Decided what);
  // Returns true if two articles have the same gender, or if two verbs have the same number.
  static bool agree(Decided what, autograd::Id one, autograd::Id other);
};

}  // namespace softalign::apps
