// Pictures as PPM and PGM, Netpbm's binary forms (P6, colours; P5, grey): a header in letters, then the values row by
// row, of one byte, or of two where the largest is above 255, the higher one first.
#pragma once

#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// A value v of `largest` becomes 255 v / largest, rounded. std::runtime_error, starting with `where`: another form,
// a header that is none, a size out of bounds, too few or too many bytes, a value above the largest.
Picture parse_netpbm(std::string_view bytes, const std::string& where);

}  // namespace softalign::data
