// These functions write and read alignment records in the format softalign/1, with one JSON object per line (JSON
// lines).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/alignment/record.h"

namespace softalign::data {

// Returns the record as one line of JSON, without a line end. The keys are in the order of the schema. Weights are
// rounded to 6 decimals, so each row still sums to 1 within 1e-5. total_logprob is the sum of logprob. docs/formats.md
// explains every key, and docs/schemas/alignment.json is the schema. Throws std::invalid_argument for a record that
// violates the schema (problem_of).
std::string to_json(const Record& record);
nlohmann::ordered_json json_of(const Record& record);  // the JSON object, to which a caller can add keys

// Returns the record of a model without attention, for a page. It has all keys, but matrix, links and entropy are
// empty, so from_json refuses it. Throws std::invalid_argument for a record with weights.
nlohmann::ordered_json json_without_weights(const Record& record);

// Reads a line that to_json wrote. It ignores unknown keys, and also `prob`, the old name of total_logprob. Throws
// Error for lines that to_json would not write. The message starts with `where` ("FILE:LINE").
Record from_json(std::string_view line, const std::string& where);

// Reads a line, and returns the record and its JSON object. The object has only the keys of the schema, with exactly
// the numbers of the line.
std::pair<Record, nlohmann::ordered_json> with_json_from(std::string_view line, const std::string& where);

// Returns true if a line of a file of records is blank. Earlier releases wrote a blank line for a blank input line.
bool is_blank(std::string_view line);

}  // namespace softalign::data
