// These functions write and read config.json, which has the options of a table by name: {"hidden": 128, ...}.
#pragma once

#include <string>
#include <vector>

#include "models/option_table.h"

namespace softalign::models {

// Returns the text with every public option of the table, in the order of the table.
std::string write_config(const Table& table);

// Sets the options that the text names, by any of their names. The others keep their values. The function ignores names
// that the table does not have. Throws data::Error if the text is no JSON object, or if a value is not legal. The
// message starts with `where`.
void read_config(const Table& table, const std::string& text, const std::string& where);

// Returns the options of the table that the text does not set. Throws data::Error like read_config.
Table not_named(const Table& table, const std::string& text, const std::string& where);

// Returns the names in the text, in their order. Throws data::Error like read_config.
std::vector<std::string> names_in_config(const std::string& text, const std::string& where);

}  // namespace softalign::models
