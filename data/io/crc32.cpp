#include "data/io/crc32.h"

#include <array>
#include <cstddef>

namespace data {
namespace {

// table[k][v]: what byte v does to the remainder when k more bytes follow it in the same group of eight
// ("slicing by 8", Kounavis and Berry 2005). A table for single bytes alone would take a second per gigabyte more.
constexpr std::array<std::array<std::uint32_t, 256>, 8> make_tables() {
  std::array<std::array<std::uint32_t, 256>, 8> table{};
  for (std::uint32_t v = 0; v < 256; ++v) {
    std::uint32_t r = v;
    for (int bit = 0; bit < 8; ++bit) r = r >> 1 ^ (r & 1 ? 0xEDB88320u : 0u);
    table[0][v] = r;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t v = 0; v < 256; ++v) table[k][v] = table[k - 1][v] >> 8 ^ table[0][table[k - 1][v] & 255];
  return table;
}
constexpr auto table = make_tables();

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::uint32_t r = ~before;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    r ^= byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    r = table[7][r & 255] ^ table[6][r >> 8 & 255] ^ table[5][r >> 16 & 255] ^ table[4][r >> 24] ^
        table[3][byte(i + 4)] ^ table[2][byte(i + 5)] ^ table[1][byte(i + 6)] ^ table[0][byte(i + 7)];
  }
  for (; i < bytes.size(); ++i) r = r >> 8 ^ table[0][(r ^ byte(i)) & 255];
  return ~r;
}

}  // namespace data
