// These functions measure how similarly two words are spelt. Names, numbers and words with a common origin often
// translate each other.
#pragma once

#include <string>
#include <string_view>

namespace softalign::data {

// Returns the code points of a word without accents and capitals: "Élève" becomes "eleve".
std::u32string folded(const std::string& word);

// Returns the similarity s(e, f) = max(0, 1 - 2 d(e, f) / max(|e|, |f|)) of two words without accents and capitals,
// where |w| is the number of letters of w. d is the smallest number of letters to insert, delete or change
// (Levenshtein 1966). s is 1 for equal words, and 0 if at least half of the letters differ. A word of less than four
// letters is similar only to itself.
double spelling_similarity(std::u32string_view e, std::u32string_view f);

}  // namespace softalign::data
