// This file writes a drawing to a file. The file is the unchanged SVG, or a PNG that the program rsvg-convert makes
// from it. softalign looks for rsvg-convert only when it writes a PNG.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

// Returns true if a file name ends in .svg or .png, so it names a drawing.
bool is_drawing_name(std::string_view path);

// Throws data::Error (wrong_usage) for a name that ends in .png if rsvg-convert is not installed. A program calls this
// function before it computes the drawing.
void check_drawing_name(const std::string& path);

// Writes the complete drawing or nothing. Throws data::Error if rsvg-convert fails, or if data::write_file fails.
void write_drawing(const std::string& path, const std::string& svg);

}  // namespace softalign::apps
