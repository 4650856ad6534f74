#include "apps/reproduction/set_aside.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "apps/reproduction/outcome.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace fs = std::filesystem;
using data::exists;
using data::is_there;

namespace {

std::string away(const std::string& folder) { return folder + ".replaced"; }
std::string moving(const std::string& folder) { return folder + ".replaced.part"; }
std::string commands_file(const std::string& folder) { return folder + ".commands"; }

std::string text_of(const std::string& path) { return exists(path) ? data::read_bytes(path) : ""; }

}  // namespace

std::string commands_of_run(const std::string& folder) { return text_of(commands_file(folder)); }

namespace {

// A place of ours: marked, or as an earlier build left it, which holds the commands and the run alone.
bool is_ours(const std::string& place) {
  if (data::is_marked_folder(place)) return true;
  if (!fs::is_directory(fs::symlink_status(place)) || !exists(place + "/commands")) return false;
  return std::all_of(fs::directory_iterator(place), {}, [](const fs::directory_entry& entry) {
    return entry.path().filename() == "commands" || entry.path().filename() == "run";
  });
}

void remove_place(const std::string& place) {
  if (is_ours(place)) fs::remove_all(place);
}

void check_free(const std::string& place) {
  if (is_there(place) && !is_ours(place))
    throw std::runtime_error(
        fmt::format("{} is in the way: reproduce did not make it, so it is left as it is; move it "
                    "to another place, or name another --out",
                    place));
}

}  // namespace

void recover_set_aside(const std::string& folder, const std::string& wanted) {
  check_free(moving(folder));
  check_free(away(folder));
  data::check_own_folder(folder);
  if (exists(moving(folder) + "/run")) fs::rename(moving(folder), away(folder));
  remove_place(moving(folder));
  if (!exists(away(folder))) return;
  if (exists(evaluation_file(folder))) return forget_set_aside(folder);
  const std::string commands = text_of(away(folder) + "/commands");
  if (commands != wanted) return;
  if (exists(away(folder) + "/run")) {
    fs::remove_all(folder);
    data::write_own_file(commands_file(folder), commands);
    fs::rename(away(folder) + "/run", folder);
  }
  forget_set_aside(folder);
}

void set_aside(const std::string& folder) {
  if (!exists(folder)) return;
  if (!exists(commands_file(folder)))
    throw std::runtime_error(
        fmt::format("{}: this is no run of reproduce (there is no {} beside it), so it is not replaced; move it, or "
                    "name another --out",
                    folder, fs::path(commands_file(folder)).filename().string()));
  if (exists(away(folder))) {
    fs::remove_all(folder);
    return;
  }
  data::make_marked_folder(moving(folder));
  data::write_own_file(moving(folder) + "/commands", commands_of_run(folder));
  fs::rename(folder, moving(folder) + "/run");
  fs::rename(moving(folder), away(folder));
}

void forget_set_aside(const std::string& folder) {
  // Without a run in it, it does not come back where its removal is interrupted.
  if (exists(away(folder))) fs::rename(away(folder), moving(folder));
  fs::remove_all(moving(folder) + "/run");
  remove_place(moving(folder));
}

}  // namespace softalign::apps
