// Files that are compressed as gzip does (RFC 1952).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace softalign::data {

// Other kinds of compression, recognised by the first bytes of a file. No text starts with these bytes.
struct Compressed {
  std::string_view by;         // "xz"
  std::string_view command;    // what decompresses a file, "xz -dk"
  std::string_view to_output;  // what writes its text to standard output, "xz -dc"
};
// gzip is one of them. There is no result if the bytes match none.
std::optional<Compressed> compressed(std::string_view bytes);

// Whether these are the first bytes of such a file; no text starts with them.
bool is_gzip(std::string_view bytes);

// Decompresses all members of the file, one after the other. `name` is for the Error if the bytes are cut short or
// damaged (damaged_file), or a line is too long (bad_data).
std::string gunzip(std::string_view bytes, const std::string& name);

}  // namespace softalign::data
