// JPEG pictures. The files in tests/pictures/jpeg have quality 100. grey.jpg has 3 x 2 pixels with the values 40, 80,
// .., 240. colours.jpg (baseline, with restart markers) and progressive.jpg have a red and a blue square of 8 x 8
// pixels.
#include <cmath>
#include <filesystem>

#include "data/io/error.h"
#include "data/io/files.h"
#include "data/pictures/jpeg_file.h"
#include "data/pictures/picture_file.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;

namespace {

using namespace data;
using namespace std::string_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using testing::user_error;

std::string jpeg(const std::string& name) {
  return read_bytes(testing::source_folder() + "/tests/pictures/jpeg/" + name + ".jpg");
}

Picture picture(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_picture(folder.file("p", bytes));
}

// The error message without the file name, with which it starts.
std::string refused(const std::string& bytes, const std::string& name = "p") {
  const TemporaryFolder folder;
  const std::string path = folder.file(name, bytes);
  const std::string said = user_error([&] { read_picture(path); });
  REQUIRE_THAT(said, StartsWith(path + ": "));
  return said.substr(path.size() + 2);
}

ErrorKind kind_of(const std::string& bytes) {
  try {
    parse_jpeg(bytes, "p");
  } catch (const Error& error) {
    return error.kind();
  }
  FAIL("the file was read");
  return {};
}

// Returns the pixels in units of 40. The compression changes a value by at most one.
std::vector<int> forties(const Picture& picture) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
    CHECK((picture.rgb[i] == picture.rgb[i + 1] && picture.rgb[i] == picture.rgb[i + 2]));
    numbers.push_back(static_cast<int>(std::lround(picture.rgb[i] / 40.0)));
    CHECK(std::abs(picture.rgb[i] - 40 * numbers.back()) <= 1);
  }
  return numbers;
}

std::string marker(char kind, const std::string& data) {
  const std::size_t size = data.size() + 2;
  return "\xff"s + kind + static_cast<char>(size >> 8) + static_cast<char>(size & 255) + data;
}

std::string inserted(std::string bytes, const std::string& part) { return bytes.insert(2, part); }

// Replaces the height and width in the header of the frame.
std::string with_size(std::string bytes, const std::string& height, const std::string& width) {
  const std::size_t frame = std::min(bytes.find("\xff\xc0\0"s), bytes.find("\xff\xc2\0"s));
  return bytes.replace(frame + 5, 4, height + width);
}

}  // namespace

TEST_CASE("a JPEG is read in grey and in colours, baseline and progressive") {
  const Picture grey = picture(jpeg("grey"));
  CHECK((grey.height == 2 && grey.width == 3));
  CHECK(forties(grey) == std::vector{1, 2, 3, 4, 5, 6});
  for (const char* name : {"colours", "progressive"}) {
    INFO(name);
    const Picture squares = picture(jpeg(name));
    REQUIRE((squares.height == 8 && squares.width == 16));
    for (std::size_t i = 0; i < squares.rgb.size(); ++i) {
      const std::size_t bright = i / 3 % 16 < 8 ? 0 : 2;  // red, then blue
      CHECK(std::abs(squares.rgb[i] - (i % 3 == bright ? 255 : 0)) <= 2);
    }
  }
}

TEST_CASE("a JPEG whose Adobe marker says RGB is read without a conversion of its colours") {
  std::string rgb = jpeg("colours");
  rgb.erase(rgb.find("\xff\xe0"s), 18);  // JFIF allows only YCbCr
  const Picture read = picture(inserted(rgb, marker('\xee', "Adobe\0\x64\0\0\0\0\0"s)));
  REQUIRE((read.height == 8 && read.width == 16));
  const std::vector<int> red{76, 85, 255}, blue{29, 255, 107};  // in YCbCr
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(std::abs(read.rgb[i] - red[i]) <= 2);
    CHECK(std::abs(read.rgb[read.rgb.size() - 3 + i] - blue[i]) <= 2);
  }
}

