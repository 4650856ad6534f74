#include "data/io/safetensors.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/half.h"
#include "data/io/json.h"
#include "data/io/own_files.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of the tensors

static_assert(std::endian::native == std::endian::little, "the numbers are copied as they stand in memory");

constexpr std::size_t prefix_size = 8;             // the header's length
constexpr std::size_t header_limit = 100'000'000;  // the limit of the public library
constexpr std::string_view no_checksum = "00000000";

struct DtypeForm {
  Dtype dtype;
  const char* name;
  std::size_t size;  // bytes of a number
};
constexpr std::array<DtypeForm, 3> dtypes{{{Dtype::f32, "F32", 4}, {Dtype::f16, "F16", 2}, {Dtype::i64, "I64", 8}}};

const DtypeForm& form_of(Dtype dtype) {
  return *std::find_if(dtypes.begin(), dtypes.end(), [&](const DtypeForm& form) { return form.dtype == dtype; });
}
std::size_t item_size(Dtype dtype) { return form_of(dtype).size; }
const char* dtype_name(Dtype dtype) { return form_of(dtype).name; }

// find_checksum returns the position of the checksum's digits in a header. The match is really this entry, because
// quotes inside a JSON text would be escaped.
std::size_t find_checksum(std::string_view header, std::string_view digits) {
  const std::string entry = fmt::format("\"checksum\":\"{}\"", digits);
  const std::size_t at = header.find(entry);
  return at == std::string_view::npos ? at : at + entry.size() - digits.size() - 1;
}

// checksum_of returns the CRC-32 of all pieces in order, as digits.
std::string checksum_of(std::span<const std::string_view> pieces) {
  uLong crc = 0;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;  // zlib would start again at a null address
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  return fmt::format("{:08x}", crc);
}

// byte_count computes the number of bytes of a tensor of this shape. It returns false if the number does not fit into
// 64 bits.
bool byte_count(const std::vector<std::uint64_t>& shape, Dtype dtype, std::uint64_t& bytes) {
  bytes = item_size(dtype);
  return std::none_of(shape.begin(), shape.end(),
                      [&](std::uint64_t dim) { return __builtin_mul_overflow(bytes, dim, &bytes); });
}

// --- writing ---

void check_text(const std::string& text) {
  if (data::invalid_utf8(text)) throw std::invalid_argument("safetensors: a name or metadata text is not valid UTF-8");
}

