#include <zlib.h>

#include <cstring>
#include <filesystem>

#include "data/io/files.h"
#include "data/io/half.h"
#include "data/io/safetensors.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;
using data::Dtype;
using data::Safetensors;
using data::TensorView;

namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string prefix(std::uint64_t length) { return bytes_of(std::vector<std::uint64_t>{length}); }
std::string file_of(const std::string& header, const std::string& numbers) {
  return prefix(header.size()) + header + numbers;
}

// The message of the error for these bytes. Reading them must fail.
std::string refusal(const TemporaryFolder& folder, const std::string& bytes) {
  const std::string path = folder.file("refused.safetensors");
  put_file(path, bytes);
  try {
    data::read_safetensors(path);
  } catch (const std::runtime_error& error) {
    REQUIRE(std::string(error.what()).starts_with(path + ": "));
    return error.what();
  }
  return "read without an error";
}

const std::string matrix_bytes = bytes_of<float>({1, -2.5f, 3e-8f, 4, 5, 6});
const std::string counter_bytes = bytes_of<std::int64_t>({-7});

Safetensors example() {
  return {.metadata = {{"note", "deux \"mots\"\nété \x01"}, {"empty", ""}},
          .tensors = {{"step", Dtype::i64, {}, counter_bytes},
                      {"encoder/W", Dtype::f32, {2, 3}, matrix_bytes},
                      {"nothing", Dtype::f32, {0, 3}, ""},
                      {"größe", Dtype::f32, {6}, matrix_bytes}},
          .file = nullptr};
}

std::string example_file(const TemporaryFolder& folder) {
  const std::string path = folder.file("example.safetensors");
  data::write_safetensors(path, example());
  return data::read_bytes(path);
}

}  // namespace

TEST_CASE("safetensors: written tensors are read back") {
  const TemporaryFolder folder;
  example_file(folder);
  const Safetensors read = data::read_safetensors(folder.file("example.safetensors"));
  const Safetensors wanted = example();
  REQUIRE(read.tensors.size() == wanted.tensors.size());
  for (std::size_t i = 0; i < wanted.tensors.size(); ++i) {
    CHECK(read.tensors[i].name == wanted.tensors[i].name);
    CHECK(read.tensors[i].dtype == wanted.tensors[i].dtype);
    CHECK(read.tensors[i].shape == wanted.tensors[i].shape);
    CHECK(read.tensors[i].bytes == wanted.tensors[i].bytes);
  }
  CHECK(read.metadata.at("note") == wanted.metadata.at("note"));
  CHECK(read.metadata.at("empty").empty());
  CHECK(read.metadata.size() == 3);  // the third is the checksum
}

TEST_CASE("safetensors: the bytes follow the format") {
  const TemporaryFolder folder;
  const std::string path = folder.file("small.safetensors"), numbers = bytes_of<float>({1, 2});
  data::write_safetensors(path, {{{"note", "hi"}}, {{"a", Dtype::f32, {2}, numbers}}, nullptr});
  const auto header = [](const std::string& checksum) {
    return R"({"__metadata__":{"note":"hi","checksum":")" + checksum +
           R"("},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})" + std::string(7, ' ');
  };
  REQUIRE(header("00000000").size() % 8 == 0);
  const std::string zeros = file_of(header("00000000"), numbers);
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(zeros.data()), zeros.size());
  const std::string checksum = fmt::format("{:08x}", crc);
  CHECK(data::read_bytes(path) == file_of(header(checksum), numbers));
}

TEST_CASE("safetensors: an empty tensor without an address may be between others") {
  const TemporaryFolder folder;
  const std::string path = folder.file("file.safetensors"), numbers = bytes_of<float>({1, 2});
  data::write_safetensors(
      path,
      {{}, {{"a", Dtype::f32, {2}, numbers}, {"b", Dtype::f32, {0}, {}}, {"c", Dtype::f32, {2}, numbers}}, nullptr});
  CHECK(data::read_safetensors(path).tensors.size() == 3);
}

TEST_CASE("safetensors: a file may have no tensors or no metadata") {
  const TemporaryFolder folder;
  const std::string path = folder.file("file.safetensors");
  data::write_safetensors(path, {});
  CHECK(data::read_safetensors(path).tensors.empty());
  put_file(path, file_of(R"({"a":{"shape":[1],"dtype":"F32","data_offsets":[0,4]}}  )", bytes_of<float>({2})));
  const Safetensors foreign = data::read_safetensors(path);
  CHECK(foreign.metadata.empty());
  CHECK(foreign.tensors.at(0).bytes == bytes_of<float>({2}));
}

