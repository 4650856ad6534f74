// Truecasing restores capitals, because a model that was trained on lower-cased text writes none.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "data/corpus/corpus.h"
#include "data/corpus/links.h"

namespace softalign::data {

// A TruecaseModel maps a lower-cased token to the form in which the training text writes it most often, for example
// "paris" to "Paris". It has no entry for a token that is written most often in lower case.
using TruecaseModel = std::map<std::string, std::string>;

// TruecaseCounts counts in which form each token is written (Lita et al. 2003, "tRuEcasIng", its unigram baseline).
class TruecaseCounts {
 public:
  // Counts the tokens of a sentence. `forms` are the same tokens before they were lower-cased. The first word does not
  // count, because it begins with a capital in any case. A sentence in which all letters are capitals does not count.
  void add(const Tokens& tokens, const Tokens& forms);
  // Returns the most frequent form of each token. If several forms are equally frequent, it takes the first in byte
  // order.
  TruecaseModel model() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
};

// format_truecase_model returns one entry per line, `token<TAB>form`, in byte order. read_truecase_model throws Error,
// which names file and line.
std::string format_truecase_model(const TruecaseModel& forms);
TruecaseModel read_truecase_model(const std::string& path);

// Returns each token in the form that the model has for it. A token that the model does not have is unchanged.
Tokens truecased(const Tokens& tokens, const TruecaseModel& forms);

// Copies capitals from the source words to the tokens that are linked to them. A token is written in capitals if its
// source word has several letters and all of them are capitals. The first word of the source gives no other capitals,
// because it begins with a capital in any case. For all other source words, two rules hold. If the token is equal to
// its source word in lower case, it is written like this source word. Otherwise, it begins with a capital if its source
// word does and has several letters.
Tokens cased_like_source(const Tokens& tokens, const Tokens& source, const Tokens& source_forms, const Links& links);

// Returns the tokens of a translation. If the first word of the source begins with a capital, the first token begins
// with a capital, too.
Tokens with_first_capital(Tokens tokens, const Tokens& source_forms);

}  // namespace softalign::data
