// These functions write and read config.json. The file has the name and value of each option: {"hidden": 128, ...}.
#pragma once

#include <string>
#include <vector>

#include "models/option_table.h"

namespace softalign::models {

// Returns the text of config.json. It contains the options of `table` that a user can set, in the order of the table.
std::string write_config(const Table& table);

// Sets the options that the text of config.json names, and leaves all other options unchanged. An option may have
// several names. The function ignores names that are not in `table`. Throws data::Error if the text is not a JSON
// object, or if a value is not legal. The message starts with `where`.
void read_config(const Table& table, const std::string& text, const std::string& where);

// Returns the options of the table that the text of config.json does not set. Throws data::Error like read_config.
Table not_named(const Table& table, const std::string& text, const std::string& where);

// Returns the names of the options in the text of config.json, in the order of the text. Throws data::Error like
// read_config.
std::vector<std::string> names_in_config(const std::string& text, const std::string& where);

}  // namespace softalign::models