TEST_CASE("safetensors: a file that is too short or too long is refused at every length") {
  const TemporaryFolder folder;
  const std::string whole = example_file(folder);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    CHECK(refusal(folder, whole.substr(0, length)) != "read without an error");
  }
  CHECK_THAT(refusal(folder, whole + '\0'), Catch::Contains("bytes follow the header, but its tensors need 56"));
}

TEST_CASE("safetensors: damage outside a checksum is an error or stays inside the file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("damaged.safetensors");
  std::string bytes = file_of(R"({"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)"
                              R"("b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}})",
                              std::string(16, 'x'));
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const char mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] ^= mask;
    put_file(path, bytes);
    bytes[bit / 8] ^= mask;
    try {
      const Safetensors read = data::read_safetensors(path);
      std::size_t size = 0;
      for (const TensorView& tensor : read.tensors) {
        size += tensor.bytes.size();
        CHECK(tensor.bytes.data() >= read.file->data());
        CHECK(tensor.bytes.data() + tensor.bytes.size() <= read.file->data() + read.file->size());
      }
      CHECK(size == 16);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  CHECK(refused > bytes.size() * 8 / 2);
}

TEST_CASE("safetensors: the message names the error of a header") {
  const TemporaryFolder folder;
  const auto tensor = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return R"({"W":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
  };
  const auto [header, numbers, message] = GENERATE_COPY(table<std::string, std::string, std::string>({
      {"", "", "does not start with {"},
      {"[1]", "", "does not start with {"},
      {R"({"W")", "", "not JSON"},
      {"{} x", "", "not JSON"},
      {"{\"\xff\":1}", "", "not JSON"},
      {R"({"W":{"W":{"W":{"W":{}}}}})", "", "nested too deeply"},
      {R"({"W":1})", "", R"(tensor "W": it is not an object with dtype, shape and data_offsets)"},
      {R"({"W\nerror: none":{}})", "", R"(tensor "W\nerror: none": its name contains a control character)"},
      {R"({"W":{"dtype":"F32","shape":[]}})", "", "it is not an object with dtype, shape and data_offsets"},
      {R"({"W":{"dtype":"F32","shape":[0],"data_offsets":[0,0],"more":1}})", "",
       "it is not an object with dtype, shape and data_offsets"},
      {R"({"__metadata__":[]})", "", "__metadata__ is not a JSON object"},
      {R"({"__metadata__":{"n":1}})", "", R"(metadata "n" is not a string)"},
      {R"({"__metadata__":{"n":"1","n":"1"}})", "", R"(the name "n" occurs twice)"},
      {R"({"__metadata__":{"checksum": "12345678"}})", "", "the checksum cannot be read"},
      {R"({"__metadata__":{"checksum":"x"}})", "", "the checksum cannot be read"},
      {R"({"__metadata__":{"checksum":"12345678"}})", "",
       "its checksum is 12345678, but the checksum of its contents is"},
      {tensor(R"("BF16")", "[2]", "[0,4]"), "1234", R"(tensor "W": dtype "BF16", expected F32, F16 or I64)"},
      {tensor("7", "[1]", "[0,4]"), "1234", "dtype 7, expected F32, F16 or I64"},
      {tensor(R"("F32")", "1", "[0,4]"), "1234", "shape is 1 instead of a list of whole numbers"},
      {tensor(R"("F32")", "[-1]", "[0,4]"), "1234", "shape is [-1] instead of a list"},
      {tensor(R"("F32")", "[1.0]", "[0,4]"), "1234", "shape is [1.0] instead of a list"},
      {tensor(R"("F32")", "[99999999999999999999]", "[0,4]"), "1234", "instead of a list of whole numbers"},
      {tensor(R"("F32")", "[1e999]", "[0,4]"), "1234", "not JSON"},
      {tensor(R"("F32")", "[4611686018427387905]", "[0,4]"), "1234", "does not fit the 4 bytes of its data_offsets"},
      {tensor(R"("F32")", "[2]", "[0,4]"), "1234", "F32 of shape (2) does not fit the 4 bytes of its data_offsets"},
      {tensor(R"("I64")", "[1]", "[0,4]"), "1234", "I64 of shape (1) does not fit the 4 bytes of its data_offsets"},
      {tensor(R"("F32")", "[1]", "[0]"), "1234", "data_offsets are [0], but must be begin and end within the"},
      {tensor(R"("F32")", "[1]", "[4,0]"), "1234",
       "data_offsets are [4, 0], but must be begin and end within the 4 bytes after the header"},
      {tensor(R"("F32")", "[1]", "[1,5]"), "1234",
       "data_offsets are [1, 5], but must be begin and end within the 4 bytes after the header"},
      {tensor(R"("F32")", "[1]", "[4,8]"), "12345678", R"(tensor "W": its numbers start at byte 4 instead of byte 0)"},
      {tensor(R"("F32")", "[1]", "[0,4]"), "12345678", "8 bytes follow the header, but its tensors need 4"},
      {R"({"W":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"W":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
       "12345678", R"(the name "W" occurs twice)"},
      {R"({"W":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
       "123456789012", R"(tensor "b": its numbers start at byte 4 instead of byte 8)"},
  }));
  INFO(header);
  CHECK_THAT(refusal(folder, file_of(header, numbers)), Catch::Contains(message));
}

