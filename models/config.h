// config.json: the options of a table by name, {"hidden": 128, ...}.
#pragma once

#include <string>
#include <vector>

#include "models/option_table.h"

namespace softalign::models {

// Every public option of the table, in its order.
std::string write_config(const Table& table);

// Sets the options that the text names, by any of their names; the others keep their values, and names that the table
// does not have are ignored. data::Error, starting with `where`, for what is no JSON object or no legal value.
void read_config(const Table& table, const std::string& text, const std::string& where);

// The options of the table that the text does not set. data::Error as above.
Table not_named(const Table& table, const std::string& text, const std::string& where);

// The names in the text, in its order. data::Error as above.
std::vector<std::string> names_in_config(const std::string& text, const std::string& where);

}  // namespace softalign::models
