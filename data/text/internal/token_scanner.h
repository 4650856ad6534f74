// Tokens in one piece of text without white space: the rules of data/text/tokenizer.h, on code points.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// The tokens of `piece`, which together are all of it. A token scanned by itself is one token again.
std::vector<std::u32string_view> scan_tokens(std::u32string_view piece);

// Lower case, code point by code point.
std::u32string lower(std::u32string_view text);

}  // namespace softalign::data
