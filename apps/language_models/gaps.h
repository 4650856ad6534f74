// Sentences of an invented language whose articles and verbs agree with nouns, for models that fill gaps.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "autograd/array.h"
#include "autograd/random.h"

namespace softalign::apps {

// phrase verb phrase: a phrase is an article, then a noun and two adjectives in any order.
//   "ta gro bamas nova lukaten nun kli rota zodo"
// A noun has a gender (a, e, o) and a number. Its article has its gender (ta, te, to) and says nothing of the number;
// half of the articles are missing, and "nun" stands there. The verb has the number of the first noun; the second one
// is an attractor where it has another number.
struct Sentences {
  static constexpr std::size_t words_each = 9;

  enum class Decided { article, verb };
  struct Gap {
    Decided what;
    std::size_t at, gold;  // positions of the word, and of the noun that decides it
    bool attractor;        // of a verb: the other noun has another number
  };

  Sentences(std::size_t B, autograd::Random& random);

  std::size_t B;
  autograd::Ids words;                 // (words_each*B), row t*B + b
  std::vector<std::vector<Gap>> gaps;  // of each sentence, the verb's last

  static std::size_t words_known();  // V, the mask included
  static autograd::Id mask();        // [MASK]
  static const std::string& name(autograd::Id word);
  static std::pair<autograd::Id, autograd::Id> kind(Decided what);        // articles or verbs: the first, and the end
  static bool agree(Decided what, autograd::Id one, autograd::Id other);  // of a kind: one gender, or one number
};

}  // namespace softalign::apps
