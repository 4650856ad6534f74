// Fields of a line of text, read with care: every error says where it stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace softalign::data {

// Throws std::runtime_error, "WHERE: MESSAGE"; `where` is "FILE:LINE".
[[noreturn]] void fail(const std::string& where, const std::string& message);

// The fields between `separator`s; one empty field for an empty text.
std::vector<std::string> split_fields(const std::string& text, const std::string& separator);

// A whole number from 0.
size_t read_number(std::string_view text, const char* name, const std::string& where);

}  // namespace softalign::data
