// Reads picture files (PNG, and binary PPM and PGM), writes PNG files, and scales pictures.
#pragma once

#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

// Returns red, green and blue with 8 bits, for every kind of file. Grey gives three equal numbers, 16 bits are rounded
// to 8, and transparent pixels are white. Throws an Error with the file and a remedy if the file cannot be read, is
// empty, is no picture or an unknown kind, is cut short or damaged, or has no pixel or too many (picture.h).
Picture read_picture(const std::string& path);

// --- PNG (ISO/IEC 15948), by libpng ---

// The bytes of a PNG file: RGB, 8 bits. std::invalid_argument: not height * width * 3 numbers, or none.
std::string png(const Picture& picture);

bool is_png(std::string_view bytes);

// Decodes a PNG of any kind: palette, grey, 1 to 16 bits, interlaced. Transparent pixels are blended with white: alpha
// c + (1 - alpha) 255. The orientation in an eXIf chunk is applied. Error, starting with `where`: cut short or damaged
// (every chunk's checksum is compared), a size out of bounds.
Picture parse_png(std::string_view bytes, const std::string& where);

// --- PPM and PGM, Netpbm's binary forms (P6, colours; P5, grey) ---
//
// A header of text, then the values row by row. Each has one byte, or two bytes if the largest value is above 255, with
// the high byte first.

// A value v becomes 255 v / largest, rounded. Error, starting with `where`: another format, an invalid header, a size
// out of bounds, too few or too many bytes, or a value above `largest`.
Picture parse_netpbm(std::string_view bytes, const std::string& where);

// --- another size ---

// Each pixel is the mean, rounded, of the part of the picture that it covers (a box filter). The same size gives the
// same picture. std::invalid_argument: no pixel on either side.
Picture scaled(const Picture& picture, std::size_t height, std::size_t width);

}  // namespace softalign::data
