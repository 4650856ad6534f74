#include "data/pictures/picture_file.h"

#include <fmt/format.h>
#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/pictures/internal/decoding.h"
#include "data/pictures/jpeg_file.h"

namespace softalign::data {

namespace {

using namespace std::string_view_literals;

// Kind names another picture format and the first bytes of its files.
struct Kind {
  const char* name;
  std::string_view begin;
};
constexpr Kind others[] = {{"GIF", "GIF8"sv},   {"BMP", "BM"sv},     {"WebP", "RIFF"sv},
                           {"TIFF", "II*\0"sv}, {"TIFF", "MM\0*"sv}, {"JPEG XL", "\xff\x0a"sv},
                           {"SVG", "<svg"sv},   {"SVG", "<?xml"sv},  {"JPEG 2000", "\0\0\0\x0cjP"sv},
                           {"PDF", "%PDF"sv}};

}  // namespace

Picture read_picture(const std::string& path) {
  std::error_code none;  // set for a pipe or a missing file
  constexpr std::uintmax_t most_bytes = 10 * most_pixels;
  if (const auto size = std::filesystem::file_size(path, none); !none && size > most_bytes)
    fail(path,
         fmt::format("the file has {} bytes, which is more than a picture of {} pixels needs", size, most_pixels));
  const std::string bytes = read_bytes(path);
  constexpr const char* expected = "the file must be PNG, JPEG, PPM or PGM";
  if (bytes.empty()) fail(path, fmt::format("the file is empty; {}", expected), ErrorKind::damaged_file);
  if (is_png(bytes)) return parse_png(bytes, path);
  if (is_jpeg(bytes)) return parse_jpeg(bytes, path);
  if (bytes[0] == 'P' && bytes.size() > 1 && bytes[1] >= '1' && bytes[1] <= '7') return parse_netpbm(bytes, path);
  for (const auto& [name, begin] : others)
    if (bytes.starts_with(begin))
      fail(path, fmt::format("this looks like {}; {}. {}", name, expected, advice_to_convert(path)),
           ErrorKind::unsupported_format);
  fail(path, fmt::format("this is no picture; {}", expected), ErrorKind::unsupported_format);
}

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

// next_chunk returns the chunk that starts at `at`, and moves `at` behind it. A chunk has a length, a type, data, and a
// checksum of type and data.
Chunk next_chunk(std::string_view bytes, std::size_t& at, const std::string& where) {
  constexpr std::size_t frame = 12;
  const std::size_t left = bytes.size() - at, begin = at;
  const std::size_t length = left < frame ? left : big_endian(bytes.substr(at));
  if (left < frame || length > left - frame)
    fail(where,
         fmt::format(
             "the PNG file is cut short after {} bytes, inside the chunk that begins at byte {}. Copy the file again",
             bytes.size(), begin),
         ErrorKind::damaged_file);
  const Chunk chunk{bytes.substr(at + 4, 4), bytes.substr(at + 8, length)};
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.type.data()), static_cast<uInt>(4 + length));
  if (sum != big_endian(bytes.substr(at + 8 + length)))
    fail(where,
         fmt::format("the PNG file is damaged, because the chunk at byte {} has a wrong checksum. Copy the file again",
                     begin),
         ErrorKind::damaged_file);
  at += frame + length;
  return chunk;
}

// unpacked returns the number of bytes of the pixels, according to the first chunk. It counts one byte of a filter per
// row.
std::size_t unpacked(const Chunk& header) {
  const auto depth = static_cast<std::uint8_t>(header.data[8]), kind = static_cast<std::uint8_t>(header.data[9]);
  const std::size_t values = kind == PNG_COLOR_TYPE_RGB    ? 3
                             : kind == PNG_COLOR_TYPE_RGBA ? 4
                             : kind == PNG_COLOR_TYPE_GA   ? 2
                                                           : 1;
  return big_endian(header.data.substr(4)) * (1 + (std::size_t{big_endian(header.data)} * values * depth + 7) / 8);
}

