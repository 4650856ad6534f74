// CRC-32 as zlib, gzip and PNG have it (polynomial 0xEDB88320, reflected), so that Python's zlib.crc32 agrees.
#pragma once

#include <cstdint>
#include <string_view>

namespace data {

// The checksum of `bytes`, continued from that of the bytes before them: crc32(b, crc32(a)) is that of a followed by b.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace data
