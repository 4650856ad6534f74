// What the JSON library says, as a sentence for a person.
#pragma once

#include <exception>
#include <string>

namespace data {

// The message of one of its exceptions without their number, and not at any length, since it quotes what it has read;
// that of any other exception as it is.
std::string json_problem(const std::exception& error);

}  // namespace data
