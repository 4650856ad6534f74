#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

#include "data/io/files.h"
#include "data/io/safetensors.h"
#include "models/checkpoint.h"
#include "tests/catch.h"
#include "tests/error_kind.h"
#include "tests/folders.h"
#include "tests/temporary.h"

using namespace softalign;
using autograd::Array;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using autograd::Shape;
using models::Checkpoint;
using models::NamedArrays;

namespace {

void uniform(Array& array, Random& random) {
  for (Real& v : array.span()) v = static_cast<Real>(random.uniform() - 0.5);
}

Params example_params(std::uint64_t seed) {
  const Params params{Random(seed)};
  (params / "encoder" / "forward").declare("W", {3, 4}, uniform);
  (params / "encoder" / "forward").declare("b", {4}, uniform);
  params.declare("scale", {}, uniform);
  (params / "decoder").declare("v", {2, 1, 2}, uniform);
  return params;
}

Checkpoint example(const Params& params) {
  return {.config = "{\"hidden\": 128,\n \"data\": \"données\"}\n",
          .source_hash = "0123456789abcdef",
          .target_hash = "fedcba9876543210",
          .parameters = models::named_arrays(params),
          .training = {{"adam/m/scale", Array::scalar(Real(0.5))}, {"adam/v/x", Array({2}, {Real(1), Real(2)})}},
          .counters = {{"step", 41},
                       {"best_loss", std::bit_cast<std::int64_t>(0.1)},
                       {"lowest", std::numeric_limits<std::int64_t>::min()}},
          .path = ""};
}

void check_equal(const NamedArrays& a, const NamedArrays& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].name == b[i].name);
    REQUIRE(a[i].array.shape() == b[i].array.shape());
    for (std::size_t j = 0; j < a[i].array.size(); ++j)
      CHECK(static_cast<float>(a[i].array[j]) == static_cast<float>(b[i].array[j]));
  }
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  char block[4096];
  while (const std::size_t got = std::fread(block, 1, sizeof block, pipe)) output.append(block, got);
  REQUIRE(::pclose(pipe) == 0);
  return output;
}

}  // namespace

TEST_CASE("checkpoint: the model, the training state and the counters are read back") {
  const TemporaryFolder folder;
  const std::string path = folder.file("last.safetensors");
  const Checkpoint saved = example(example_params(1));
  models::save_checkpoint(path, saved);
  const Checkpoint loaded = models::load_checkpoint(path);
  CHECK(loaded.config == saved.config);
  CHECK(loaded.source_hash == saved.source_hash);
  CHECK(loaded.target_hash == saved.target_hash);
  CHECK(loaded.counters == saved.counters);
  CHECK(std::bit_cast<double>(loaded.counters.at("best_loss")) == 0.1);
  CHECK(loaded.path == path);
  check_equal(loaded.parameters, saved.parameters);
  check_equal(loaded.training, saved.training);
}

TEST_CASE("checkpoint: saving, loading and saving give the same bytes") {
  const TemporaryFolder folder;
  models::save_checkpoint(folder.file("a"), example(example_params(1)));
  models::save_checkpoint(folder.file("b"), models::load_checkpoint(folder.file("a")));
  CHECK(data::read_bytes(folder.file("a")) == data::read_bytes(folder.file("b")));
}

TEST_CASE("checkpoint: parameters of 16 bits are read with rounding") {
  const TemporaryFolder folder;
  const Params params = example_params(1);
  models::save_checkpoint(folder.file("full.safetensors"), example(params));
  put_file(folder.file("half.safetensors"),
           data::in_half_precision(data::read_safetensors(folder.file("full.safetensors"))));
  const Checkpoint full = models::load_checkpoint(folder.file("full.safetensors"));
  const Checkpoint half = models::load_checkpoint(folder.file("half.safetensors"));
  CHECK(half.config == full.config);
  REQUIRE(half.parameters.size() == full.parameters.size());
  bool differs = false;
  for (std::size_t i = 0; i < full.parameters.size(); ++i) {
    REQUIRE(half.parameters[i].array.shape() == full.parameters[i].array.shape());
    for (std::size_t j = 0; j < full.parameters[i].array.size(); ++j) {
      const Real exact = full.parameters[i].array[j], rounded = half.parameters[i].array[j];
      CHECK(std::abs(rounded - exact) <= std::abs(exact) / 2048);
      differs = differs || rounded != exact;
    }
  }
  CHECK(differs);
}

