// Alignment records in the format softalign/1: one JSON object per line (JSON lines).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/alignment/record.h"

namespace softalign::data {

// The record as one line of JSON without a line end; keys in the order of the schema. Weights are rounded to 6 decimals
// so that each row still sums to 1 within 1e-5; total_logprob is the sum of logprob. docs/formats.md has every key,
// docs/schemas/alignment.json the schema.
// std::invalid_argument for a record that has a problem.
std::string to_json(const Record& record);
nlohmann::ordered_json json_of(const Record& record);  // the object, for more keys

// Reads such a line. Unknown keys are ignored, and also `prob`, the old name of total_logprob. Error, its message
// starting with `where` ("FILE:LINE"), for anything that to_json would not write.
Record from_json(std::string_view line, const std::string& where);

// Such a record and its JSON with only the keys of the schema. Numbers are exactly those of the line.
std::pair<Record, nlohmann::ordered_json> with_json_from(std::string_view line, const std::string& where);

// Whether a line of such a file is blank. Earlier releases wrote a blank line for a blank input line.
bool is_blank(std::string_view line);

// All records of a JSON lines file; a blank line is a record without words.
std::vector<Record> read_records(const std::string& path);

}  // namespace softalign::data
