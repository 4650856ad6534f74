// This file parses JSON from untrusted sources. Every program uses this function, which limits the depth.
#pragma once

#include <cstddef>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace softalign::data {

struct JsonLimits {
  // Lists and objects may be nested at most this deep. The library parses without recursion, but copies, compares and
  // writes values recursively. The weights of a record's heads are at depth 5.
  std::size_t depth = 16;
  // An object may have at most this many names. The library compares each name with all names before it.
  std::size_t names = 1000;
  bool unique_names = false;  // refuse an object that has a name twice; the library keeps the last
};

// Throws Error (damaged_file) if the text is not JSON, or if it breaks a limit. The message is a sentence without the
// name of the file.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

// Returns the message of an exception of the JSON library. It drops the number of the message and limits its length,
// because the message quotes the input. The message of any other exception is unchanged.
std::string json_problem(const std::exception& error);

}  // namespace softalign::data
