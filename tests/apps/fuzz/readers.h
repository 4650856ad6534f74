// Lists every function that reads users' files, each with seed files for the fuzzer.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

struct Reader {
  std::string name;
  std::function<void(const std::string& path)> read;  // also uses what it has read, where that is cheap
  std::vector<std::string> seeds;                     // contents of valid files
};

std::vector<Reader> readers();

}  // namespace fuzz
