#include "apps/support/run_folder.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "apps/support/command_line.h"
#include "apps/support/kept_epochs.h"
#include "data/files.h"
#include "models/checkpoint.h"
#include "models/factory.h"

namespace apps {

namespace fs = std::filesystem;

void prepare(const RunFolder& folder, bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(folder.path, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw std::runtime_error(fmt::format("--out {}: this is a file; name a folder", folder.path));
  }
  if (fs::is_directory(status) && !fs::is_empty(folder.path, error) && !force) {
    throw std::runtime_error(fmt::format(
        "--out {}: the folder exists and is not empty; --resume goes on with its training, --force replaces it",
        folder.path));
  }
  fs::create_directories(folder.path, error);
  if (error)
    throw std::runtime_error(fmt::format("--out {}: cannot make the folder: {}", folder.path, error.message()));
  for (const std::string& file :
       {folder.last(), folder.model(), folder.config(), folder.source_vocab(), folder.target_vocab(), folder.metrics(),
        folder.timing(), folder.history(), folder.alignments()}) {
    fs::remove(file, error);
    if (error) throw std::runtime_error(fmt::format("cannot replace {}: {}", file, error.message()));
  }
  forget_epochs(folder, std::numeric_limits<std::size_t>::max());
}

Run make_run(TrainOptions options, const std::string& config, data::Vocabulary source, data::Vocabulary target) {
  options.model.source_vocabulary = source.size();
  options.model.target_vocabulary = target.size();
  autograd::Params params(autograd::Random(options.common.seed).split("parameters"));
  auto model = models::make_model(options.model, params);
  return {std::move(options), config, std::move(source), std::move(target), std::move(params), std::move(model)};
}

TrainOptions read_config(const RunFolder& folder, std::string& text) {
  text = data::read_bytes(folder.config());
  const auto values = nlohmann::json::parse(text, nullptr, false);
  if (values.is_discarded()) throw std::runtime_error(folder.config() + ": not JSON; it was damaged or is no run's");
  TrainOptions options;
  CommandLine line("train", "", {}, options.common);
  declare(line, options);
  line.read_json(values, folder.config());
  complete(options);
  return options;
}

Run load_run(const std::string& path) {
  const RunFolder folder{path};
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    throw std::runtime_error(fmt::format("--run {}: no such folder; name one that train has written (--out)", path));
  }
  if (!fs::exists(folder.model(), error)) {
    throw std::runtime_error(
        fmt::format("--run {}: no model.safetensors in it; has an epoch of its training ended?", path));
  }
  std::string config;
  TrainOptions options = read_config(folder, config);
  Run run = make_run(std::move(options), config, data::Vocabulary::load(folder.source_vocab()),
                     data::Vocabulary::load(folder.target_vocab()));
  const models::Checkpoint checkpoint = models::load_checkpoint(folder.model());
  models::check_vocabularies(checkpoint, run.source.hash(), run.target.hash());
  models::restore(folder.model(), checkpoint.parameters, models::named_arrays(run.params));
  return run;
}

}  // namespace apps