TEST_CASE("a JPEG with an orientation is rotated upright") {
  const auto exif = [](char value) {
    return marker('\xe1', "Exif\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0"s + value + "\0\0\0\0\0\0\0"s);
  };
  CHECK(forties(picture(inserted(jpeg("grey"), exif(1)))) == std::vector{1, 2, 3, 4, 5, 6});
  CHECK(forties(picture(inserted(jpeg("grey"), exif(3)))) == std::vector{6, 5, 4, 3, 2, 1});
  const Picture turned = picture(inserted(jpeg("grey"), marker('\xe1', "http://ns.adobe.com/xap"s) + exif(6)));
  CHECK((turned.height == 3 && turned.width == 2));
  CHECK(forties(turned) == std::vector{4, 1, 5, 2, 6, 3});
  for (const std::string& none : {""s, "Exif"s, "Exif\0\0"s, "Exif\0\0II*\0\xff\xff\xff\xff"s})
    CHECK(picture(inserted(jpeg("grey"), marker('\xe1', none))).width == 3);
}

TEST_CASE("a JPEG that is cut short anywhere is refused") {
  for (const char* name : {"grey", "colours", "progressive"}) {
    const std::string whole = jpeg(name);
    for (std::size_t n = 3; n < whole.size(); ++n) {
      INFO(name << " " << n);
      CHECK_THAT(refused(whole.substr(0, n)),
                 Contains("the JPEG file is cut short after " + std::to_string(n) + " bytes. Copy the file again"));
      CHECK(kind_of(whole.substr(0, n)) == ErrorKind::damaged_file);
    }
  }
}

TEST_CASE("a damaged JPEG is refused or read, and never ends the program") {
  for (const char* name : {"grey", "colours", "progressive", "cmyk"}) {
    const std::string whole = jpeg(name);
    for (std::size_t i = 3; i < whole.size(); ++i)
      for (const int bits : {1, 0x80, 0xff}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ bits);
        try {
          const Picture read = parse_jpeg(damaged, "p");
          CHECK(read.rgb.size() == read.height * read.width * 3);
        } catch (const Error& error) {
          CHECK_THAT(error.what(), StartsWith("p: "));
        }
      }
  }
  const std::string grey = jpeg("grey");
  CHECK_THAT(refused("\xff\xd8\xff\xd8"s), Contains("the JPEG file is damaged: ") && Contains("Copy the file again"));
  CHECK_THAT(refused("\xff\xd8\xff\xd9"s), Contains("the JPEG file is damaged: "));  // no picture
  std::string tables = grey;
  tables.erase(tables.find("\xff\xdb"s), 69);  // the quantisation table
  CHECK_THAT(refused(tables), Contains("the JPEG file is damaged: Quantization table 0x00 was not defined. Copy"));
  // A wrong restart marker loses pixels.
  std::string restarts = jpeg("colours");
  restarts.replace(restarts.find("\xff\xd0"s), 2, "\xff\xd4"s);
  CHECK_THAT(refused(restarts), Contains("the JPEG file is damaged: Corrupt JPEG data: "));
}

TEST_CASE("bytes at the end of a JPEG and a newer JFIF are accepted") {
  std::string padded = jpeg("grey");
  CHECK(forties(picture(padded + "thumbnails")) == std::vector{1, 2, 3, 4, 5, 6});
  CHECK(forties(picture(padded.insert(padded.size() - 2, 4, '\0'))) == std::vector{1, 2, 3, 4, 5, 6});
  std::string newer = jpeg("grey");
  newer[newer.find("JFIF") + 5] = 9;
  CHECK(forties(picture(newer)) == std::vector{1, 2, 3, 4, 5, 6});
}

