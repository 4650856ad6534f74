#include "models/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <type_traits>

#include "data/io/error.h"
#include "data/io/half.h"
#include "data/io/safetensors.h"
#include "data/io/unicode.h"

namespace softalign::models {
namespace {

using autograd::Array;
using autograd::Real;
using autograd::Shape;

const std::string format_name = "softalign checkpoint";
const std::string format_version = "1";
const std::string training_prefix = "training/";

std::string_view bytes_of(const void* data, std::size_t size) { return {static_cast<const char*>(data), size}; }

// float_bytes returns the numbers of the array as float32. They are in the memory of the array, or in a copy that
// `converted` keeps.
std::string_view float_bytes(const Array& array, std::deque<std::vector<float>>& converted) {
  if constexpr (std::is_same_v<Real, float>) {
    return bytes_of(array.data(), array.size() * sizeof(float));
  } else {
    converted.emplace_back(array.data(), array.data() + array.size());
    return bytes_of(converted.back().data(), array.size() * sizeof(float));
  }
}

Array read_array(const data::TensorView& tensor, const std::string& path) {
  if (tensor.shape.size() > Shape::max_rank)
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("{}: tensor {} has {} axes, but at most {} are possible", path, tensor.name,
                                  tensor.shape.size(), Shape::max_rank));
  Array array(Shape(std::vector<std::size_t>(tensor.shape.begin(), tensor.shape.end())));
  const char* from = tensor.bytes.data();
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (tensor.dtype == data::Dtype::f16) {
      std::uint16_t half = 0;
      std::memcpy(&half, from + i * sizeof half, sizeof half);
      array[i] = data::from_half(half);
    } else {
      float value = 0;
      std::memcpy(&value, from + i * sizeof value, sizeof value);
      array[i] = value;
    }
  }
  return array;
}

std::int64_t read_counter(const data::TensorView& tensor, const std::string& path) {
  std::int64_t value = 0;
  if (!tensor.shape.empty())
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("{}: the integer {} has shape ({}) instead of a single number", path, tensor.name,
                                  fmt::join(tensor.shape, ", ")));
  std::memcpy(&value, tensor.bytes.data(), sizeof value);
  return value;
}

const std::string& metadata_entry(const data::Safetensors& contents, const std::string& key, const std::string& path) {
  const auto entry = contents.metadata.find(key);
  if (entry == contents.metadata.end())
    throw data::Error(data::ErrorKind::unsupported_format,
                      fmt::format("{}: this safetensors file has no \"{}\" in its metadata, so train did not write it. "
                                  "Use a checkpoint that train wrote",
                                  path, key));
  return entry->second;
}

void check_format(const data::Safetensors& contents, const std::string& path) {
  const std::string& format = metadata_entry(contents, "format", path);
  if (format != format_name)
    throw data::Error(data::ErrorKind::unsupported_format,
                      fmt::format("{}: its format is {}, expected \"{}\"", path, data::in_quotes(format), format_name));
  const std::string& version = metadata_entry(contents, "version", path);
  if (version != format_version)
    throw data::Error(data::ErrorKind::unsupported_format,
                      fmt::format("{}: the checkpoint has version {}, but this program reads version {}. Use the "
                                  "program that wrote the checkpoint, or train again",
                                  path, version, format_version));
  metadata_entry(contents, "checksum", path);  // must exist; data/io/safetensors.cpp has verified it
}

// list returns, for example, "a, b, c and 7 more".
std::string list(const std::vector<std::string>& names) {
  const std::size_t most = 3;
  const std::size_t shown = names.size() > most + 1 ? most : names.size();
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + static_cast<long>(shown), ", "));
  return shown == names.size() ? text : fmt::format("{} and {} more", text, names.size() - shown);
}

using ByName = std::map<std::string, Array>;
ByName by_name(const NamedArrays& arrays) {
  ByName map;
  for (const auto& [name, array] : arrays) map.emplace(name, array);
  return map;
}

// only_in returns "name (2, 3)" for each array of `a` that `b` does not contain.
std::vector<std::string> only_in(const ByName& a, const ByName& b) {
  std::vector<std::string> names;
  for (const auto& [name, array] : a)
    if (!b.contains(name)) names.push_back(name + " " + to_string(array.shape()));
  return names;
}

}  // namespace

NamedArrays named_arrays(const autograd::Params& params) {
  NamedArrays arrays;
  for (const autograd::Parameter& p : params.all()) arrays.push_back({p.name, p.var.mutable_value()});
  return arrays;
}

