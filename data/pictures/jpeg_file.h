// This file decodes JPEG pictures (ISO/IEC 10918-1) with libjpeg.
#pragma once

#include <string>
#include <string_view>

#include "data/corpus/picture.h"

namespace softalign::data {

bool is_jpeg(std::string_view bytes);

// Decodes a JPEG file in grey or in colours, baseline or progressive. If the file has an Exif block, its orientation is
// applied. Throws Error if the file is cut short or damaged, if its size is out of bounds, or if libjpeg cannot read
// this kind of JPEG, for example one with CMYK colours. A JPEG has no checksums, so some damage only changes colours
// and is not noticed. Without libjpeg (SOFTALIGN_JPEG=OFF), every file is refused. The message starts with `path`.
Picture parse_jpeg(std::string_view bytes, const std::string& path);

}  // namespace softalign::data
