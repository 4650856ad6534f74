// The text that BLEU, chrF and exact match compare: the sentence that is printed and the user's own reference lines, by
// one rule whatever the run's tokeniser is, so that scores of different runs compare.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_folder.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// words: tokens of data/text/tokenizer.h in lower case, each character of a script without spaces one of them. 13a:
// sacreBLEU's default, case-sensitive.
inline constexpr const char* standard_words = "words";
inline constexpr const char* mteval_13a = "13a";

struct ScoredText {
  data::Tokens words;  // for BLEU and exact match
  std::string text;    // for chrF
};

// A translation, of which these are the run's own words; and a reference with its line, if that is known.
ScoredText scored_translation(const Run& run, const data::Tokens& words, const std::string& rule);
ScoredText scored_reference(const Run& run, const data::Tokens& words, const std::string& line,
                            const std::string& rule);

// As sacreBLEU writes what a figure was measured by: "nrefs:1|case:lc|eff:no|tok:words|smooth:exp"; `references`: of
// each pair, 0 if that varies.
std::string bleu_signature(const std::string& rule, std::size_t references);

}  // namespace softalign::apps
