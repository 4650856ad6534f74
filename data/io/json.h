// This file parses JSON that may come from a stranger. It limits how deep the text is nested and how many names an
// object has, so that no text can exhaust the stack or take very long. All programs use it.
#pragma once

#include <cstddef>
#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace softalign::data {

struct JsonLimits {
  // `depth` limits how deep lists and objects may be nested. The JSON library copies, compares and writes values
  // recursively, so deep nesting could exhaust the stack. In an alignment record, the attention weights of the heads
  // are at depth 5.
  std::size_t depth = 16;
  // `names` limits how many names an object may have. The JSON library compares each name with all names before it, so
  // very many names would take very long.
  std::size_t names = 1000;
  bool unique_names = false;  // true: refuse an object that has a name twice; false: keep the last value
};

// Parses JSON. Throws Error (damaged_file) if the text is not JSON, or if it breaks a limit. The message is a sentence
// without the name of the file.
nlohmann::ordered_json parse_json(std::string_view text, const JsonLimits& limits = {});

// Returns the message of an exception of the JSON library, without the error number. A long message is shortened,
// because it quotes the input. The message of any other exception is unchanged.
std::string json_problem(const std::exception& error);

}  // namespace softalign::data
