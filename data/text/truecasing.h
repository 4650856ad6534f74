// Truecasing restores capitals, because a model that was trained on lower-cased text writes none.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "data/corpus/corpus.h"
#include "data/corpus/links.h"

namespace softalign::data {

// token -> the form that it is most often written in, where that is not the token itself.
using TruecaseModel = std::map<std::string, std::string>;

// Counts how tokens are written (Lita et al. 2003, "tRuEcasIng", its unigram baseline).
class TruecaseCounts {
 public:
  // `forms` are the tokens of the same sentence before they were lower-cased. The first word of a sentence, and words
  // without a small letter, are not counted, because they do not show how a word is usually written.
  void add(const Tokens& tokens, const Tokens& forms);
  // If forms are equally frequent, the first in the order of bytes.
  TruecaseModel model() const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>> counts_;
};

// One entry per line, `token<TAB>form`, in the order of bytes. read_truecase_model throws an Error with file and line.
std::string format_truecase_model(const TruecaseModel& forms);
TruecaseModel read_truecase_model(const std::string& path);

// Each token in the form that the table has for it.
Tokens truecased(const Tokens& tokens, const TruecaseModel& forms);

// Gives each token the case of the source words that it is linked to. The same token takes the form of the source. A
// token that is linked to a word in capitals is written in capitals, and one that is linked to a capitalised word is
// capitalised. The capital of the first source word, and of a word with a single letter, is not copied.
Tokens cased_like_source(const Tokens& tokens, const Tokens& source, const Tokens& source_forms, const Links& links);

// The first word with a capital, if the source's first word has one.
Tokens with_first_capital(Tokens tokens, const Tokens& source_forms);

}  // namespace softalign::data