TEST_CASE("safetensors: a header that is longer than the file or the limit is refused before it is read") {
  const TemporaryFolder folder;
  CHECK_THAT(refusal(folder, "1234"), Catch::Contains("4 bytes, but a safetensors file starts with 8 bytes of length"));
  CHECK_THAT(refusal(folder, prefix(3) + "{}"),
             Catch::Contains("the header should have 3 bytes, but at most 2 bytes are possible"));
  CHECK_THAT(refusal(folder, prefix(~std::uint64_t{0}) + "{}"),
             Catch::Contains("bytes, but at most 2 bytes are possible"));
  const std::uint64_t huge = 100'000'001;
  CHECK_THAT(refusal(folder, prefix(huge) + std::string(huge, ' ')),
             Catch::Contains("bytes, but at most 100000000 bytes are possible"));
}

TEST_CASE("safetensors: misuse when writing is refused and leaves no file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("never.safetensors");
  const TensorView good{"W", Dtype::f32, {1}, "1234"};
  const auto refuses = [&](Safetensors contents) {
    CHECK_THROWS_AS(data::write_safetensors(path, contents), std::invalid_argument);
  };
  refuses({{}, {good, good}, nullptr});
  refuses({{}, {{"__metadata__", Dtype::f32, {1}, "1234"}}, nullptr});
  refuses({{}, {{"W\xff", Dtype::f32, {1}, "1234"}}, nullptr});
  refuses({{}, {{"W", Dtype::f32, {2}, "1234"}}, nullptr});
  refuses({{}, {{"W", Dtype::i64, {1}, "1234"}}, nullptr});
  refuses({{}, {{"W", Dtype::f32, {std::uint64_t{1} << 62, 1}, ""}}, nullptr});
  refuses({{{"note", "\xc3"}}, {good}, nullptr});
  refuses({{{"note\xc3", "text"}}, {good}, nullptr});
  refuses({{{"checksum", "12345678"}}, {good}, nullptr});
  CHECK(std::filesystem::is_empty(folder.path));
  CHECK_THROWS_AS(data::write_safetensors(folder.file("no/such/folder"), {}), std::runtime_error);
}

TEST_CASE("half: the standard's examples are correct, and all numbers are read back") {
  const std::vector<std::pair<float, unsigned>> known = {
      {0.F, 0x0000},       {-0.F, 0x8000},      {1.F, 0x3c00},       {-2.F, 0xc000},      {0.1F, 0x2e66},
      {65504.F, 0x7bff},   {65519.F, 0x7bff},   {65520.F, 0x7c00},   {-1e9F, 0xfc00},     {0x1p-14F, 0x0400},
      {0x1p-24F, 0x0001},  {0x1p-25F, 0x0000},  {0x1.8p-24F, 0x0002}, {0x1.002p0F, 0x3c00}, {0x1.006p0F, 0x3c02},
      {0x1.ffep-15F, 0x0400}};
  for (const auto& [number, bits] : known) {
    INFO(number);
    CHECK(data::to_half(number) == bits);
  }
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float number = data::from_half(static_cast<std::uint16_t>(bits));
    if (!std::isnan(number)) REQUIRE(data::to_half(number) == bits);
  }
  CHECK(std::isnan(data::from_half(data::to_half(NAN))));
}

TEST_CASE("safetensors: in half precision floats take 2 bytes, and the rest is unchanged") {
  const TemporaryFolder folder;
  example_file(folder);
  const std::string small = data::in_half_precision(data::read_safetensors(folder.file("example.safetensors")));
  put_file(folder.file("small.safetensors"), small);
  const Safetensors read = data::read_safetensors(folder.file("small.safetensors"));
  CHECK(read.metadata.at("note") == example().metadata.at("note"));
  REQUIRE(read.tensors.size() == 4);
  CHECK(read.tensors[0].bytes == counter_bytes);
  CHECK(read.tensors[1].dtype == Dtype::f16);
  CHECK(read.tensors[1].shape == std::vector<std::uint64_t>{2, 3});
  CHECK(read.tensors[1].bytes == bytes_of<std::uint16_t>({0x3c00, 0xc100, 0x0001, 0x4400, 0x4500, 0x4600}));
  std::string damaged = small;
  damaged.back() ^= 1;
  CHECK_THAT(refusal(folder, damaged), Catch::Contains("its checksum is"));
}
