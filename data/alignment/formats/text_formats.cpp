#include "data/alignment/formats/text_formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "data/corpus/pharaoh.h"
#include "data/corpus/vocabulary.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

// --- functions for Marian's formats ---

// format_marian_weights writes the weights of a record. with_marian_weights adds such weights to a record that already
// has its words.
std::string format_marian_weights(const Matrix& matrix) {
  std::string text;
  for (std::size_t t = 0; t < matrix.size(); ++t) {
    text += fmt::format("{}{}", t ? " " : "", fmt::join(matrix[t], ","));
  }
  return text;
}

Record with_marian_weights(Record record, const std::string& text, const std::string& where) {
  if (!text.empty()) {
    for (const std::string& step : split_fields(text, " "))
      record.weights.matrix.push_back(read_weights(step, ",", where));
  }
  record.target_eos = record.weights.matrix.size() != record.target.size();
  record.source_eos = !record.weights.matrix.empty() && record.weights.matrix.front().size() != record.source.size();
  return completed(std::move(record), where);
}

// A line is `words ||| rest`. read_marian_line stores the words in `target` and returns the rest.
std::string read_marian_line(const std::string& line, Tokens& target, const std::string& where) {
  const std::string separator = " ||| ";
  const std::size_t at = line.rfind(separator);  // the words may contain |||, but the alignment does not
  if (at == std::string::npos) fail(where, "the line has no |||. The expected form is `target words ||| alignment`");
  target = split_words(line.substr(0, at));
  return line.substr(at + separator.size());
}

// --- links ---

// read_links returns all links of a text, sure and possible. A link may use `extra` positions after the words.
Links read_links(const std::string& text, const Record& record, std::size_t extra, const AlignmentFile& file,
                 const std::string& where) {
  const Gold gold =
      parse_gold(text, record.source.size() + extra, record.target.size() + extra, where, file.first_word);
  Links links = gold.sure;
  links.insert(links.end(), gold.possible.begin(), gold.possible.end());
  std::sort(links.begin(), links.end());
  return links;
}

// In Marian's files, any row may have a link to the source's </s>, position S. The target's </s>, row T, has a link in
// every sentence. If row T has no link in some sentence, the file counts other units than these words. A link to
// position S is then an error.
void check_ends(const std::vector<Record>& records, const AlignmentFile& file) {
  const auto links_row_T = [](const Record& record) {
    return std::any_of(record.links.begin(), record.links.end(),
                       [&](const Link& l) { return l.target == record.target.size(); });
  };
  const auto without = std::find_if(records.begin(), records.end(), [&](const Record& record) {
    return !record.links.empty() && !links_row_T(record);
  });
  if (without == records.end()) return;
  for (const Record& record : records) {
    for (const Link& link : record.links) {
      const bool at_source = link.source == record.source.size();
      if (!at_source && link.target < record.target.size()) continue;
      fail(file.where(record.id),
           fmt::format("link {}-{}: the {} has {} word{}, counted from {}. Position {} would be </s>, but line {} does "
                       "not link the target's </s>. The links probably count other words, for example the tokens of a "
                       "model. Give the sentences with these words{}",
                       link.source + file.first_word, link.target + file.first_word, at_source ? "source" : "target",
                       at_source ? record.source.size() : record.target.size(),
                       (at_source ? record.source.size() : record.target.size()) == 1 ? "" : "s", file.first_word,
                       (at_source ? link.source : link.target) + file.first_word, without->id + 1,
                       file.first_word ? "" : " (does the file count from 1? --one-based)"));
    }
  }
}

Record record_of(const Pair& pair, std::size_t id) {
  Record record;
  record.id = id;
  record.source = pair.source;
  record.target = pair.target;
  return record;
}

// A line is `A-12<TAB>rest`. read_fairseq_key stores the rest in `rest` and returns the number.
std::size_t read_fairseq_key(const std::string& line, std::string& rest, const std::string& where) {
  const std::size_t tab = line.find('\t');
  if (line.size() < 3 || line[1] != '-' || tab == std::string::npos) {
    fail(where, "the line does not have the form A-NUMBER<TAB>links. This command keeps the right lines: grep '^A-'");
  }
  rest = line.substr(tab + 1);
  return read_number(std::string_view(line).substr(2, tab - 2), "number of the pair", where);
}

}  // namespace

std::string write_pharaoh(const Record& record) { return format_links(record.links) + "\n"; }

std::vector<Record> read_pharaoh(const AlignmentFile& file) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record = record_of(pair_of(file, i, where), i);
    record.links = read_links(file.lines[i], record, 0, file, where);
    records.push_back(std::move(record));
  }
  check_all_read(file, records.size());
  return records;
}

