// These functions read files that the program gzip has compressed (RFC 1952), and compress bytes in this format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace softalign::data {

// The struct Compressed describes a kind of compression, for example gzip. The first bytes of a file show the kind,
// because no text starts with these bytes.
struct Compressed {
  std::string_view by;         // "xz"
  std::string_view command;    // command that decompresses a file, "xz -dk"
  std::string_view to_output;  // command that writes the text to standard output, "xz -dc"
};
// Returns the kind of compression that the first bytes show, for example gzip. Returns nothing if they show none.
std::optional<Compressed> compressed(std::string_view bytes);

// Returns true if these are the first bytes of a gzip file. No text starts with them.
bool is_gzip(std::string_view bytes);

// Decompresses a gzip file with all its parts (members), one after the other. Throws Error if the bytes are cut short
// or damaged (damaged_file), or if a line is too long (bad_data). `name` is for messages.
std::string gunzip(std::string_view bytes, const std::string& name);

// Returns the first line of a regular file, which gzip may have compressed. It stops reading after this line, because a
// small compressed file may contain a large text. If the file is cut short or damaged within this line, returns the
// part that can be read. Throws Error if the line is too long.
std::string first_line(const std::string& path);

// Compresses bytes. Equal bytes give equal results. Throws std::length_error for more than 2 GiB.
std::string gzip(std::string_view bytes);

}  // namespace softalign::data
