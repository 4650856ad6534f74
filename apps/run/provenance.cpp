#include "apps/run/provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/run/corpus_files.h"
#include "autograd/random.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/json.h"

namespace softalign::apps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "softalign-provenance/1";

std::vector<std::string> names_of(const CorpusFiles& files) {
  std::vector<std::string> names;
  for (const std::string& name : {files.tsv, files.source, files.target, files.alignment})
    if (!name.empty()) names.push_back(name);
  return names;
}

Json json_of(const Provenance::Part& part) {
  return {{"files", part.files}, {"examples", part.examples}, {"hash", part.hash}};
}

Provenance::Part part_of(const Json& json) {
  return {json.at("files").get<std::vector<std::string>>(), json.at("examples").get<std::size_t>(),
          json.at("hash").get<std::string>()};
}

}  // namespace

std::string hash_of(const std::vector<data::Pair>& pairs) {
  autograd::Fnv1a hash;
  const auto add = [&](const data::Tokens& words) {
    hash.add(words.size());  // a word that moves from one side to the other changes the hash
    for (const std::string& word : words) hash.add(word.size()).add(word);
  };
  for (const data::Pair& pair : pairs) {
    add(pair.source);
    add(pair.target);
    add(pair.places);
    if (!pair.picture) continue;
    hash.add(pair.picture->height).add(pair.picture->width);
    for (const std::uint8_t value : pair.picture->rgb) hash.add(value);
  }
  return fmt::format("{:016x}", hash.value);
}

std::string provenance_file(const RunFolder& folder) { return folder.file("provenance.json"); }

Provenance make_provenance(const TrainOptions& options, const std::vector<data::Pair>& training,
                           const std::vector<data::Pair>& validation) {
  std::error_code unknown;
  return {fs::current_path(unknown).string(),
          {names_of(training_files(options)), training.size(), hash_of(training)},
          {names_of(validation_files(options)), validation.size(), hash_of(validation)}};
}

std::string to_json(const Provenance& provenance) {
  const Json json{{"schema", schema},
                  {"folder", provenance.folder},
                  {"training", json_of(provenance.training)},
                  {"validation", json_of(provenance.validation)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";  // file names need not be UTF-8
}

std::optional<Provenance> read_provenance(const RunFolder& folder) {
  const std::string file = provenance_file(folder);
  if (!data::exists(file)) return std::nullopt;
  try {
    const Json json = data::parse_json(data::read_bytes(file));
    if (json.at("schema") != schema)
      throw data::Error(data::ErrorKind::damaged_file,
                        fmt::format("the file does not contain \"schema\": \"{}\"", schema));
    return Provenance{json.at("folder").get<std::string>(), part_of(json.at("training")),
                      part_of(json.at("validation"))};
  } catch (const std::exception& error) {
    throw data::Error(
        data::kind_of(error, data::ErrorKind::damaged_file),
        fmt::format("{}: {}. Remove the file. The program then does not check which pairs the run was trained on", file,
                    data::json_problem(error)));
  }
}

void resolve_files(TrainOptions& options, const Provenance& provenance, const std::vector<std::string>& except) {
  const std::pair<const char*, std::string*> fields[] = {{"data", &options.data},
                                                         {"train", &options.train},
                                                         {"valid", &options.valid},
                                                         {"source", &options.source},
                                                         {"target", &options.target},
                                                         {"alignment", &options.alignment},
                                                         {"valid-source", &options.valid_source},
                                                         {"valid-target", &options.valid_target},
                                                         {"valid-alignment", &options.valid_alignment}};
  for (const auto& [name, path] : fields) {
    if (path->empty() || fs::path(*path).is_absolute() || provenance.folder.empty()) continue;
    if (std::find(except.begin(), except.end(), name) != except.end()) continue;
    const std::string meant = (fs::path(provenance.folder) / *path).string();
    std::error_code none;
    if (fs::exists(meant, none)) *path = meant;
  }
}

}  // namespace softalign::apps
