#include "data/alignment/formats/internal/matrix_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/corpus/vocabulary.h"
#include "data/io/internal/fields.h"
#include "data/io/number.h"
#include "data/io/quoted.h"

namespace softalign::data {
namespace {

const std::string separator = " ||| ";

double cost(const Record& record) { return 0.0 - std::accumulate(record.logprob.begin(), record.logprob.end(), 0.0); }

std::string rows_of(const Matrix& matrix) {
  std::string text;
  for (const auto& row : matrix) text += fmt::format("{}\n", fmt::join(row, " "));
  return text + "\n";
}

Matrix transposed(const Matrix& matrix) {
  Matrix columns(matrix.empty() ? 0 : matrix.front().size(), std::vector<float>(matrix.size()));
  for (size_t i = 0; i < matrix.size(); ++i) {
    for (size_t j = 0; j < columns.size(); ++j) columns[j][i] = matrix[i][j];
  }
  return columns;
}

Tokens with_eos(Tokens words, bool eos) {
  if (eos) words.emplace_back(end_token);
  return words;
}

// Takes a closing </s> off; true if there was one.
bool take_eos(Tokens& words) {
  if (words.empty() || words.back() != end_token) return false;
  words.pop_back();
  return true;
}

// One pair as it stands in the file: the head's fields, and rows that are all of one length.
struct Block {
  std::string where;  // of the head
  std::vector<std::string> head;
  Matrix rows;
};

void check_score(const std::string& text, const std::string& where) {
  if (!number<double>(text)) fail(where, fmt::format("the score is {}; expected a number", in_quotes(text)));
}

std::string without_spaces_behind(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

// Blocks are separated by blank lines; `fields` are those of a head, whose form `expected` shows.
std::vector<Block> read_blocks(const AlignmentFile& file, size_t fields, const char* expected) {
  std::vector<Block> blocks;
  bool inside = false;
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const std::string line = without_spaces_behind(file.lines[i]);
    const std::string where = file.where(i);
    if (line.empty()) {
      inside = false;
    } else if (!inside) {
      inside = true;
      blocks.push_back({where, split_fields(line, separator), {}});
      const std::vector<std::string>& head = blocks.back().head;
      if (head.size() != fields) {
        fail(where,
             fmt::format("{} field{} between |||, expected {}", head.size(), head.size() == 1 ? "" : "s", expected));
      }
      check_score(head[2], where);
    } else {
      Matrix& rows = blocks.back().rows;
      rows.push_back(read_weights(line, " ", where));
      if (rows.back().size() != rows.front().size()) {
        fail(where, fmt::format("{} weights, but the row above has {}", rows.back().size(), rows.front().size()));
      }
    }
  }
  return blocks;
}

// std::runtime_error unless `count`, `positions` (rows or columns) and the words agree; `eos` more than the words may
// be there.
void check_count(const Block& block, const char* side, size_t count, size_t positions, size_t words, bool eos) {
  if (count == positions && (count == words || (eos && count == words + 1))) return;
  fail(block.where,
       fmt::format("{} {} words, the head counts {} and the matrix has {}", words, side, count, positions));
}

Record record_of(const Block& block) {
  Record record;
  record.id = read_number(block.head[0], "number of the sentence", block.where);
  record.target = split_words(block.head[1]);
  record.source = split_words(block.head[3]);
  return record;
}

// The source's </s>, cut off, takes what the words leave of each row, if they leave anything. A row of zeros leaves
// all, but a step that looked at </s> alone cannot be told from one whose weights are not known.
void restore_source_eos(Record& record, const std::string& where) {
  for (size_t t = 0; t < record.matrix.size(); ++t) {
    const std::vector<float>& row = record.matrix[t];
    if (std::any_of(row.begin(), row.end(), [](float weight) { return weight > 0; })) continue;
    fail(where, fmt::format("column {} ({}) of the matrix is all 0, so the file does not say what this step looked "
                            "at; write the matrix with the source's </s> among the words and rows",
                            t, t < record.target.size() ? in_quotes(record.target[t]) : std::string(end_token)));
  }
  const auto rest = [](const std::vector<float>& row) { return 1 - std::accumulate(row.begin(), row.end(), 0.0); };
  record.source_eos =
      std::any_of(record.matrix.begin(), record.matrix.end(), [&](const auto& row) { return rest(row) > 1e-4; });
  if (!record.source_eos) return;
  for (auto& row : record.matrix) row.push_back(static_cast<float>(std::max(rest(row), 0.0)));
}

}  // namespace

std::string write_nematus(const Record& r) {
  return fmt::format("{} ||| {} ||| {} ||| {} ||| {} {}\n", r.id, join_words(r.target), cost(r), join_words(r.source),
                     r.source.size() + r.source_eos, r.target.size() + r.target_eos) +
         rows_of(r.matrix);
}

std::vector<Record> read_nematus(const AlignmentFile& file) {
  std::vector<Record> records;
  for (Block& block : read_blocks(file, 5, "`id ||| target ||| score ||| source ||| S T`")) {
    Record record = record_of(block);
    const std::vector<std::string> counts = split_fields(block.head[4], " ");
    if (counts.size() != 2) fail(block.where, "the head ends in the numbers of source and target positions, `S T`");
    const size_t sources = read_number(counts[0], "number of source positions", block.where);
    const size_t targets = read_number(counts[1], "number of target positions", block.where);
    record.matrix = std::move(block.rows);
    const size_t columns = record.matrix.empty() ? sources : record.matrix.front().size();
    check_count(block, "source", sources, columns, record.source.size(), true);
    check_count(block, "target", targets, record.matrix.size(), record.target.size(), true);
    record.source_eos = sources > record.source.size();
    record.target_eos = targets > record.target.size();
    records.push_back(completed(std::move(record), block.where));
  }
  return records;
}

std::string write_sockeye(const Record& r) {
  const Tokens source = with_eos(r.source, r.source_eos), target = with_eos(r.target, r.target_eos);
  return fmt::format("{} ||| {} ||| {} ||| {} ||| {} ||| {}\n", r.id, join_words(target), cost(r), join_words(source),
                     source.size(), target.size()) +
         rows_of(transposed(r.matrix));
}

std::vector<Record> read_sockeye(const AlignmentFile& file) {
  std::vector<Record> records;
  for (const Block& block : read_blocks(file, 6, "`id ||| target ||| score ||| source ||| S ||| T`")) {
    Record record = record_of(block);
    const size_t sources = read_number(block.head[4], "number of source positions", block.where);
    const size_t targets = read_number(block.head[5], "number of target positions", block.where);
    const size_t columns = block.rows.empty() ? targets : block.rows.front().size();
    const bool no_steps = targets == 0 && block.rows.empty();  // so that there are no weights to write in a row
    check_count(block, "source", sources, no_steps ? sources : block.rows.size(), record.source.size(), false);
    check_count(block, "target", targets, columns, record.target.size(), false);
    record.matrix = transposed(block.rows);
    record.target_eos = take_eos(record.target);
    if (take_eos(record.source)) record.source_eos = true;
    else restore_source_eos(record, block.where);
    records.push_back(completed(std::move(record), block.where));
  }
  return records;
}

}  // namespace softalign::data
