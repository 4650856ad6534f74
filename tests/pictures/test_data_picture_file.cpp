// Pictures from files: all kinds that can be read, and the messages for other files.
#include <stdexcept>

#include "data/pictures/picture_file.h"
#include "data/pictures/shapes.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/pictures/png_chunks.h"

using namespace softalign;

namespace {

using namespace data;
using namespace std::string_literals;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using testing::big_endian;
using testing::chunk;
using testing::deflated;
using testing::header_of_png;
using testing::png_of;
using testing::user_error;
using Values = std::vector<std::uint8_t>;

Values values(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_picture(folder.file("p", bytes)).rgb;
}

// The error message without the file name, with which it starts.
std::string refused(const std::string& bytes, const std::string& name = "p") {
  const TemporaryFolder folder;
  const std::string path = folder.file(name, bytes);
  const std::string said = user_error([&] { read_picture(path); });
  REQUIRE_THAT(said, StartsWith(path + ": "));
  return said.substr(path.size() + 2);
}

const std::string one_pixel = png_of(1, 1, 8, 2, "\0\x0a\x14\x1e"s);

}  // namespace

TEST_CASE("a PNG is read back unchanged, even with one pixel") {
  autograd::Random random(1);
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {1, 9}, {7, 1}, {40, 33}}) {
    const Picture picture = noisy_ground(height, width, random);
    const TemporaryFolder folder;
    const Picture read = read_picture(folder.file("p.png", png(picture)));
    CHECK((read.height == height && read.width == width && read.rgb == picture.rgb));
  }
}

TEST_CASE("every kind of PNG is converted to 8-bit RGB") {
  CHECK(values(one_pixel) == Values{10, 20, 30});
  CHECK(values(png_of(2, 1, 8, 0, "\0\x07\xff"s)) == Values{7, 7, 7, 255, 255, 255});       // grey
  CHECK(values(png_of(9, 1, 1, 0, "\0\x80\x80"s)).at(24) == 255);                           // one bit
  CHECK(values(png_of(2, 1, 4, 0, "\0\x1f"s)) == Values{17, 17, 17, 255, 255, 255});        // four bits
  CHECK(values(png_of(1, 1, 16, 0, "\0\x80\x80"s)) == Values{128, 128, 128});               // sixteen bits
  CHECK(values(png_of(1, 1, 16, 2, "\0\x0a\x0a\x14\x14\x1e\x9d"s)) == Values{10, 20, 30});  // 30.49 is rounded down
  CHECK(values(png_of(1, 1, 16, 2, "\0\0\0\xff\xff\x1e\x9f"s)) == Values{0, 255, 31});      // 30.5 is rounded up
  const std::string palette = chunk("PLTE", "\x01\x02\x03\xff\x80\x40"s);
  CHECK(values(png_of(2, 1, 8, 3, "\0\x01\0"s, palette)) == Values{255, 128, 64, 1, 2, 3});
  CHECK(values(png_of(2, 1, 2, 3, "\0\x40"s, palette)) == Values{255, 128, 64, 1, 2, 3});
}

TEST_CASE("transparent pixels become white") {
  CHECK(values(png_of(3, 1, 8, 6, "\0\x0a\x14\x1e\xff\x0a\x14\x1e\0\0\0\0\x80"s)) ==
        Values{10, 20, 30, 255, 255, 255, 127, 127, 127});
  CHECK(values(png_of(2, 1, 8, 4, "\0\x0a\0\x64\xff"s)) == Values{255, 255, 255, 100, 100, 100});
  CHECK(values(png_of(1, 1, 16, 6, "\0\0\0\0\0\0\0\x80\x80"s)) == Values{127, 127, 127});
  const std::string palette = chunk("PLTE", "\x01\x02\x03"s) + chunk("tRNS", "\0"s);
  CHECK(values(png_of(1, 1, 8, 3, "\0\0"s, palette)) == Values{255, 255, 255});
  CHECK(values(png_of(2, 1, 8, 0, "\0\x07\x08"s, chunk("tRNS", "\0\x07"s))) == Values{255, 255, 255, 8, 8, 8});
}

