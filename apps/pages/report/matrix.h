// A soft alignment as a small picture.
#pragma once

#include <string>

#include "data/alignment/record.h"

namespace apps {

// Rows are target words, columns source words, the shade of a cell its weight on the viewer's fixed scale; gold links
// are outlined, possible ones dashed. Drawn at its natural size, in px.
std::string draw_matrix(const data::Record& record);

}  // namespace apps