TEST_CASE("checkpoint: restoring copies into the model's own parameters") {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  const Params trained = example_params(1), fresh = example_params(2);
  models::save_checkpoint(path, example(trained));
  REQUIRE(fresh.all()[0].var.value()[0] != trained.all()[0].var.value()[0]);
  const Checkpoint loaded = models::load_checkpoint(path);
  models::restore(path, loaded.parameters, models::named_arrays(fresh));
  check_equal(models::named_arrays(fresh), models::named_arrays(trained));
}

TEST_CASE("checkpoint: a short Python script reads every parameter by name") {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  const Params params = example_params(3);
  models::save_checkpoint(path, example(params));
  std::istringstream lines(
      output_of(testing::python() + " -B " + testing::source_folder() + "/tests/models/read_safetensors.py " + path));

  std::map<std::string, std::string> found;  // name -> rest of the line
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name, rest;
    words >> name;
    if (name == "#") words >> name;
    std::getline(words >> std::ws, rest);
    found[name] = rest;
  }
  CHECK(found.at("config") == R"("{\"hidden\": 128,\n \"data\": \"données\"}\n")");
  CHECK(found.at("source_vocabulary") == "\"0123456789abcdef\"");
  CHECK(found.at("training/step") == "I64 - 41");
  CHECK(found.at("training/adam/v/x") == "F32 2 1.0 2.0");
  for (const autograd::Parameter& p : params.all()) {
    INFO(p.name);
    std::istringstream words(found.at(p.name));
    std::string dtype, shape;
    words >> dtype >> shape;
    CHECK(dtype == "F32");
    const Shape& wanted = p.var.shape();
    CHECK(shape == (wanted.rank() ? fmt::format("{}", fmt::join(wanted.begin(), wanted.end(), "x")) : "-"));
    double number = 0;
    for (const Real value : p.var.value().span()) {
      REQUIRE(words >> number);
      CHECK(number == static_cast<double>(static_cast<float>(value)));
    }
    CHECK_FALSE(words >> number);
  }
}

TEST_CASE("checkpoint: an error names a missing, renamed or differently shaped parameter, and nothing is copied") {
  const NamedArrays model = {{"a", Array({2}, Real(1))}, {"b", Array({2, 3}, Real(1))}};
  const auto message = [&](const NamedArrays& saved) {
    return message_of([&] { models::restore("run/model.safetensors", saved, model); });
  };
  const NamedArrays a = {{"a", Array({2}, Real(5))}};
  CHECK_THAT(message(a),
             Catch::StartsWith("run/model.safetensors: the file lacks these parameters of the model: b (2, 3). Build"));
  CHECK_THAT(message({a[0], {"c", Array({2, 3}, Real(5))}}),
             Catch::Contains("the file lacks these parameters of the model: b (2, 3); the model lacks these parameters "
                             "of the file: c (2, 3)"));
  CHECK_THAT(message({a[0], model[1], {"c", Array({1}, Real(5))}}),
             Catch::Contains(": the model lacks these parameters of the file: c (1). Build the model with"));
  CHECK_THAT(message({a[0], {"b", Array({3, 2}, Real(5))}}),
             Catch::Contains("b is (3, 2) in the file and (2, 3) in the model"));
  CHECK(model[0].array[0] == 1);
  NamedArrays many;
  for (char name = 'p'; name < 'v'; ++name) many.push_back({std::string(1, name), Array({1}, Real(0))});
  CHECK_THAT(message(many), Catch::Contains("of the file: p (1), q (1), r (1) and 3 more"));
  many.resize(5);
  CHECK_THAT(message(many), Catch::Contains("of the file: p (1), q (1), r (1) and 2 more"));
  many.resize(4);
  CHECK_THAT(message(many), Catch::Contains("of the file: p (1), q (1), r (1), s (1). "));
}

TEST_CASE("checkpoint: another vocabulary is refused with both hashes") {
  Checkpoint checkpoint = example(example_params(1));
  checkpoint.path = "run/model.safetensors";
  CHECK_NOTHROW(models::check_vocabularies(checkpoint, "0123456789abcdef", "fedcba9876543210"));
  CHECK_THAT(
      message_of([&] { models::check_vocabularies(checkpoint, "0123456789abcdef", "00"); }),
      Catch::StartsWith("run/model.safetensors: the model was trained with the target vocabulary fedcba9876543210, but "
                        "this vocabulary is 00. Use the file target.vocab of the same training"));
  CHECK_THAT(message_of([&] { models::check_vocabularies(checkpoint, "00", "fedcba9876543210"); }),
             Catch::Contains("the source vocabulary 0123456789abcdef"));
}