TEST_CASE("a PNG with an orientation is rotated upright") {
  // The picture has 3 x 2 grey pixels. The expected rows follow the Exif standard, which defines where row 0 and column
  // 0 are shown.
  const auto seen = [](const std::string& exif, bool behind = false) {
    const std::string rows = "\0\1\2\3\0\4\5\6"s, before = behind ? "" : chunk("eXIf", exif);
    std::string bytes = png_of(3, 2, 8, 0, rows, before);
    if (behind) bytes.insert(bytes.size() - 12, chunk("eXIf", exif));
    const TemporaryFolder folder;
    const Picture read = read_picture(folder.file("p", bytes));
    std::vector<int> greys;
    for (size_t i = 0; i < read.rgb.size(); i += 3) greys.push_back(read.rgb[i]);
    return std::pair{read.width, greys};
  };
  const auto big = [](char value) {
    return "MM\0*\0\0\0\x08\0\2\1\0\0\3\0\0\0\1\0\7\0\0\1\x12\0\3\0\0\0\1\0"s + value + "\0\0\0\0\0\0"s;
  };
  using Greys = std::vector<int>;
  const Greys upright{1, 2, 3, 4, 5, 6};
  const Greys expected[] = {upright,
                            {3, 2, 1, 6, 5, 4},
                            {6, 5, 4, 3, 2, 1},
                            {4, 5, 6, 1, 2, 3},
                            {1, 4, 2, 5, 3, 6},
                            {4, 1, 5, 2, 6, 3},
                            {6, 3, 5, 2, 4, 1},
                            {3, 6, 2, 5, 1, 4}};
  for (int k = 1; k <= 8; ++k)
    CHECK(seen(big(static_cast<char>(k))) == std::pair{size_t{k < 5 ? 3U : 2U}, expected[k - 1]});
  const std::string little = "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"s;
  CHECK(seen(little).second == expected[5]);
  CHECK(seen(little, true).second == expected[5]);
  for (const std::string& none : {""s, "MM"s, "II*\0\xff\xff\xff\xff"s, big(0), big(9), little.substr(0, 12),
                                  "Exif\0\0"s, "MM\0*\0\0\0\x08\xff\xff"s})
    CHECK(seen(none) == std::pair{size_t{3}, upright});
}

TEST_CASE("an interlaced PNG is read") {
  // Adam7 stores the first of 2 x 2 pixels, then the pixel on its right, then the second row.
  CHECK(values(png_of(2, 2, 8, 0, "\0\x01\0\x02\0\x03\x04"s, "", 1)) == Values{1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});
}

TEST_CASE("PPM and PGM are read with comments and any largest value") {
  CHECK(values("P6 1 2 255\n\x01\x02\x03\x04\x05\x06"s) == Values{1, 2, 3, 4, 5, 6});
  CHECK(values("P5 2 1 255 \x07\xff"s) == Values{7, 7, 7, 255, 255, 255});
  CHECK(values("P6# of mine\n1#x\n #y\n1\n255\n#\x01\x02"s) == Values{'#', 1, 2});
  CHECK(values("P5\r\n1\r\n1\r\n255\n\x09"s) == Values{9, 9, 9});
  CHECK(values("P5 3 1 1\n\0\1\1"s) == Values{0, 0, 0, 255, 255, 255, 255, 255, 255});
  CHECK(values("P5 2 1 100\n\x32\x01"s) == Values{128, 128, 128, 3, 3, 3});  // 127.5 and 2.55 are rounded
  CHECK(values("P5 2 1 65535\n\x80\x80\xff\xff"s) == Values{128, 128, 128, 255, 255, 255});
  CHECK(values("P6 1 1 256\n\x01\0\0\x80\0\0"s) == Values{255, 128, 0});  // 128 of 256 is 127.5, rounded up
}

