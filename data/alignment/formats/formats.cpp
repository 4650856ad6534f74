#include "data/alignment/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data/alignment/formats/json_formats.h"
#include "data/alignment/formats/text_formats.h"
#include "data/alignment/record_json.h"
#include "data/corpus/vocabulary.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/number.h"
#include "data/io/unicode.h"

namespace softalign::data {

std::string AlignmentFile::where(std::size_t line) const { return fmt::format("{}:{}", path, line + 1); }

const Pair& pair_of(const AlignmentFile& file, std::size_t index, const std::string& where) {
  if (file.pairs.empty()) fail(where, "this format does not hold all words; give the sentence pairs as well (--data)");
  if (index >= file.pairs.size()) {
    fail(where, fmt::format("alignment {}, but there are only {} sentence pairs", index + 1, file.pairs.size()));
  }
  return file.pairs[index];
}

void check_all_read(const AlignmentFile& file, std::size_t alignments) {
  if (alignments == file.pairs.size()) return;
  throw Error(ErrorKind::bad_data, fmt::format("{}: {} alignments for {} sentence pairs; each pair must have one",
                                               file.path, alignments, file.pairs.size()));
}

std::vector<float> read_weights(const std::string& text, const std::string& separator, const std::string& where) {
  std::vector<float> row;
  for (const std::string& field : split_fields(text, separator)) {
    float weight = 0;
    const char* last = field.data() + field.size();
    const auto [end, error] = from_chars(field.data(), last, weight);
    // Numbers too small for a float are 0.
    const bool tiny = error == std::errc::result_out_of_range && field.find("e-") != std::string::npos;
    if ((error != std::errc() && !tiny) || end != last || !(weight >= 0 && weight <= 1.00001f)) {
      fail(where, fmt::format("{} is not a weight; expected numbers in 0 .. 1 separated by \"{}\"", in_quotes(field),
                              separator));
    }
    row.push_back(tiny ? 0 : weight);
  }
  return row;
}

namespace {

void rescale(Matrix& matrix) {
  for (auto& row : matrix) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (std::abs(sum - 1) < 1e-5 || !(std::abs(sum - 1) <= 0.02)) continue;  // exact, or not a rounding
    for (float& weight : row) weight = static_cast<float>(weight / sum);
  }
}

}  // namespace

Record completed(Record record, const std::string& where) {
  rescale(record.weights.matrix);
  for (Head& head : record.weights.heads) rescale(head.matrix);
  record.entropy.clear();
  for (const auto& row : record.weights.matrix) record.entropy.push_back(entropy(row));
  if (const std::string problem = problem_of(record); !problem.empty()) fail(where, problem);
  complete(record);
  return record;
}

namespace {

std::string write_jsonl(const Record& record) { return to_json(record) + "\n"; }

void check_bars(const Tokens& words, const char* side, const Record& record, const Format& format) {
  const auto bars = std::find(words.begin(), words.end(), "|||");
  if (bars == words.end()) return;
  throw Error(
      ErrorKind::bad_data,
      fmt::format("sentence {} has the word ||| ({} word {}), which separates fields in the format {}; --format jsonl "
                  "holds it",
                  record.id + 1, side, bars - words.begin(), format.name));
}

void check_end(const Tokens& words, bool has_end, const char* side, const Record& record, const Format& format) {
  if (has_end || words.empty() || words.back() != end_token) return;
  throw Error(
      ErrorKind::bad_data,
      fmt::format("sentence {}: the last {} word is </s> (word {}), and the format {} would take it for the end mark, "
                  "which this sentence lacks; --format jsonl holds it",
                  record.id + 1, side, words.size() - 1, format.name));
}

// Nothing to align: neither words nor rows, so that there are no end marks either.
Record without_ends(Record record) {
  if (!record.weights.matrix.empty() || !record.target.empty()) return record;
  record.target_eos = false;
  record.source_eos = record.source_eos && !record.source.empty();
  record.entropy.clear();
  return record;
}

}  // namespace

const std::vector<Format>& formats() {
  constexpr bool weights = true, links = false, words = true, no_words = false, spaced = true, apart = false,
                 barred = true, free = false, closed = true, open = false;
  static const std::vector<Format> all{
      {"jsonl", "one JSON record per pair, with words, weights and links", weights, words, apart, free, open,
       write_jsonl, read_jsonl},
      {"pharaoh", "links such as 0-0 1-2", links, no_words, apart, free, open, write_pharaoh, read_pharaoh},
      {"tsv", "a corpus with links", links, words, spaced, free, open, write_tsv, read_tsv_links},
      {"soft", "Marian's weights", weights, no_words, apart, barred, open, write_marian_soft, read_marian_soft},
      {"hard", "Marian's links", links, no_words, apart, barred, open, write_marian_hard, read_marian_hard},
      {"nematus", "Nematus's text", weights, words, spaced, barred, open, write_nematus, read_nematus},
      {"sockeye", "Sockeye 1's matrices", weights, words, spaced, barred, closed, write_sockeye, read_sockeye},
      {"fairseq", "the lines A-0 of fairseq", links, no_words, apart, free, open, write_fairseq, read_fairseq},
      {"bertviz", "BertViz's JSON", weights, words, apart, free, closed, write_bertviz, read_bertviz},
      {"t2t", "tensor2tensor's JSON", weights, words, apart, free, closed, write_t2t, read_t2t}};
  return all;
}

const Format& format_named(const std::string& name) {
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.name == name; });
  if (found == formats().end()) throw std::invalid_argument("unknown alignment format " + name);
  return *found;
}

void check_words(const Tokens& words, const std::string& side, const Record& record, const std::string& holder) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool empty = words[i].empty();
    if (!empty && words[i].find_first_of(std::string_view(" \t\n\r\0", 5)) == std::string::npos) continue;
    throw Error(
        ErrorKind::bad_data,
        fmt::format("sentence {}: {} word {} {}, and {} has spaces between words; --format jsonl holds any word",
                    record.id + 1, side, i,
                    empty ? "is empty" : fmt::format("({}) has white space in it", in_quotes(words[i])), holder));
  }
}

std::string write(const Format& format, Record record) {
  record = without_ends(std::move(record));
  if (format.weights && record.weights.matrix.empty() && record.target.size() + record.target_eos > 0) {
    throw Error(ErrorKind::bad_data, fmt::format("sentence {} has links but no attention weights, which the format {} "
                                                 "needs; choose pharaoh, hard or fairseq",
                                                 record.id + 1, format.name));
  }
  if (format.spaced && record.source_kind == SourceKind::sentences) {
    throw Error(
        ErrorKind::bad_data,
        fmt::format("sentence {} has sentences for a source, and the format {} has spaces between words only; choose "
                    "jsonl, pharaoh, bertviz or t2t",
                    record.id + 1, format.name));
  }
  const std::string holder = "the format " + format.name;
  if (format.spaced) check_words(record.source, "source", record, holder);
  if (format.spaced || format.barred) check_words(record.target, "target", record, holder);
  if (format.barred) {
    if (format.spaced) check_bars(record.source, "source", record, format);
    check_bars(record.target, "target", record, format);
  }
  if (format.closed) {
    check_end(record.source, record.source_eos, "source", record, format);
    check_end(record.target, record.target_eos, "target", record, format);
  }
  return format.write(record);
}

std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs,
                                    std::size_t first_word) {
  return format.read({path, read_lines(path), std::move(pairs), first_word});
}

}  // namespace softalign::data
