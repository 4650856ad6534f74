// How large a picture may be. Asked of a file's first bytes, before anything is allocated for its pixels.
#pragma once

#include <cstdint>
#include <string>

namespace softalign::data {

// std::runtime_error, starting with `where`: no pixel, or more than most_pixels_of_a_side or most_pixels.
void check_picture_size(std::uint64_t height, std::uint64_t width, const std::string& where);

}  // namespace softalign::data