TEST_CASE("a PNG that is cut short or damaged anywhere is refused") {
  const std::string whole = png(Picture{3, 4, Values(36, 9)});
  CHECK(values(whole) == Values(36, 9));
  for (size_t n = 8; n < whole.size(); ++n) CHECK_THAT(refused(whole.substr(0, n)), Contains("cut short"));
  for (size_t i = 8; i < whole.size(); ++i) {  // every damaged bit is found
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    CHECK_THAT(refused(damaged), Contains("Copy the file again"));
  }
  CHECK_THAT(refused(header_of_png(1, 1, 8, 2) + chunk("IEND", "")),
             Contains("0 bytes are too few for 1 x 1 pixels. Copy the file again"));
  CHECK_THAT(refused(png_of(2, 2, 8, 0, "\0\1\1"s)), Contains("damaged"));  // a row is missing
  CHECK_THAT(refused(png_of(1, 1, 8, 0, "\x09\1"s)), Contains("damaged"));  // there is no filter 9
  CHECK_THAT(refused(png_of(1, 1, 7, 0, "\0\1"s)), Contains("damaged"));    // there is no depth 7
  CHECK_THAT(refused(png_of(1, 1, 8, 3, "\0\1"s)), Contains("damaged"));    // the palette is missing
  CHECK_THAT(refused(one_pixel.substr(0, 8) + chunk("IEND", "")), Contains("does not begin with its size"));
  CHECK_THAT(refused(one_pixel.substr(0, 8) + chunk("IHDR", "\0\0\0\1\0\0\0\1\x08\2\0\0"s) + chunk("IEND", "")),
             Contains("does not begin with its size"));
  CHECK_THAT(refused(header_of_png(1, 1, 8, 0) + chunk("IDAT", "no zlib"s) + chunk("IEND", "")), Contains("damaged"));
}

TEST_CASE("sizes are checked before memory is allocated") {
  CHECK_THAT(refused(header_of_png(0, 5, 8, 2)), Contains("0 x 5 pixels"));
  CHECK_THAT(refused(header_of_png(5, 0, 8, 2)), Contains("5 x 0 pixels"));
  CHECK_THAT(refused(header_of_png(16385, 1, 8, 2)), Contains("16385 x 1 pixels, but at most 16384 per side and"));
  CHECK_THAT(refused(header_of_png(1, 16385, 8, 2)), Contains("1 x 16385 pixels"));
  CHECK_THAT(refused(header_of_png(16384, 16384, 8, 2)),
             Contains("per side and 64000000 together are allowed. Make the picture smaller"));
  CHECK_THAT(refused(header_of_png(0x7fffffff, 0x7fffffff, 16, 6)), Contains("at most 16384"));
  CHECK_THAT(refused(png_of(8000, 8000, 8, 6, "\0"s)),
             Contains("bytes are too few for 8000 x 8000 pixels. Copy the file again"));
  // A byte of zlib data unpacks to at most 1032 bytes. A row starts with one byte for its filter.
  for (const auto& [kind, values] : {std::pair{0, 1}, {2, 3}, {3, 1}, {4, 2}, {6, 4}}) {
    const auto most = static_cast<std::uint32_t>((8 * 1032 - 1) / values);
    const auto of_width = [&, kind = kind](std::uint32_t width) {
      return header_of_png(width, 1, 8, kind) + chunk("IDAT", "no zlib!") + chunk("IEND", "");
    };
    CHECK_THAT(refused(of_width(most)), !Contains("bytes are too few for"));
    CHECK_THAT(refused(of_width(most + 1)), Contains("8 bytes are too few for"));
  }
  CHECK_THAT(refused("P6 0 1 255\n"), Contains("0 x 1 pixels"));
  CHECK_THAT(refused("P6 99999999999 99999999999 255\n"), Contains("pixels, but at most 16384 per side and"));
  CHECK_THAT(refused("P6 4294967296 4294967296 255\n"), Contains("pixels, but at most 16384 per side and"));
  CHECK_THAT(refused("P6 8000 8000 255\n\1"), Contains("1 bytes of pixels, but 8000 x 8000"));
}

