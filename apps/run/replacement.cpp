#include "apps/run/replacement.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "apps/run/kept_epochs.h"
#include "apps/run/train_options.h"
#include "data/io/files.h"
#include "models/checkpoint.h"
#include "models/config.h"

namespace apps {

namespace fs = std::filesystem;
using data::exists;

namespace {

std::string away(const RunFolder& folder) { return folder.file("replaced"); }
// While files are moved; whole, it is renamed to the other.
std::string moving(const RunFolder& folder) { return folder.file("replaced.part"); }

void move_to(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  fs::rename(from, to);
}

void bring_back(const RunFolder& folder) {
  if (exists(away(folder))) {
    for (const std::string& name : run_files(folder))
      if (folder.file(name) != folder.diverged()) fs::remove_all(folder.file(name));  // that is what was in its way
    fs::rename(away(folder), moving(folder));
  }
  if (!exists(moving(folder))) return;
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(moving(folder)))
    if (!entry.is_directory()) files.push_back(entry.path());
  for (const fs::path& file : files) move_to(file, folder.path / file.lexically_relative(moving(folder)));
  fs::remove_all(moving(folder));
}

// A training's state, or a model that no training wrote (average).
bool has_begun(const RunFolder& folder) {
  return exists(folder.last()) || (exists(folder.model()) && !exists(folder.metrics()));
}

// What a folder may hold while it counts as empty.
bool is_empty(const RunFolder& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path))
    if (entry.path() != folder.lock()) return false;
  return true;
}

[[noreturn]] void refuse(const RunFolder& folder, const std::string& file, const std::string& reason) {
  throw std::runtime_error(
      fmt::format("--out {}: {} is not of a run of ours ({}), so --force does not replace it; name another folder",
                  folder.path, file, reason));
}

void check_ours(const RunFolder& folder) {
  const std::vector<std::string> files = run_files(folder);
  if (files.empty()) return;
  if (!exists(folder.config())) refuse(folder, folder.file(files.front()), "there is no config.json beside it");
  try {
    TrainOptions options;
    models::read_config(table(options), data::read_bytes(folder.config()), folder.config());
  } catch (const std::exception& error) {
    refuse(folder, folder.config(), error.what());
  }
  const std::vector<std::string> names = models::names_in_config(data::read_bytes(folder.config()), folder.config());
  if (std::find(names.begin(), names.end(), "model") == names.end())
    refuse(folder, folder.config(), "it names no \"model\"");
  if (exists(folder.reverse().config())) check_ours(folder.reverse());
  for (const std::string& name : files)
    if (name.ends_with(".safetensors"))
      if (const std::string problem = models::problem_of_format(folder.file(name)); !problem.empty())
        refuse(folder, folder.file(name), problem);
}

}  // namespace

std::vector<std::string> run_files(const RunFolder& folder) {
  std::vector<std::string> paths{folder.config(),        folder.model(),         folder.last(),
                                 folder.source_vocab(),  folder.target_vocab(),  folder.source_pieces(),
                                 folder.target_pieces(), folder.target_case(),   folder.metrics(),
                                 folder.timing(),        folder.history(),       folder.alignments(),
                                 folder.beam(),          folder.interventions(), folder.diverged()};
  for (const std::size_t epoch : kept_epochs(folder)) paths.push_back(epoch_file(folder, epoch));
  std::vector<std::string> names;
  for (const std::string& path : paths)
    if (exists(path)) names.push_back(fs::path(path).filename().string());
  if (exists(folder.reverse().config()))
    for (const std::string& name : run_files(folder.reverse()))
      names.push_back(fs::path(folder.reverse().path).filename() / name);
  return names;
}

void recover(const RunFolder& folder) {
  if (exists(away(folder)) && has_begun(folder)) fs::remove_all(away(folder));
  bring_back(folder);
  data::remove_leftovers(folder.path);
}

void make_folder(const RunFolder& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(folder.path, error);
  if (fs::exists(status) && !fs::is_directory(status))
    throw std::runtime_error(fmt::format("--out {}: this is a file; name a folder", folder.path));
  fs::create_directories(folder.path, error);
  if (error)
    throw std::runtime_error(fmt::format("--out {}: cannot make the folder: {}", folder.path, error.message()));
}

void check_replaceable(const RunFolder& folder, bool force) {
  if (is_empty(folder)) return;
  if (!force)
    throw std::runtime_error(fmt::format(
        "--out {}: the folder exists and is not empty; --resume goes on with its training, --force replaces it",
        folder.path));
  check_ours(folder);
}

Replacement::Replacement(const RunFolder& folder) : folder_(folder) {
  const std::vector<std::string> names = run_files(folder);
  if (names.empty()) return;
  fs::create_directory(moving(folder));
  for (const std::string& name : names) move_to(folder.file(name), fs::path(moving(folder)) / name);
  std::error_code holds_more;
  fs::remove(folder.reverse().path, holds_more);
  fs::rename(moving(folder), away(folder));
}

Replacement::~Replacement() {
  if (done_) return;
  try {
    recover(folder_);
  } catch (const std::exception&) {  // the next program that writes to the folder tries again
  }
}

void Replacement::done() {
  if (!done_) fs::remove_all(away(folder_));
  done_ = true;
}

}  // namespace apps