// libpng also checks most of this, but not the last checksum, and only after it has allocated memory. check_chunks
// returns the orientation of the pixels, which libpng does not apply.
int check_chunks(std::string_view bytes, const std::string& where) {
  std::size_t at = signature.size(), packed = 0;
  const Chunk header = next_chunk(bytes, at, where);
  if (header.type != "IHDR" || header.data.size() != 13)
    fail(where, "the PNG file is damaged, because it does not begin with its size. Copy the file again",
         ErrorKind::damaged_file);
  check_picture_size(big_endian(header.data.substr(4)), big_endian(header.data), where);
  int orientation = 1;
  for (Chunk chunk = header; chunk.type != "IEND"; chunk = next_chunk(bytes, at, where)) {
    if (chunk.type == "IDAT") packed += chunk.data.size();
    if (chunk.type == "eXIf") orientation = orientation_of(chunk.data);
  }
  constexpr std::size_t most_by_deflate = 1032;  // deflate packs at most 258 bytes into two bits
  if (unpacked(header) > packed * most_by_deflate)
    fail(where,
         fmt::format("the PNG file is damaged, because {} bytes are too few for {} x {} pixels. Copy the file again",
                     packed, big_endian(header.data), big_endian(header.data.substr(4))),
         ErrorKind::damaged_file);
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
    throw Error(ErrorKind::bad_data, fmt::format("libpng: {}", image.message));
  bytes.resize(size);
  return bytes;
}

bool is_png(std::string_view bytes) { return bytes.starts_with(signature); }

Picture parse_png(std::string_view bytes, const std::string& where) {
  const int orientation = check_chunks(bytes, where);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto check = [&](int done) {
    if (!done)
      fail(where, fmt::format("the PNG file is damaged: {}. Copy the file again", image.message),
           ErrorKind::damaged_file);
  };
  check(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_RGBA;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // 16-bit files then have the same colours as 8-bit files
  Picture picture{image.height, image.width, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
  std::vector<std::uint8_t>& rgb = picture.rgb;
  check(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
  for (std::size_t i = 0; i < picture.height * picture.width; ++i) {
    const std::uint8_t* p = &rgb[4 * i];
    const unsigned alpha = p[3];
    for (std::size_t c = 0; c < 3; ++c)
      rgb[3 * i + c] = static_cast<std::uint8_t>((alpha * p[c] + (255 - alpha) * 255 + 127) / 255);
  }
  rgb.resize(picture.height * picture.width * 3);
  return upright(std::move(picture), orientation);
}

namespace {

struct Header {
  std::size_t channels, width = 0, height = 0, largest = 0;
  std::size_t bytes;  // size of the header
};

// A header is, for example, "P6 # comment\n640 480\n255\n". White space and comments separate the numbers, and one
// white space follows the last number.
class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  Header read() {
    const char form = bytes_.size() > 1 ? bytes_[1] : '?';
    if (form != '5' && form != '6')
      fail(where_,
           fmt::format(
               "the file is a Netpbm picture of the form P{}, but only P5 and P6 can be read. Convert it with pnmtopng",
               form),
           ErrorKind::unsupported_format);
    Header header{.channels = form == '6' ? std::size_t{3} : std::size_t{1}, .bytes = 0};
    header.width = number("the width");
    header.height = number("the height");
    header.largest = number("the largest value");
    if (at_ == bytes_.size() || !is_space(bytes_[at_])) broken("white space behind the largest value");
    header.bytes = at_ + 1;
    return header;
  }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  [[noreturn]] void broken(const std::string& expected) const {
    fail(where_, fmt::format("byte {}: {} expected, as in \"P6 640 480 255\"", at_, expected), ErrorKind::damaged_file);
  }

  std::size_t number(const char* what) {
    const std::size_t before = at_;
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#'))
      at_ = bytes_[at_] == '#' ? std::min(bytes_.find('\n', at_), bytes_.size()) : at_ + 1;
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && std::isdigit(static_cast<unsigned char>(bytes_[at_]))) ++at_;
    const auto value = data::number<std::size_t>(bytes_.substr(begin, at_ - begin));
    if (begin == before && begin < at_) broken(fmt::format("white space before {}", what));
    if (!value) broken(what);
    return *value;
  }

  std::string_view bytes_;
  const std::string& where_;
  std::size_t at_ = 2;
};

}  // namespace

Picture parse_netpbm(std::string_view bytes, const std::string& where) {
  const Header header = HeaderReader(bytes, where).read();
  check_picture_size(header.height, header.width, where);
  if (header.largest == 0 || header.largest > 65535)
    fail(where, fmt::format("the largest value is {}, but it must be from 1 to 65535", header.largest),
         ErrorKind::damaged_file);
  const std::size_t pixels = header.height * header.width, bytes_of_a_value = header.largest > 255 ? 2 : 1;
  const std::size_t expected = pixels * header.channels * bytes_of_a_value, found = bytes.size() - header.bytes;
  if (found != expected)
    fail(
        where,
        fmt::format("the file has {} bytes of pixels, but {} x {} {}{} need {}; {}", found, header.width, header.height,
                    header.channels == 3 ? "colours" : "greys", bytes_of_a_value == 2 ? " of two bytes" : "", expected,
                    found < expected ? "the file is cut short" : "a file must have only one picture"),
        ErrorKind::damaged_file);
  Picture picture{header.height, header.width, std::vector<std::uint8_t>(pixels * 3)};
  const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header.bytes;
  const auto value = [&] {
    std::size_t v = *next++;
    if (bytes_of_a_value == 2) v = v << 8 | *next++;
    if (v > header.largest)
      fail(where, fmt::format("a pixel has the value {}, but the largest value is {}", v, header.largest),
           ErrorKind::damaged_file);
    return static_cast<std::uint8_t>((v * 255 + header.largest / 2) / header.largest);
  };
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
    picture.rgb[i] = value();
    for (const std::size_t c : {1, 2}) picture.rgb[i + c] = header.channels == 3 ? value() : picture.rgb[i];
  }
  return picture;
}

