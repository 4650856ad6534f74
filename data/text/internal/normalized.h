// Text brought to one spelling, and where each of its code points stood before.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/text/span.h"

namespace softalign::data {

// from[k]: the code points of the original text that points[k] was made of. Where several became one, or changed
// places, it is all of them.
struct Normalized {
  std::u32string points;
  Spans from;
};

// The code points as they are.
Normalized as_it_is(std::string_view text);

// NFC and, if asked for, lower case; one apostrophe and one hyphen; nothing invisible (data/text/tokenizer.h).
Normalized normalize(std::string_view text, bool lowercase);

}  // namespace softalign::data