TEST_CASE("an invalid PPM is refused with the position and what is expected there") {
  CHECK_THAT(refused("P6"), Contains("byte 2: the width expected"));
  CHECK_THAT(refused("P6 x"), Contains("byte 3: the width expected"));
  CHECK_THAT(refused("P66 2 255\n"), Contains("byte 3: white space before the width expected"));
  CHECK_THROWS_WITH(
      parse_netpbm("P", "p"),
      "p: the file is a Netpbm picture of the form P?, but only P5 and P6 can be read. Convert it with pnmtopng");
  CHECK_THAT(refused("P6 3 # no end"), Contains("the height expected"));
  CHECK_THAT(refused("P6 3 -1 255\n"), Contains("the height expected"));
  CHECK_THAT(refused("P6 3 99999999999999999999 255\n"), Contains("the height expected"));
  CHECK_THAT(refused("P5 1 1 255"), Contains("white space behind the largest value"));
  CHECK_THAT(refused("P5 1 1 255x"), Contains("white space behind the largest value"));
  CHECK_THAT(refused("P5 1 1 0\n\1"), Contains("the largest value is 0, but it must be from 1 to 65535"));
  CHECK_THAT(refused("P5 1 1 65536\n\1\1"), Contains("the largest value is 65536"));
  CHECK_THAT(refused("P5 2 2 255\n\1\1\1"),
             Contains("3 bytes of pixels, but 2 x 2 greys need 4; the file is cut short"));
  CHECK_THAT(refused("P6 1 1 300\n\1\1\1"), Contains("1 x 1 colours of two bytes need 6"));
  CHECK_THAT(refused("P5 1 1 255\n\1\1"),
             Contains("2 bytes of pixels, but 1 x 1 greys need 1; a file must have only one picture"));
  CHECK_THAT(refused("P5 1 1 100\n\x65"), Contains("a pixel has the value 101, but the largest value is 100"));
  for (const char* form : {"P1 1 1 0", "P2 1 1 255 0", "P3 1 1 255 0 0 0", "P4 1 1\n1", "P7\nWIDTH 1"})
    CHECK_THAT(refused(form), Contains("but only P5 and P6 can be read. Convert it with pnmtopng"));
}

TEST_CASE("errors name an unsupported picture format") {
  CHECK_THAT(refused(""), Contains("empty; the file must be PNG, JPEG, PPM or PGM"));
  CHECK_THAT(refused("GIF89a", "cat.gif"),
             Contains("GIF") && Contains("Convert it") && Contains("cat.gif -auto-orient ") && EndsWith("/cat.png"));
  const std::string gif = "GIF89a";  // the file is not overwritten, whatever its name
  CHECK_THAT(refused(gif, "x.png"), Contains("x.png -auto-orient ") && EndsWith("/x-converted.png"));
  const TemporaryFolder both;
  both.file("x.png", "of somebody else");
  both.file("x-converted.png", "too");
  CHECK_THAT(user_error([&] { read_picture(both.file("x.gif", gif)); }), EndsWith("/x-converted-2.png"));
  CHECK_THAT(refused("RIFF\x10\0\0\0WEBPVP8 "s), Contains("WebP"));
  CHECK_THAT(refused("BM1234"), Contains("BMP"));
  CHECK_THAT(refused("II*\0"s), Contains("TIFF"));
  CHECK_THAT(refused("<svg xmlns="), Contains("SVG"));
  for (const char* bytes : {"P", "P!", "x", "a cat\tun chat\n", "\x89PN", "PNG"})
    CHECK_THAT(refused(bytes), Contains("no picture; the file must be PNG, JPEG, PPM or PGM"));
  const TemporaryFolder folder;
  CHECK_THAT(user_error([&] { read_picture(folder.file("none.png")); }), Contains("none.png: No such file"));
  CHECK_THAT(user_error([&] { read_picture(folder.path.string()); }), Contains("it is a folder"));
  std::filesystem::resize_file(folder.file("large", "P6"), 1'000'000'000);
  CHECK_THAT(user_error([&] { read_picture(folder.file("large")); }),
             Contains("the file has 1000000000 bytes, which is more than"));
}

// Pictures are scaled: each pixel becomes the mean of the pixels that it covers.

namespace {

using namespace data;
using Values = std::vector<std::uint8_t>;

// A grey picture repeats each value three times.
Picture grey(size_t height, size_t width, const Values& values) {
  Picture picture{height, width, {}};
  for (const std::uint8_t v : values) picture.rgb.insert(picture.rgb.end(), 3, v);
  return picture;
}

}  // namespace

TEST_CASE("resizing to the same size changes nothing") {
  autograd::Random random(1);
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {5, 8}, {24, 24}}) {
    const Picture picture = noisy_ground(height, width, random), same = scaled(picture, height, width);
    CHECK((same.height == height && same.width == width && same.rgb == picture.rgb));
  }
}

