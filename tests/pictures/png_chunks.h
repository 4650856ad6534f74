// Builds PNG files by hand, including files that no encoder writes.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace testing {

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

inline std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + body + big_endian(static_cast<std::uint32_t>(sum));
}

// Corrects the checksum of every chunk, as far as the chunks' lengths allow.
inline std::string with_checksums(std::string bytes) {
  for (size_t at = 8; at + 12 <= bytes.size();) {
    std::uint32_t length = 0;
    for (size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<std::uint8_t>(bytes[at + i]);
    if (length > bytes.size() - at - 12) break;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data() + at + 4), 4 + length);
    bytes.replace(at + 8 + length, 4, big_endian(static_cast<std::uint32_t>(sum)));
    at += 12 + size_t{length};
  }
  return bytes;
}

inline std::string deflated(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return packed.substr(0, size);
}

inline std::string header_of_png(std::uint32_t width, std::uint32_t height, int depth, int kind, int interlaced = 0) {
  std::string data = big_endian(width) + big_endian(height);
  for (const int byte : {depth, kind, 0, 0, interlaced}) data += static_cast<char>(byte);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", data);
}

// A PNG file. The colour type `kind` is 0 grey, 2 RGB, 3 palette, 4 grey and alpha, or 6 RGB and alpha. Each of the
// `rows` starts with the number of its filter. `between` has the chunks before the pixels.
inline std::string png_of(std::uint32_t width, std::uint32_t height, int depth, int kind, const std::string& rows,
                          const std::string& between = "", int interlaced = 0) {
  return header_of_png(width, height, depth, kind, interlaced) + between + chunk("IDAT", deflated(rows)) +
         chunk("IEND", "");
}

}  // namespace testing