TEST_CASE("checkpoint: other safetensors files and other versions are refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("other.safetensors");
  const std::map<std::string, std::string> good = {{"format", "softalign checkpoint"},
                                                   {"version", "1"},
                                                   {"config", ""},
                                                   {"source_vocabulary", ""},
                                                   {"target_vocabulary", ""}};
  const std::string numbers(80, '0');
  const auto message = [&](const std::map<std::string, std::string>& metadata,
                           const std::vector<data::TensorView>& tensors) {
    data::write_safetensors(path, {metadata, tensors, nullptr});
    return message_of([&] { models::load_checkpoint(path); });
  };
  CHECK(message(good, {}) == "no error");
  CHECK(models::problem_of_format(path).empty());
  for (const auto& [key, text] : good) {
    auto lacking = good;
    lacking.erase(key);
    CHECK_THAT(message(lacking, {}), Catch::Contains("has no \"" + key + "\" in its metadata"));
  }
  auto other = good;
  other["version"] = "2";
  CHECK_THAT(message(other, {}), Catch::Contains("the checkpoint has version 2, but this program reads version 1"));
  other["format"] = "something else";
  CHECK_THAT(message(other, {}), Catch::Contains("format is \"something else\", expected \"softalign checkpoint\""));
  CHECK(models::problem_of_format(path) == "train did not write this checkpoint");
  CHECK_THAT(message(good, {{"W", data::Dtype::f32, {1, 1, 5, 2, 2}, numbers}}), Catch::Contains("W has 5 axes"));
  CHECK_THAT(message(good, {{"training/step", data::Dtype::i64, {10}, numbers}}),
             Catch::Contains("the integer training/step has shape (10) instead of a single number"));

  // A file without its checksum is valid safetensors, but not a valid checkpoint.
  message(good, {});
  std::string bytes = data::read_bytes(path);
  bytes.replace(bytes.find("checksum"), 8, "checksun");
  data::write_file(path, bytes);
  CHECK_THAT(message_of([&] { models::load_checkpoint(path); }),
             Catch::Contains("has no \"checksum\" in its metadata"));
}

TEST_CASE("checkpoint: every flipped bit and every lost byte is noticed") {
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  models::save_checkpoint(path, example(example_params(1)));
  std::string bytes = data::read_bytes(path);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const char mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] ^= mask;
    put_file(path, bytes);
    INFO("bit " << bit);
    CHECK_THAT(message_of([&] { models::load_checkpoint(path); }), Catch::StartsWith(path + ": "));
    bytes[bit / 8] ^= mask;
  }
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    put_file(path, bytes.substr(0, length));
    INFO("length " << length);
    CHECK_THAT(message_of([&] { models::load_checkpoint(path); }), Catch::StartsWith(path + ": "));
  }
}

TEST_CASE("checkpoint: errors name a missing file and an unwritable path") {
  CHECK_THAT(message_of([] { models::load_checkpoint("no/such/model.safetensors"); }),
             Catch::Contains("no/such/model.safetensors"));
  CHECK_THAT(message_of([] { models::save_checkpoint("no/such/model.safetensors", {}); }),
             Catch::Contains("no/such/model.safetensors"));
}

TEST_CASE("checkpoint: a damaged file, another format and another model have different kinds of errors") {
  using testing::kind_thrown;
  const TemporaryFolder folder;
  const std::string path = folder.file("model.safetensors");
  const Params params = example_params(1);
  models::save_checkpoint(path, example(params));
  const Checkpoint saved = models::load_checkpoint(path);
  const std::string whole = data::read_bytes(path);
  const auto kind_of_file = [&](const std::string& bytes) {
    return kind_thrown([&] { models::load_checkpoint(folder.file("changed", bytes)); });
  };
  CHECK(kind_of_file(whole) == "no error");
  CHECK(kind_of_file(whole.substr(0, whole.size() - 1)) == "damaged file");
  CHECK(kind_thrown([&] { models::load_checkpoint(folder.file("nowhere")); }) == "missing file");
  const auto kind_of_metadata = [&](const std::map<std::string, std::string>& metadata) {
    data::write_safetensors(folder.file("other"), {metadata, {}, nullptr});
    return kind_thrown([&] { models::load_checkpoint(folder.file("other")); });
  };
  CHECK(kind_of_metadata({}) == "unsupported format");
  CHECK(kind_of_metadata({{"format", "pt"}}) == "unsupported format");
  CHECK(kind_of_metadata({{"format", "softalign checkpoint"}, {"version", "2"}}) == "unsupported format");
  CHECK(kind_thrown([&] { models::check_vocabularies(saved, saved.source_hash, "0"); }) == "damaged file");
  CHECK(kind_thrown([&] { models::restore(path, saved.parameters, {}); }) == "damaged file");
}
