#include "data/pictures/png.h"

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <stdexcept>
#include <utility>

#include "data/io/internal/fields.h"
#include "data/pictures/internal/orientation.h"
#include "data/pictures/internal/picture_size.h"

namespace softalign::data {

namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes.substr(0, 4)) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

struct Chunk {
  std::string_view type, data;
};

// The chunk that starts at `at`, which moves behind it: length, type, data, checksum of both.
Chunk next_chunk(std::string_view bytes, size_t& at, const std::string& where) {
  constexpr size_t frame = 12;
  const size_t left = bytes.size() - at, begin = at;
  const size_t length = left < frame ? left : big_endian(bytes.substr(at));
  if (left < frame || length > left - frame)
    fail(where, fmt::format("the PNG is cut short: {} bytes, in the middle of what begins at byte {}; copy it anew",
                            bytes.size(), begin));
  const Chunk chunk{bytes.substr(at + 4, 4), bytes.substr(at + 8, length)};
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.type.data()), static_cast<uInt>(4 + length));
  if (sum != big_endian(bytes.substr(at + 8 + length)))
    fail(where,
         fmt::format("the PNG is damaged: what begins at byte {} does not have its checksum; copy it anew", begin));
  at += frame + length;
  return chunk;
}

// Bytes of pixels, one of a filter before each row, as the first chunk says.
size_t unpacked(const Chunk& header) {
  const auto depth = static_cast<std::uint8_t>(header.data[8]), kind = static_cast<std::uint8_t>(header.data[9]);
  const size_t values = kind == PNG_COLOR_TYPE_RGB    ? 3
                        : kind == PNG_COLOR_TYPE_RGBA ? 4
                        : kind == PNG_COLOR_TYPE_GA   ? 2
                                                      : 1;
  return big_endian(header.data.substr(4)) * (1 + (size_t{big_endian(header.data)} * values * depth + 7) / 8);
}

// libpng looks at most of this too, but not at the last checksum, and only when memory has been taken. Returns the
// orientation of the pixels, which libpng does not apply.
int check_chunks(std::string_view bytes, const std::string& where) {
  size_t at = signature.size(), packed = 0;
  const Chunk header = next_chunk(bytes, at, where);
  if (header.type != "IHDR" || header.data.size() != 13)
    fail(where, "the PNG is damaged: it does not begin with its size; copy it anew");
  check_picture_size(big_endian(header.data.substr(4)), big_endian(header.data), where);
  int orientation = 1;
  for (Chunk chunk = header; chunk.type != "IEND"; chunk = next_chunk(bytes, at, where)) {
    if (chunk.type == "IDAT") packed += chunk.data.size();
    if (chunk.type == "eXIf") orientation = orientation_of(chunk.data);
  }
  constexpr size_t most_by_deflate = 1032;  // 258 bytes in two bits
  if (unpacked(header) > packed * most_by_deflate)
    fail(where, fmt::format("the PNG is damaged: {} bytes cannot hold {} x {} pixels", packed, big_endian(header.data),
                            big_endian(header.data.substr(4))));
  return orientation;
}

}  // namespace

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

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

Picture parse_png(std::string_view bytes, const std::string& where) {
  const int orientation = check_chunks(bytes, where);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto check = [&](int done) {
    if (!done) fail(where, fmt::format("the PNG is damaged: {}; copy it anew", image.message));
  };
  check(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_RGBA;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16 bits are no other colours than 8
  Picture picture{image.height, image.width, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  std::vector<std::uint8_t>& rgb = picture.rgb;
  check(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
  for (size_t i = 0; i < picture.height * picture.width; ++i) {
    const std::uint8_t* p = &rgb[4 * i];
    const unsigned alpha = p[3];
    for (size_t c = 0; c < 3; ++c)
      rgb[3 * i + c] = static_cast<std::uint8_t>((alpha * p[c] + (255 - alpha) * 255 + 127) / 255);
  }
  rgb.resize(picture.height * picture.width * 3);
  return upright(std::move(picture), orientation);
}

}  // namespace softalign::data
