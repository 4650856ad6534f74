// A temporary folder for the files of a test, which is removed with its content, and a file with given bytes.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

// Creates a new file each time, because some file systems wait for the disk when a file is overwritten.
inline void put_file(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

struct TemporaryFolder {
  std::filesystem::path path;

  TemporaryFolder() {
    static std::atomic<unsigned> counter{0};
    path = std::filesystem::temp_directory_path() / fmt::format("softalign-test-{}-{}", ::getpid(), counter++);
    std::filesystem::create_directories(path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::string file(const std::string& name) const { return (path / name).string(); }
  // The path of a new file with these bytes.
  std::string file(const std::string& name, const std::string& bytes) const {
    put_file(file(name), bytes);
    return file(name);
  }
};
