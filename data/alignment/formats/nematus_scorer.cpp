#include "data/alignment/formats/internal/nematus_scorer.h"

#include "data/alignment/record_json.h"
#include "data/io/internal/fields.h"
#include "data/io/json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace softalign::data {
namespace {

Record scorer_record(const std::string& line, const std::string& where) {
  Record r;
  try {
    const auto json = parse_json(line);
    json.at("id").get_to(r.id);
    r.source = split_words(json.at("source_sent").get<std::string>());
    r.target = split_words(json.at("target_sent").get<std::string>());
    json.at("matrix").get_to(r.matrix);
  } catch (const std::exception& error) {
    fail(where, fmt::format("neither a record of softalign/1 nor one of the Nematus scorer: {}", json_problem(error)));
  }
  return completed(std::move(r), where);
}

}  // namespace

std::vector<Record> read_jsonl(const AlignmentFile& file) {
  std::vector<Record> records;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (is_blank(line)) {
      records.push_back(blank_record(i));
      continue;
    }
    const bool ours = line.find("\"schema\"") != std::string::npos;
    records.push_back(ours ? from_json(line, file.where(i)) : scorer_record(line, file.where(i)));
  }
  return records;
}

}  // namespace softalign::data
