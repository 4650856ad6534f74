// Files that are compressed as gzip does (RFC 1952).
#pragma once

#include <string>
#include <string_view>

namespace data {

// Whether these bytes begin as such a file; no text does.
bool is_gzip(std::string_view bytes);

// The text that was compressed, of every member of the file, one after the other. `name` is the file's, for the
// std::runtime_error that the bytes are cut short or damaged, or a line is too long (data/io/line_limit.h).
std::string gunzip(std::string_view bytes, const std::string& name);

}  // namespace data
