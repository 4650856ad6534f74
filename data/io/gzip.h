// This file reads files that gzip has compressed (RFC 1952).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace softalign::data {

// Compressed describes other kinds of compression, which the first bytes of a file show. No text starts with these
// bytes.
struct Compressed {
  std::string_view by;         // "xz"
  std::string_view command;    // what decompresses a file, "xz -dk"
  std::string_view to_output;  // what writes its text to standard output, "xz -dc"
};
// Returns the kind of compression that the first bytes show. gzip is one of them. There is no result if the bytes match
// none.
std::optional<Compressed> compressed(std::string_view bytes);

// Returns whether these are the first bytes of a gzip file. No text starts with them.
bool is_gzip(std::string_view bytes);

// Decompresses all members of the file, one after the other. Throws Error if the bytes are cut short or damaged
// (damaged_file), or if a line is too long (bad_data). `name` is for the message.
std::string gunzip(std::string_view bytes, const std::string& name);

}  // namespace softalign::data
