// Tokens -> sentence: what data/text/tokenizer.h takes apart, put together again.
#pragma once

#include <string>

#include "data/text/tokenizer.h"

namespace softalign::data {

// The tokens as a sentence: "je t' aime" -> "je t'aime", "cherchez -le ." -> "cherchez-le.". No space stands before
// . , ; : ! ? %, nor inside brackets, guillemets and straight double quotes (taken by turns as opening and closing);
// the French space before ; : ! ? is not put back, nor are capitals. Tokens that would come apart differently when
// written together are kept apart, and characters of scripts without spaces (`characters`) stand together, so that
// tokenize(detokenize(x)) == x for every x that came from tokenize.
// `places`, if given, becomes where each token stands in the sentence.
std::string detokenize(const Tokens& tokens, const TokenizerOptions& options = {}, Spans* places = nullptr);

}  // namespace softalign::data
