// The similarity of the spelling of two words. Names, numbers and words with a common origin often translate each
// other.
#pragma once

#include <string>
#include <string_view>

namespace softalign::data {

// The code points of a word without its marks and its case: "Élève" is "eleve".
std::u32string folded(const std::string& word);

// s(e, f) = max(0, 1 - 2 d(e, f) / max(|e|, |f|))       |w|: the letters of a folded word
//
// with d the least number of letters to insert, delete or change (Levenshtein 1966). s is 1 for the same words, and 0
// for words in which half of the letters differ. A word of less than four letters is similar only to itself.
double spelling_similarity(std::u32string_view e, std::u32string_view f);

}  // namespace softalign::data
