// Reads files of records, for tests in several folders.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "data/alignment/record.h"
#include "data/alignment/record_json.h"
#include "data/io/files.h"

namespace testing {

// Returns all records of a JSON lines file. A blank line becomes a record without words.
inline std::vector<softalign::data::Record> read_records(const std::string& path) {
  using namespace softalign::data;
  std::vector<Record> records;
  for (const std::string& line : read_lines(path)) {
    if (is_blank(line)) records.push_back(blank_record(records.size()));
    else records.push_back(from_json(line, fmt::format("{}:{}", path, records.size() + 1)));
  }
  return records;
}

}  // namespace testing
