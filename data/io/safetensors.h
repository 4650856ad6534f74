// The format safetensors has named tensors and metadata in one file. Python reads it with a public library of this
// name.
//
//   8 bytes    length N of the header, little-endian
//   N bytes    header: a JSON object, padded with spaces so that the numbers start at a multiple of 8
//                {"__metadata__": {"key": "text", ..}, "name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0,
//                24]}, ..}
//   the rest   the numbers of every tensor, little-endian, row-major, one tensor after the other without a gap
//
// github.com/huggingface/safetensors describes the format in its README, section "Format".
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

enum class Dtype { f32, f16, i64 };

// A TensorView is a view of numbers that another object owns.
struct TensorView {
  std::string name;
  Dtype dtype = Dtype::f32;
  std::vector<std::uint64_t> shape;  // empty: a scalar
  std::string_view bytes;            // the numbers, row-major, as in the file
};

struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::vector<TensorView> tensors;          // tensors in the order of their numbers in the file
  std::shared_ptr<const std::string> file;  // the tensors of a file point into this text
};

// Writes a complete file with metadata and tensors, or nothing. It adds a "checksum" to the metadata: 8 hexadecimal
// digits of a CRC-32. The CRC-32 is computed from the file with zeros in place of these digits. Throws
// std::invalid_argument for a repeated or reserved name, for text that is not UTF-8, or for bytes that do not fit the
// shape. Reserved names are "__metadata__", and "checksum" in the metadata. Throws Error if the file cannot be written,
// or is a symbolic link.
void write_safetensors(const std::string& path, const Safetensors& contents);

// Returns the bytes of a file in which each 32-bit float is rounded to 16 bits (data/io/half.h). The file is half as
// large.
std::string in_half_precision(const Safetensors& contents);

// Reads a safetensors file with numbers of type F32, F16 and I64. It checks every length, offset, type, shape and name,
// and the checksum if there is one. Throws Error. The message names the file, the tensor, and the actual and expected
// values.
Safetensors read_safetensors(const std::string& path);

}  // namespace softalign::data
