// These functions read picture files (PNG, JPEG, and binary PPM and PGM), write PNG files, and scale pictures.
#pragma once

#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// Reads a picture file (PNG, JPEG, PPM or PGM). Each pixel gets 8 bits for red, green and blue. In a grey picture, the
// three numbers are equal. Values of 16 bits are rounded to 8 bits, and transparent pixels become white. Throws Error
// if the file cannot be read, is empty, is not a known kind of picture, or is cut short or damaged. Also throws Error
// if the picture has no pixels or too many (picture.h). The message names the file and a remedy.
Picture read_picture(const std::string& path);

// --- PNG (ISO/IEC 15948), by libpng ---

// Returns the bytes of a PNG file with 8 bits for red, green and blue. Throws std::invalid_argument if the picture is
// empty or does not have height * width * 3 numbers.
std::string png(const Picture& picture);

bool is_png(std::string_view bytes);

// Decodes a PNG file of any kind: palette, grey, 1 to 16 bits, interlaced. Transparent pixels are blended with white,
// so a colour c with opacity alpha becomes alpha c + (1 - alpha) 255. If the file has an eXIf chunk, its orientation is
// applied. Throws Error if the file is cut short or damaged, if a checksum is wrong, or if its size is out of bounds.
// The message starts with `where`.
Picture parse_png(std::string_view bytes, const std::string& where);

// --- PPM and PGM, Netpbm's binary formats (P6 for colours, P5 for grey) ---
//
// The file has a header of text, and then the values row by row. A value has one byte. If the header gives a largest
// value above 255, each value has two bytes, with the high byte first.

// Decodes a PPM or PGM file. A value v becomes 255 v / largest, rounded, where `largest` is the largest value that the
// header allows. Throws Error for another format, an invalid header, a size out of bounds, too few or too many bytes,
// or a value above `largest`. The message starts with `where`.
Picture parse_netpbm(std::string_view bytes, const std::string& where);

// --- another size ---

// Scales a picture to a height and width. Each new pixel is the mean, rounded, of the part of the old picture that it
// covers (box filter). If the size is the same, the picture is unchanged. Throws std::invalid_argument if a height or
// width is 0.
Picture scaled(const Picture& picture, std::size_t height, std::size_t width);

}  // namespace softalign::data