std::string write_tsv(const Record& record) {
  return fmt::format("{}\t{}\t{}\n", join_words(record.source), join_words(record.target), format_links(record.links));
}

std::vector<Record> read_tsv_links(const AlignmentFile& file) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    const std::vector<std::string> columns = split_fields(file.lines[i], "\t");
    if (columns.size() < 3) fail(where, "the form must be source<TAB>target<TAB>links");
    Record& record = records.emplace_back();
    record.id = i;
    record.source = split_words(columns[0]);
    record.target = split_words(columns[1]);
    record.links = read_links(columns[2], record, 0, file, where);
  }
  return records;
}

std::string write_marian_hard(const Record& record) {
  return join_words(record.target) + " ||| " + format_links(record.links) + "\n";
}

std::vector<Record> read_marian_hard(const AlignmentFile& file) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record = record_of(pair_of(file, i, where), i);
    const std::string links = read_marian_line(file.lines[i], record.target, where);
    record.links = read_links(links, record, 1, file, where);
    records.push_back(std::move(record));
  }
  check_all_read(file, records.size());
  check_ends(records, file);
  for (Record& record : records) {
    std::erase_if(record.links, [&](const Link& link) {
      return link.source >= record.source.size() || link.target >= record.target.size();
    });
  }
  return records;
}

std::string write_fairseq(const Record& record) {
  return fmt::format("A-{}\t{}\n", record.id, format_links(record.links));
}

std::vector<Record> read_fairseq(const AlignmentFile& file) {
  std::map<std::size_t, std::vector<Record>> by_pair;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    std::string rest;
    const std::size_t id = read_fairseq_key(file.lines[i], rest, where);
    const char kind = file.lines[i][0];
    if (kind == 'A') {
      std::vector<Record>& ranks = by_pair[id];
      Record record = record_of(pair_of(file, id, where), id);
      record.rank = ranks.size();
      if (rest.find(',') == std::string::npos) record.links = read_links(rest, record, 0, file, where);
      else record = with_marian_weights(std::move(record), rest, where);
      ranks.push_back(std::move(record));
    } else if (std::string("STHDP").find(kind) == std::string::npos) {
      fail(where, fmt::format("the line begins with {}-. The expected form is A-NUMBER<TAB>links", kind));
    }
  }
  std::vector<Record> records;
  for (auto& [id, ranks] : by_pair) std::move(ranks.begin(), ranks.end(), std::back_inserter(records));
  check_all_read(file, by_pair.size());
  return records;
}

std::string write_marian_soft(const Record& record) {
  return join_words(record.target) + " ||| " + format_marian_weights(record.weights.matrix) + "\n";
}

std::vector<Record> read_marian_soft(const AlignmentFile& file) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
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
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) columns[j][i] = matrix[i][j];
  }
  return columns;
}

Tokens with_eos(Tokens words, bool eos) {
  if (eos) words.emplace_back(end_token);
  return words;
}

// take_eos removes a final </s>. It returns false if there is none.
bool take_eos(Tokens& words) {
  if (words.empty() || words.back() != end_token) return false;
  words.pop_back();
  return true;
}

// Block is one pair of the file: the fields of the head, and rows of equal length.
struct Block {
  std::string where;  // of the head
  std::vector<std::string> head;
  Matrix rows;
};

void check_score(const std::string& text, const std::string& where) {
  if (!number<double>(text)) fail(where, fmt::format("the score is {}, which is no number", in_quotes(text)));
}

std::string without_spaces_behind(const std::string& line) { return line.substr(0, line.find_last_not_of(' ') + 1); }

// read_blocks reads blocks that are separated by blank lines. A head has `fields` fields, and `expected` shows its
// form.
std::vector<Block> read_blocks(const AlignmentFile& file, std::size_t fields, const char* expected) {
  std::vector<Block> blocks;
  bool inside = false;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
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
      for (const std::string& field : head) {
        const Tokens words = split_words(field);
        if (std::find(words.begin(), words.end(), "|||") == words.end()) continue;
        fail(where, fmt::format("the field {} contains |||, which separates fields. The expected form is {}. Write this "
                                "sentence in a JSON format",
                                in_quotes(field), expected));
      }
      check_score(head[2], where);
    } else {
      Matrix& rows = blocks.back().rows;
      rows.push_back(read_weights(line, " ", where));
      if (rows.back().size() != rows.front().size()) {
        fail(where, fmt::format("the row has {} weights, but the row above it has {}", rows.back().size(),
                                rows.front().size()));
      }
    }
  }
  return blocks;
}