// make_header returns the length and the JSON text. The digits of the checksum are still zeros.
std::string make_header(const Safetensors& contents) {
  Json metadata = Json::object();
  for (const auto& [key, text] : contents.metadata) {
    check_text(key);
    check_text(text);
    if (key == "checksum") throw std::invalid_argument("safetensors: the checksum is not given but computed");
    metadata[key] = text;
  }
  metadata["checksum"] = no_checksum;

  Json header = {{"__metadata__", metadata}};
  std::uint64_t offset = 0;
  for (const TensorView& tensor : contents.tensors) {
    check_text(tensor.name);
    if (header.contains(tensor.name))
      throw std::invalid_argument(fmt::format("safetensors: the name {} is taken", tensor.name));
    std::uint64_t bytes = 0;
    if (!byte_count(tensor.shape, tensor.dtype, bytes) || bytes != tensor.bytes.size())
      throw std::invalid_argument(fmt::format("safetensors: {} of {} ({}) has {} bytes", tensor.name,
                                              dtype_name(tensor.dtype), fmt::join(tensor.shape, ", "),
                                              tensor.bytes.size()));
    header[tensor.name] = {
        {"dtype", dtype_name(tensor.dtype)}, {"shape", tensor.shape}, {"data_offsets", {offset, offset + bytes}}};
    offset += bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

// pieces_of returns the parts of the file. `header` owns the first part.
std::vector<std::string_view> pieces_of(const Safetensors& contents, std::string& header) {
  header = make_header(contents);
  std::vector<std::string_view> pieces = {header};
  for (const TensorView& tensor : contents.tensors) pieces.push_back(tensor.bytes);
  header.replace(find_checksum(header, no_checksum), no_checksum.size(), checksum_of(pieces));
  return pieces;
}

// --- reading ---

class Reader {
 public:
  explicit Reader(const std::string& path)
      : path_(path), file_(std::make_shared<const std::string>(data::read_bytes(path))) {}

  Safetensors read() {
    const std::string_view header = find_header();
    numbers_ = std::string_view(*file_).substr(prefix_size + header.size());
    const Json json = parse(header);
    Safetensors contents;
    contents.file = file_;
    for (const auto& [name, entry] : json.items()) {
      if (name == "__metadata__") contents.metadata = read_metadata(entry);
      else contents.tensors.push_back(read_tensor(name, entry));
    }
    check_order(contents.tensors);
    check_checksum(header, contents.metadata);
    return contents;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::damaged_file,
                fmt::format("{}: {}. The file is damaged, or is not a checkpoint. Copy the file again, or train again",
                            path_, what));
  }
  [[noreturn]] void fail(const std::string& tensor, const std::string& what) const {
    fail(fmt::format("tensor {}: {}", Json(tensor).dump(), what));  // quoted: a damaged name may contain anything
  }

  std::string_view find_header() const {
    if (file_->size() < prefix_size)
      fail(fmt::format("the file has only {} bytes, but a safetensors file starts with 8 bytes of length",
                       file_->size()));
    std::uint64_t length = 0;
    std::memcpy(&length, file_->data(), sizeof length);
    const std::size_t most = std::min(file_->size() - prefix_size, header_limit);
    if (length > most)
      fail(fmt::format("the header should have {} bytes, but at most {} bytes are possible", length, most));
    const std::string_view header = std::string_view(*file_).substr(prefix_size, length);
    if (!header.starts_with('{')) fail("the header does not start with {");
    return header;
  }

  Json parse(std::string_view header) const {
    try {
      return parse_json(header, {.depth = 3, .names = 20000, .unique_names = true});
    } catch (const std::runtime_error& error) {
      fail(fmt::format("its header: {}", error.what()));
    }
  }

  std::map<std::string, std::string> read_metadata(const Json& entry) const {
    if (!entry.is_object()) fail("__metadata__ is not a JSON object");
    std::map<std::string, std::string> metadata;
    for (const auto& [key, text] : entry.items()) {
      if (!text.is_string()) fail(fmt::format("metadata {} is not a string", Json(key).dump()));
      metadata[key] = text.get<std::string>();
    }
    return metadata;
  }

  std::vector<std::uint64_t> read_counts(const std::string& name, const Json& entry, const char* key) const {
    const Json& list = entry.at(key);
    if (!list.is_array() ||
        !std::all_of(list.begin(), list.end(), [](const Json& n) { return n.is_number_unsigned(); }))
      fail(name, fmt::format("{} is {} instead of a list of whole numbers", key, list.dump()));
    return list.get<std::vector<std::uint64_t>>();
  }

  TensorView read_tensor(const std::string& name, const Json& entry) const {
    if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' '; }))
      fail(name, "its name contains a control character");  // in a message, it could look like lines of the program
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets"))
      fail(name, "it is not an object with dtype, shape and data_offsets");
    TensorView tensor;
    tensor.name = name;
    const Json& dtype = entry.at("dtype");
    const auto form = std::find_if(dtypes.begin(), dtypes.end(), [&](const DtypeForm& f) { return dtype == f.name; });
    if (form == dtypes.end()) fail(name, fmt::format("dtype {}, expected F32, F16 or I64", dtype.dump()));
    tensor.dtype = form->dtype;
    tensor.shape = read_counts(name, entry, "shape");

    const std::vector<std::uint64_t> offsets = read_counts(name, entry, "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > numbers_.size())
      fail(name, fmt::format("data_offsets are [{}], but must be begin and end within the {} bytes after the header",
                             fmt::join(offsets, ", "), numbers_.size()));
    std::uint64_t bytes = 0;
    if (!byte_count(tensor.shape, tensor.dtype, bytes) || bytes != offsets[1] - offsets[0])
      fail(name, fmt::format("{} of shape ({}) does not fit the {} bytes of its data_offsets", dtype_name(tensor.dtype),
                             fmt::join(tensor.shape, ", "), offsets[1] - offsets[0]));
    tensor.bytes = numbers_.substr(offsets[0], bytes);
    return tensor;
  }

  // The tensors must follow each other without gaps and fill the file.
  void check_order(std::vector<TensorView>& tensors) const {
    const auto range = [](const TensorView& t) { return std::pair(t.bytes.data(), t.bytes.size()); };
    std::stable_sort(tensors.begin(), tensors.end(),
                     [&](const TensorView& a, const TensorView& b) { return range(a) < range(b); });
    const char* end = numbers_.data();
    for (const TensorView& tensor : tensors) {
      if (tensor.bytes.data() != end)
        fail(tensor.name,
             fmt::format("its numbers start at byte {} instead of byte {}, where the numbers before them end",
                         tensor.bytes.data() - numbers_.data(), end - numbers_.data()));
      end += tensor.bytes.size();
    }
    const auto used = static_cast<std::size_t>(end - numbers_.data());
    if (used != numbers_.size())
      fail(fmt::format("{} bytes follow the header, but its tensors need {}", numbers_.size(), used));
  }

  void check_checksum(std::string_view header, const std::map<std::string, std::string>& metadata) const {
    const auto entry = metadata.find("checksum");
    if (entry == metadata.end()) return;
    const std::string& expected = entry->second;
    const std::size_t at = find_checksum(header, expected);
    if (at == std::string_view::npos || expected.size() != no_checksum.size()) fail("the checksum cannot be read");
    const std::string_view whole = *file_;
    const std::array pieces = {whole.substr(0, prefix_size + at), no_checksum,
                               whole.substr(prefix_size + at + expected.size())};
    const std::string found = checksum_of(pieces);
    if (found != expected)
      fail(fmt::format("its checksum is {}, but the checksum of its contents is {}", expected, found));
  }

  std::string path_;
  std::shared_ptr<const std::string> file_;
  std::string_view numbers_;  // the bytes after the header
};

}  // namespace

void write_safetensors(const std::string& path, const Safetensors& contents) {
  std::string header;
  const std::vector<std::string_view> pieces = pieces_of(contents, header);
  data::write_own_file(path, std::span<const std::string_view>(pieces));
}

std::string in_half_precision(const Safetensors& contents) {
  Safetensors halves{contents.metadata, contents.tensors, {}};
  halves.metadata.erase("checksum");
  std::deque<std::string> converted;
  for (TensorView& tensor : halves.tensors) {
    if (tensor.dtype != Dtype::f32) continue;
    std::string& bytes = converted.emplace_back(tensor.bytes.size() / 2, '\0');
    for (std::size_t i = 0; 2 * i < bytes.size(); ++i) {
      float value = 0;
      std::memcpy(&value, tensor.bytes.data() + 4 * i, sizeof value);
      const std::uint16_t half = to_half(value);
      std::memcpy(bytes.data() + 2 * i, &half, sizeof half);
    }
    tensor.dtype = Dtype::f16;
    tensor.bytes = bytes;
  }
  std::string header, file;
  for (const std::string_view piece : pieces_of(halves, header)) file += piece;
  return file;
}

Safetensors read_safetensors(const std::string& path) { return Reader(path).read(); }

}  // namespace softalign::data
