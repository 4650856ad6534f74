#include "data/pictures/png.h"

#include <fmt/format.h>
#include <png.h>

#include <stdexcept>

namespace data {

std::string png(const Picture& picture) {
  if (picture.rgb.empty() || picture.rgb.size() != picture.height * picture.width * 3)
    throw std::invalid_argument(
        fmt::format("png: {} numbers for {} x {} pixels", picture.rgb.size(), picture.height, picture.width));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.format = PNG_FORMAT_RGB;
  image.height = static_cast<png_uint_32>(picture.height);
  image.width = static_cast<png_uint_32>(picture.width);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr) == 0)
    throw std::runtime_error(fmt::format("libpng: {}", image.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace data