void save_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  data::Safetensors contents;
  contents.metadata = {{"format", format_name},
                       {"version", format_version},
                       {"config", checkpoint.config},
                       {"source_vocabulary", checkpoint.source_hash},
                       {"target_vocabulary", checkpoint.target_hash}};
  if (!checkpoint.examples.empty()) contents.metadata["examples"] = checkpoint.examples;
  std::deque<std::vector<float>> converted;
  const auto add = [&](const std::string& prefix, const NamedArrays& arrays) {
    for (const auto& [name, array] : arrays)
      contents.tensors.push_back({prefix + name,
                                  data::Dtype::f32,
                                  {array.shape().begin(), array.shape().end()},
                                  float_bytes(array, converted)});
  };
  // The 8-byte numbers come first, so that the position of every number in the file is a multiple of its size.
  for (const auto& [name, value] : checkpoint.counters)
    contents.tensors.push_back({training_prefix + name, data::Dtype::i64, {}, bytes_of(&value, sizeof value)});
  add("", checkpoint.parameters);
  add(training_prefix, checkpoint.training);
  data::write_safetensors(path, contents);
}

Checkpoint load_checkpoint(const std::string& path) {
  const data::Safetensors contents = data::read_safetensors(path);
  check_format(contents, path);
  Checkpoint checkpoint;
  checkpoint.path = path;
  checkpoint.config = metadata_entry(contents, "config", path);
  checkpoint.source_hash = metadata_entry(contents, "source_vocabulary", path);
  checkpoint.target_hash = metadata_entry(contents, "target_vocabulary", path);
  if (const auto examples = contents.metadata.find("examples"); examples != contents.metadata.end())
    checkpoint.examples = examples->second;
  for (const data::TensorView& tensor : contents.tensors) {
    const bool training = tensor.name.starts_with(training_prefix);
    const std::string name = training ? tensor.name.substr(training_prefix.size()) : tensor.name;
    if (tensor.dtype == data::Dtype::i64) checkpoint.counters[name] = read_counter(tensor, path);
    else (training ? checkpoint.training : checkpoint.parameters).push_back({name, read_array(tensor, path)});
  }
  return checkpoint;
}

std::string problem_of_format(const std::string& path) {
  try {
    const data::Safetensors contents = data::read_safetensors(path);
    const auto format = contents.metadata.find("format");
    return format != contents.metadata.end() && format->second == format_name ? ""
                                                                              : "train did not write this checkpoint";
  } catch (const std::exception& error) {
    return error.what();
  }
}

void check_vocabularies(const Checkpoint& checkpoint, const std::string& source_hash, const std::string& target_hash) {
  const auto check = [&](const char* side, const std::string& saved, const std::string& given) {
    if (saved != given)
      throw data::Error(data::ErrorKind::damaged_file,
                        fmt::format("{}: the model was trained with the {} vocabulary {}, but this vocabulary is {}. "
                                    "Use the file {}.vocab of the same training",
                                    checkpoint.path, side, saved, given, side));
  };
  check("source", checkpoint.source_hash, source_hash);
  check("target", checkpoint.target_hash, target_hash);
}

std::string first_not_finite(const NamedArrays& arrays) {
  const auto found =
      std::find_if(arrays.begin(), arrays.end(), [](const NamedArray& a) { return !all_finite(a.array); });
  return found == arrays.end() ? "" : found->name;
}

void restore(const std::string& path, const NamedArrays& saved, const NamedArrays& live) {
  const ByName from = by_name(saved), into = by_name(live);
  const char* hint = ". Build the model with the configuration of its training (config.json)";
  const std::vector<std::string> missing = only_in(into, from), unknown = only_in(from, into);
  if (!missing.empty() || !unknown.empty())
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format("{}: {}{}{}{}{}{}", path, missing.empty() ? "" : "the file lacks these parameters of the model: ",
                    list(missing), missing.empty() || unknown.empty() ? "" : "; ",
                    unknown.empty() ? "" : "the model lacks these parameters of the file: ", list(unknown), hint));
  for (const auto& [name, array] : into)
    if (!(from.at(name).shape() == array.shape()))
      throw data::Error(data::ErrorKind::damaged_file,
                        fmt::format("{}: {} is {} in the file and {} in the model{}", path, name,
                                    to_string(from.at(name).shape()), to_string(array.shape()), hint));
  for (auto [name, array] : into) std::copy_n(from.at(name).data(), array.size(), array.data());
}

}  // namespace softalign::models
