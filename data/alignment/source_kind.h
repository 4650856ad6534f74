// What a record looks at where that is no sentence: the cells of a picture, the sentences of a story.
#pragma once

#include <cstddef>
#include <string>

#include "data/corpus/corpus.h"

namespace softalign::data {

struct Record;

// Rows and columns of the cells that a picture is cut into.
struct Grid {
  size_t H = 0, W = 0;
};

inline constexpr size_t most_cells = 64 * 64;             // of a grid
inline constexpr size_t longest_image = size_t{8} << 20;  // bytes of a picture's data URI

// source_sent: words and cells joined by a space, sentences by " | ".
std::string join_source(const Record& record);

// What breaks the rules for source_kind, source_grid and source_image; "" if nothing does.
std::string problem_of_source(const Record& record);

}  // namespace softalign::data
