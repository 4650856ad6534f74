#include "apps/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "data/io/error.h"

namespace softalign::apps {

namespace fs = std::filesystem;

std::string epoch_file(const RunFolder& folder, std::size_t epoch) {
  return folder.file(fmt::format("epoch-{}.safetensors", epoch));
}

std::vector<std::size_t> kept_epochs(const RunFolder& folder) {
  std::vector<std::size_t> epochs;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path, none)) {
    const std::string name = entry.path().filename().string();
    std::size_t epoch = 0;
    constexpr std::size_t digits = 6;  // the digits follow "epoch-"
    if (name.size() > digits) std::from_chars(name.data() + digits, name.data() + name.size(), epoch);
    if (folder.file(name) == epoch_file(folder, epoch)) epochs.push_back(epoch);
  }
  std::sort(epochs.begin(), epochs.end());
  return epochs;
}

void forget_epochs(const RunFolder& folder, std::size_t epoch) {
  for (const std::size_t kept : kept_epochs(folder)) {
    if (kept > epoch) return;
    std::error_code error;
    fs::remove(epoch_file(folder, kept), error);
    if (error)
      throw data::Error(data::kind_of_errno(error.value()),
                        fmt::format("cannot remove {}: {}", epoch_file(folder, kept), error.message()));
  }
}

}  // namespace softalign::apps