// check_count throws std::runtime_error unless `count`, `positions` (rows or columns) and the number of words agree.
// With `eos`, `count` may be larger than the number of words by one.
void check_count(const Block& block, const char* side, std::size_t count, std::size_t positions, std::size_t words,
                 bool eos) {
  if (count == positions && (count == words || (eos && count == words + 1))) return;
  fail(block.where, fmt::format("there are {} {} words, but the first line says {} and the matrix has {}", words, side,
                                count, positions));
}

Record record_of(const Block& block) {
  Record record;
  record.id = read_number(block.head[0], "number of the sentence", block.where);
  record.target = split_words(block.head[1]);
  record.source = split_words(block.head[3]);
  return record;
}

// The matrix may lack the source's </s>. This token then gets the weight that the words leave in each row, if they
// leave any. A row of zeros is an error, because its step may have attended only to </s>, or its weights may be
// unknown.
void restore_source_eos(Record& record, const std::string& where) {
  for (std::size_t t = 0; t < record.weights.matrix.size(); ++t) {
    const std::vector<float>& row = record.weights.matrix[t];
    if (std::any_of(row.begin(), row.end(), [](float weight) { return weight > 0; })) continue;
    fail(where, fmt::format("column {} ({}) of the matrix has only zeros, so the file does not say what this step "
                            "attended to. Write the matrix with a row for the source's </s>",
                            t, t < record.target.size() ? in_quotes(record.target[t]) : std::string(end_token)));
  }
  const auto rest = [](const std::vector<float>& row) { return 1 - std::accumulate(row.begin(), row.end(), 0.0); };
  record.source_eos = std::any_of(record.weights.matrix.begin(), record.weights.matrix.end(),
                                  [&](const auto& row) { return rest(row) > 1e-4; });
  if (!record.source_eos) return;
  for (auto& row : record.weights.matrix) row.push_back(static_cast<float>(std::max(rest(row), 0.0)));
}

}  // namespace

std::string write_nematus(const Record& record) {
  return fmt::format("{} ||| {} ||| {} ||| {} ||| {} {}\n", record.id, join_words(record.target), cost(record),
                     join_words(record.source), record.source.size() + record.source_eos,
                     record.target.size() + record.target_eos) +
         rows_of(record.weights.matrix);
}

std::vector<Record> read_nematus(const AlignmentFile& file) {
  std::vector<Record> records;
  for (Block& block : read_blocks(file, 5, "`id ||| target ||| score ||| source ||| S T`")) {
    Record record = record_of(block);
    const std::vector<std::string> counts = split_fields(block.head[4], " ");
    if (counts.size() != 2)
      fail(block.where, "the first line must end with the numbers of source and target positions, `S T`");
    const std::size_t sources = read_number(counts[0], "number of source positions", block.where);
    const std::size_t targets = read_number(counts[1], "number of target positions", block.where);
    record.weights.matrix = std::move(block.rows);
    const std::size_t columns = record.weights.matrix.empty() ? sources : record.weights.matrix.front().size();
    check_count(block, "source", sources, columns, record.source.size(), true);
    check_count(block, "target", targets, record.weights.matrix.size(), record.target.size(), true);
    record.source_eos = sources > record.source.size();
    record.target_eos = targets > record.target.size();
    records.push_back(completed(std::move(record), block.where));
  }
  return records;
}

std::string write_sockeye(const Record& record) {
  const Tokens source = with_eos(record.source, record.source_eos), target = with_eos(record.target, record.target_eos);
  return fmt::format("{} ||| {} ||| {} ||| {} ||| {} ||| {}\n", record.id, join_words(target), cost(record),
                     join_words(source), source.size(), target.size()) +
         rows_of(transposed(record.weights.matrix));
}

std::vector<Record> read_sockeye(const AlignmentFile& file) {
  std::vector<Record> records;
  for (const Block& block : read_blocks(file, 6, "`id ||| target ||| score ||| source ||| S ||| T`")) {
    Record record = record_of(block);
    const std::size_t sources = read_number(block.head[4], "number of source positions", block.where);
    const std::size_t targets = read_number(block.head[5], "number of target positions", block.where);
    const std::size_t columns = block.rows.empty() ? targets : block.rows.front().size();
    const bool no_steps = targets == 0;  // then the file has no rows of weights
    check_count(block, "source", sources, no_steps ? sources : block.rows.size(), record.source.size(), false);
    check_count(block, "target", targets, columns, record.target.size(), false);
    record.weights.matrix = transposed(block.rows);
    record.target_eos = take_eos(record.target);
    if (take_eos(record.source)) record.source_eos = true;
    else restore_source_eos(record, block.where);
    records.push_back(completed(std::move(record), block.where));
  }
  return records;
}

}  // namespace softalign::data
