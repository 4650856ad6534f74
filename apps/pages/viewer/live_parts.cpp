#include "apps/pages/viewer/live_parts.h"

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "data/corpus/pharaoh.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/gzip.h"
#include "data/io/json.h"
#include "data/io/safetensors.h"
#include "data/io/shipped.h"

namespace softalign::apps {

namespace {

using Json = nlohmann::ordered_json;

std::string packed(std::string_view bytes) {
  const std::string small = data::gzip(bytes);
  return base64({reinterpret_cast<const std::uint8_t*>(small.data()), small.size()});
}

// Files makes a part that contains files (live_parts.h).
class Files {
 public:
  void add(std::string_view name, std::string_view content) {
    for (const std::string_view part : {name, content}) {
      for (int byte = 0; byte < 4; ++byte) bytes_ += static_cast<char>(part.size() >> (8 * byte) & 255);
      bytes_ += part;
    }
  }
  std::string pack() const { return packed(bytes_); }

 private:
  std::string bytes_;
};

// Returns the folder with softalign.js and softalign.wasm: build-wasm in the project's folder.
std::filesystem::path module_folder() {
  for (const std::filesystem::path& project : {data::program_folder().parent_path(), std::filesystem::path()}) {
    const std::filesystem::path folder = project / "build-wasm";
    if (data::exists((folder / "softalign.js").string()) && data::exists((folder / "softalign.wasm").string()))
      return folder;
  }
  throw data::Error(data::ErrorKind::missing_file,
                    "--live: the engine for browsers has not been built. In the project's folder, run `.ci/wasm.sh "
                    "module` (about 10 minutes), then call view again from this folder");
}

// An element <script> ends at the first "</script". A string of JavaScript can have "<\/script" in its place.
std::string as_element(std::string script) {
  for (std::size_t at = 0; (at = script.find("</script", at)) != script.npos; at += 2) script.insert(at + 1, "\\");
  return script;
}

std::string run_files(const RunFolder& folder) {
  Files files;
  for (const std::string& path : {folder.config(), folder.source_vocab(), folder.target_vocab(), folder.target_case()})
    if (data::exists(path)) files.add(std::filesystem::path(path).filename().string(), data::read_bytes(path));
  for (const std::string& path : {folder.model(), folder.alignment_layer()})
    if (data::exists(path))
      files.add(std::filesystem::path(path).filename().string(), data::in_half_precision(data::read_safetensors(path)));
  return files.pack();
}

constexpr std::size_t pairs_to_train = 3000, pairs_to_validate = 100, words_per_side = 12;

// Returns the options of the run with a model that learns these pairs in half a minute.
std::string small_model(const std::string& config) {
  Json options = Json::parse(config);
  const Json smaller = {{"threads", 1},         {"data", "corpus"},  {"embedding", 32},    {"hidden", 48},
                        {"attention-size", 48}, {"readout", 32},     {"feed-forward", 96}, {"layers", 1},
                        {"batch", 16},          {"batch-tokens", 0}, {"epochs", 8},        {"restarts", 0},
                        {"warmup", 0},          {"track", 4},        {"align", false},     {"gradient-accumulation", 1},
                        {"patience", 0},        {"keep-epochs", 0},  {"save-every", 0},    {"one-based", false},
                        {"swap-sides", false}};
  for (const auto& [name, value] : smaller.items())
    if (options.contains(name)) options[name] = value;
  for (const char* file :
       {"train", "valid", "source", "target", "alignment", "valid-source", "valid-target", "valid-alignment"})
    if (options.contains(file)) options[file] = "";
  return options.dump(2) + "\n";
}

// Returns the first short pairs of a corpus as a TSV file.
std::string corpus_file(const CorpusFiles& files, const TrainOptions& options, std::size_t most) {
  std::string text;
  std::size_t count = 0;
  for (const data::Pair& pair : read_corpus(files, options, words_per_side, data::TooLong::drop).pairs) {
    if (count == most) break;
    text += pair.source_line + "\t" + pair.target_line;
    if (pair.gold) text += "\t" + data::format_gold(data::gold_over_words(pair));
    text += "\n";
    ++count;
  }
  if (count == 0)
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("no pair of the corpus has at most {} words per side", words_per_side));
  return text;
}

std::string lesson_files(const TrainOptions& options, const std::string& config) {
  Files files;
  files.add("run/config.json", small_model(config));
  files.add("corpus/train.tsv", corpus_file(training_files(options), options, pairs_to_train));
  files.add("corpus/valid.tsv", corpus_file(validation_files(options), options, pairs_to_validate));
  return files.pack();
}

}  // namespace

LiveParts live_parts(const std::string& run) {
  const RunFolder folder{run};
  std::string config;
  const TrainOptions options = read_config(folder, config);
  if (cuts_into_subwords(options))
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("--live: {} has subwords, which the engine for browsers cannot read. Remove --live, or "
                    "train with: train --tokenizer words",
                    run));
  const std::filesystem::path module = module_folder();
  LiveParts parts;
  parts.glue = as_element(data::read_bytes((module / "softalign.js").string()));
  parts.engine = packed(data::read_bytes((module / "softalign.wasm").string()));
  parts.run = run_files(folder);
  parts.task = autograd::name_of(options.task);
  if (options.task != models::Task::translation) return parts;
  try {
    parts.lesson = lesson_files(options, config);
  } catch (const std::exception& error) {
    parts.note = fmt::format("the page cannot train a model, because its corpus cannot be read: {}", error.what());
  }
  return parts;
}

std::string live_policy(const LiveParts& parts) {
  return fmt::format(" {} 'wasm-unsafe-eval'; worker-src blob:", policy_hash(parts.glue));
}

std::string live_elements(const LiveParts& parts, std::string_view json) {
  const auto bytes = [](std::string_view id, const std::string& content) {
    return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id, content);
  };
  return fmt::format("<script id=\"live-glue\">{}</script>\n", parts.glue) + bytes("live-engine", parts.engine) +
         bytes("live-data", packed(json)) + bytes("live-run", parts.run) + bytes("live-lesson", parts.lesson) +
         fmt::format("<script type=\"text/plain\" id=\"live-task\">{}</script>\n", parts.task);
}

}  // namespace softalign::apps
