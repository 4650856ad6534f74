// What the JSON library says, as a sentence for a person.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace data {

// The message of one of its exceptions without their number, and not at any length, since it quotes what it has read;
// that of any other exception as it is.
std::string json_problem(const std::exception& error);

// How many lists and objects stand within each other in a text of JSON. The library reads any number, but copies and
// writes by functions that call themselves.
std::size_t json_depth(std::string_view text);

}  // namespace data
