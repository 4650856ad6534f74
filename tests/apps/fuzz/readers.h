// Every function that reads what a user brings, with files to begin with.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

struct Reader {
  std::string name;
  std::function<void(const std::string& path)> read;  // what is read is used, as far as it costs little
  std::vector<std::string> seeds;                     // whole files
};

std::vector<Reader> readers();

}  // namespace fuzz
