// The same text can be written in several ways. For example, an accented letter can be one code point or two, and an
// apostrophe can be straight or curly. Normalisation converts all of them to one, before the text is split into tokens.
#pragma once

#include <string>
#include <string_view>

#include "data/io/unicode.h"

namespace softalign::data {

// NormalisedText is a text after normalisation. `points` has its code points. from[k] is the range of code points in
// the original text from which points[k] was made. If normalisation joined or reordered several code points, the range
// contains all of them.
struct NormalisedText {
  std::u32string points;
  Spans from;
};

// Returns the text in Unicode's form NFC, and in lower case if `lowercase` is true. A typographic apostrophe becomes ',
// and a typographic hyphen becomes -. Soft hyphens, zero-width spaces and control characters are removed.
NormalisedText normalise(std::string_view text, bool lowercase);

// Returns the code points of the text without any change.
NormalisedText unchanged(std::string_view text);

// Returns the text in lower case, code point by code point.
std::u32string lower(std::u32string_view text);

}  // namespace softalign::data
