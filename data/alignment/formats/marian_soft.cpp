#include "data/alignment/formats/marian_soft.h"

#include "data/io/internal/fields.h"

#include <fmt/format.h>

namespace softalign::data {

std::string format_marian_weights(const Matrix& matrix) {
  std::string text;
  for (size_t t = 0; t < matrix.size(); ++t) {
    text += fmt::format("{}{}", t ? " " : "", fmt::join(matrix[t], ","));
  }
  return text;
}

Record with_marian_weights(Record record, const std::string& text, const std::string& where) {
  if (!text.empty()) {
    for (const std::string& step : split_fields(text, " ")) record.matrix.push_back(read_weights(step, ",", where));
  }
  record.target_eos = record.matrix.size() != record.target.size();
  record.source_eos = !record.matrix.empty() && record.matrix.front().size() != record.source.size();
  return completed(std::move(record), where);
}

std::string read_marian_line(const std::string& line, Tokens& target, const std::string& where) {
  const std::string separator = " ||| ";
  const size_t at = line.rfind(separator);  // the words may hold ||| themselves, the alignment does not
  if (at == std::string::npos) fail(where, "expected `target words ||| alignment`, and there is no |||");
  target = split_words(line.substr(0, at));
  return line.substr(at + separator.size());
}

std::string write_marian_soft(const Record& record) {
  return join_words(record.target) + " ||| " + format_marian_weights(record.matrix) + "\n";
}

std::vector<Record> read_marian_soft(const AlignmentFile& file) {
  std::vector<Record> records;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record;
    record.id = i;
    record.source = pair_of(file, i, where).source;
    const std::string weights = read_marian_line(file.lines[i], record.target, where);
    records.push_back(with_marian_weights(std::move(record), weights, where));
  }
  check_all_read(file, records.size());
  return records;
}

}  // namespace softalign::data