TEST_CASE("a smaller picture has the means of the covered pixels") {
  CHECK(scaled(grey(2, 2, {0, 10, 20, 31}), 1, 1).rgb == grey(1, 1, {15}).rgb);  // 15.25 is rounded
  CHECK(scaled(grey(2, 2, {0, 10, 20, 32}), 1, 1).rgb == grey(1, 1, {16}).rgb);  // 15.5 is rounded
  CHECK(scaled(grey(1, 4, {0, 4, 100, 104}), 1, 2).rgb == grey(1, 2, {2, 102}).rgb);
  CHECK(scaled(grey(4, 1, {0, 4, 100, 104}), 2, 1).rgb == grey(2, 1, {2, 102}).rgb);
  // Two pixels replace three, so each covers one and a half: (2 * 30 + 60) / 3, (60 + 2 * 90) / 3.
  CHECK(scaled(grey(1, 3, {30, 60, 90}), 1, 2).rgb == grey(1, 2, {40, 80}).rgb);
  CHECK(scaled({1, 2, {0, 100, 200, 10, 110, 250}}, 1, 1).rgb == Values{5, 105, 225});  // each colour separately
}

TEST_CASE("a larger picture repeats its pixels and mixes them at their borders") {
  CHECK(scaled(grey(1, 2, {10, 20}), 2, 4).rgb == grey(2, 4, {10, 10, 20, 20, 10, 10, 20, 20}).rgb);
  CHECK(scaled(grey(1, 2, {10, 20}), 1, 3).rgb == grey(1, 3, {10, 15, 20}).rgb);
}

TEST_CASE("resizing keeps a single colour and the mean") {
  const Picture white = grey(100, 70, Values(7000, 255));
  for (const auto& [height, width] : {std::pair<size_t, size_t>{1, 1}, {33, 64}, {99, 71}})
    CHECK(scaled(white, height, width).rgb == Values(height * width * 3, 255));
  autograd::Random random(2);
  const Picture noise = noisy_ground(48, 48, random);
  size_t sum = 0;
  for (const std::uint8_t v : noise.rgb) sum += v;
  const Picture one = scaled(noise, 1, 1);
  CHECK(static_cast<double>(one.rgb[0] + one.rgb[1] + one.rgb[2]) / 3 ==
        Approx(static_cast<double>(sum) / static_cast<double>(noise.rgb.size())).margin(1));
}

TEST_CASE("a picture without pixels is refused") {
  CHECK_THROWS_AS(scaled({}, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(scaled(grey(1, 1, {1}), 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(scaled(grey(1, 1, {1}), 1, 0), std::invalid_argument);
}
