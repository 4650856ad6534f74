// A drawing as a file: SVG unchanged, or PNG by rsvg-convert, which is searched when a drawing is written.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

// Whether the name of a file is a drawing's: it ends in .svg or .png.
bool is_drawing_name(std::string_view path);

// Throws data::Error (wrong_usage) for a name that ends in .png if rsvg-convert is not installed. A program calls it
// before it computes the drawing.
void check_drawing_name(const std::string& path);

// Writes the drawing completely or not at all. Throws data::Error if rsvg-convert fails, and the errors of
// data::write_file.
void write_drawing(const std::string& path, const std::string& svg);

}  // namespace softalign::apps