TEST_CASE("the size of a JPEG is checked before memory is allocated") {
  for (const char* name : {"grey", "progressive"}) {
    INFO(name);
    const std::string whole = jpeg(name);
    CHECK_THAT(refused(with_size(whole, "\x40\1"s, "\0\1"s)), Contains("1 x 16385 pixels, but at most 16384 per side"));
    CHECK_THAT(refused(with_size(whole, "\0\1"s, "\x40\1"s)), Contains("16385 x 1 pixels, but at most 16384 per side"));
    CHECK_THAT(refused(with_size(whole, "\x40\0"s, "\x40\0"s)), Contains("64000000 together are allowed. Make the"));
    CHECK_THAT(refused(with_size(whole, "\xff\xff"s, "\xff\xff"s)), Contains("65535 x 65535 pixels, but at most"));
    CHECK_THAT(refused(with_size(whole, "\0\0"s, "\0\5"s)), Contains("5 x 0 pixels has no pixels"));
    CHECK_THAT(refused(with_size(whole, "\0\5"s, "\0\0"s)), Contains("0 x 5 pixels has no pixels"));
    CHECK_THAT(refused(with_size(whole, "\x1f\x40"s, "\x1f\x40"s)), Contains("Copy the file again"));  // few bytes
  }
}

TEST_CASE("a JPEG of a kind that libjpeg cannot show is refused with a way to convert it") {
  CHECK_THAT(refused(jpeg("cmyk"), "cat.jpg"),
             StartsWith("the JPEG file has CMYK colours, which are for printing, but the pixels must be grey or RGB. "
                        "Convert it, for example with ImageMagick: convert /") &&
                 Contains("/cat.jpg -auto-orient ") && EndsWith("/cat.png"));
  CHECK(kind_of(jpeg("cmyk")) == ErrorKind::unsupported_format);
  std::string ycck = jpeg("cmyk");
  ycck[ycck.find("Adobe") + 11] = 2;  // the transform
  CHECK_THAT(refused(ycck), StartsWith("the JPEG file has CMYK colours, which are for printing"));
  const std::string two = "\xff\xd8"s + marker('\xc0', "\x08\0\x08\0\x08\x02\x01\x11\0\x02\x11\0"s) +
                          marker('\xda', "\x02\x01\0\x02\0\0\x3f\0"s) + "\xff\xd9"s;
  CHECK_THAT(refused(two), StartsWith("the JPEG file has 2 unknown colours per pixel, but the pixels must be grey or "
                                      "RGB. Convert it"));
  std::string deep = jpeg("grey");
  deep[deep.find("\xff\xc0\0"s) + 4] = 12;  // bits per value
  CHECK_THAT(refused(deep), StartsWith("libjpeg cannot read this kind of JPEG: Unsupported JPEG data precision 12. "
                                       "Convert it, for example with"));
  std::string lossless = jpeg("grey");
  lossless[lossless.find("\xff\xc0\0"s) + 1] = '\xc3';
  CHECK_THAT(refused(lossless), StartsWith("libjpeg cannot read this kind of JPEG: Unsupported JPEG process"));
}

TEST_CASE("a JPEG with very many scans is refused") {
  // 8 x 8 grey pixels, all 128. After the scan of the mean, two scans refine each of `n` coefficients. They are all 0.
  const auto with_coefficients = [](int n) {
    const std::string grey = jpeg("grey");
    const std::string code = "\x01"s + std::string(16, '\0');  // one symbol, 0, with the code 0
    std::string bytes = "\xff\xd8"s + grey.substr(grey.find("\xff\xdb"s), 69) +
                        marker('\xc2', "\x08\0\x08\0\x08\x01\x01\x11\0"s) + marker('\xc4', "\0"s + code) +
                        marker('\xc4', "\x10"s + code);
    const auto scan = [&](int coefficient, char bits) {
      const char k = static_cast<char>(coefficient);
      bytes += marker('\xda', "\x01\x01\0"s + k + k + bits) + "\x7f"s;
    };
    scan(0, 0);
    for (int k = 1; k <= n; ++k) {
      scan(k, 1);
      scan(k, 0x10);
    }
    return bytes + "\xff\xd9"s;
  };
  const Picture even = picture(with_coefficients(49));
  CHECK(even.rgb == std::vector<std::uint8_t>(192, 128));
  CHECK_THAT(refused(with_coefficients(63)),
             StartsWith("the JPEG file has more than 100 scans. Convert it, for example"));
}
