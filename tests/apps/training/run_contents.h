// The files of a run folder without timing.jsonl, so that two trainings can be compared byte by byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "data/io/files.h"
#include "tests/catch.h"

using namespace softalign;

inline std::map<std::string, std::string> contents(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name != "timing.jsonl") files[name] = data::read_bytes(entry.path().string());
  }
  return files;
}

inline void check_same(const std::map<std::string, std::string>& a, const std::map<std::string, std::string>& b) {
  for (const auto& [name, bytes] : a) {
    INFO(name);
    REQUIRE(b.contains(name));
    CHECK((b.at(name) == bytes));
  }
  CHECK(a.size() == b.size());
}
