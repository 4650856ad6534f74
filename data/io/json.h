// Parses JSON from untrusted sources. Every program uses this function, which limits the depth.
#pragma once

#include <cstddef>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace softalign::data {

struct JsonLimits {
  // The largest depth of nested lists and objects. The library parses without recursion, but copies, compares and
  // writes values recursively. The weights of a record's heads are at depth 5.
  std::size_t depth = 16;
  // The largest number of names in one object. The library compares each name with all names before it.
  std::size_t names = 1000;
  bool unique_names = false;  // refuse an object that has a name twice; the library keeps the last
};

// Error (damaged_file), a sentence without the file's name: the text is not JSON, or it breaks a limit.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

// The message of an exception of the JSON library, without its number and with a limited length, because it quotes the
// input. The message of any other exception is unchanged.
std::string json_problem(const std::exception& error);

}  // namespace softalign::data
