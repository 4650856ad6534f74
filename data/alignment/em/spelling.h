// How alike two words are spelt: names, numbers and words of one origin translate each other more often than others do.
#pragma once

#include <string>
#include <string_view>

namespace softalign::data {

// The code points of a word without its marks and its case: "Élève" is "eleve".
std::u32string folded(const std::string& word);

// s(e, f) = max(0, 1 - 2 d(e, f) / max(|e|, |f|))       |w|: the letters of a folded word
//
// with d the least number of letters to put in, take out or change (Levenshtein 1966): 1 for the same words, 0 for
// words of which half of the letters differ. A word of less than four letters is like itself alone.
double spelling_similarity(std::u32string_view e, std::u32string_view f);

}  // namespace softalign::data