namespace {

// Cover describes the pixel i of n, which covers the range [i m / n, (i + 1) m / n) of m pixels. The range begins in
// the pixel `first`, and covers parts[k] n-ths of the pixel first + k.
struct Cover {
  std::size_t first;
  std::vector<std::size_t> parts;  // they sum to m
};

std::vector<Cover> covers(std::size_t m, std::size_t n) {
  std::vector<Cover> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t begin = i * m, end = begin + m;  // in n-ths of a pixel
    all[i].first = begin / n;
    for (std::size_t at = begin; at < end;) {
      const std::size_t next = std::min((at / n + 1) * n, end);
      all[i].parts.push_back(next - at);
      at = next;
    }
  }
  return all;
}

}  // namespace

Picture scaled(const Picture& picture, std::size_t height, std::size_t width) {
  if (picture.rgb.empty() || height == 0 || width == 0)
    throw std::invalid_argument(
        fmt::format("scaled: {} x {} pixels to {} x {}", picture.height, picture.width, height, width));
  const std::vector<Cover> rows = covers(picture.height, height), columns = covers(picture.width, width);
  const std::size_t whole = picture.height * picture.width;
  Picture result{height, width, {}};
  result.rgb.reserve(height * width * 3);
  for (const Cover& down : rows)
    for (const Cover& right : columns) {
      std::array<std::size_t, 3> sums{};  // sums of the values, in units of 1 / whole
      for (std::size_t i = 0; i < down.parts.size(); ++i) {
        const std::uint8_t* p = picture.rgb.data() + ((down.first + i) * picture.width + right.first) * 3;
        for (const std::size_t part : right.parts)
          for (std::size_t& sum : sums) sum += down.parts[i] * part * *p++;
      }
      for (const std::size_t sum : sums) result.rgb.push_back(static_cast<std::uint8_t>((sum + whole / 2) / whole));
    }
  return result;
}

}  // namespace softalign::data
