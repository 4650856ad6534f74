#include "data/alignment/formats/format_by_content.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "data/corpus/pharaoh.h"
#include "data/io/fields.h"

namespace softalign::data {

namespace {

// words_of returns the words between spaces.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words = split_fields(text, " ");
  std::erase(words, "");
  return words;
}

bool are_links(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return !words.empty() && std::all_of(words.begin(), words.end(), is_link);
}

// are_weights is true for groups of weights. Spaces separate the groups, and commas separate the weights of a group.
bool are_weights(const std::string& text) {
  const std::vector<std::string> words = words_of(text);
  return !words.empty() && std::all_of(words.begin(), words.end(), [](const std::string& word) {
    const std::vector<std::string> weights = split_fields(word, ",");
    return std::all_of(weights.begin(), weights.end(),
                       [](const std::string& weight) { return number<double>(weight); });
  });
}

bool is_count(const std::string& text) { return number<std::size_t>(text).has_value(); }

// An object that begins with {"attention": is in BertViz's format, and {"inp_out": is in tensor2tensor's format. Any
// other object is a record.
std::optional<AlignmentFormat> format_of_object(const std::string& line) {
  const std::size_t begin = line.find('"');
  if (begin == std::string::npos || line.back() != '}') return std::nullopt;
  const std::string key = line.substr(begin + 1, line.find('"', begin + 1) - begin - 1);
  return key == "attention" ? AlignmentFormat::bertviz
         : key == "inp_out" ? AlignmentFormat::t2t
                            : AlignmentFormat::jsonl;
}

std::optional<AlignmentFormat> format_of_bars(const std::vector<std::string>& fields) {
  if (fields.size() == 6 && is_count(fields[0]) && is_count(fields[4]) && is_count(fields[5]))
    return AlignmentFormat::sockeye;
  if (fields.size() == 5 && is_count(fields[0])) {
    const std::vector<std::string> counts = words_of(fields[4]);
    if (counts.size() == 2 && std::all_of(counts.begin(), counts.end(), is_count)) return AlignmentFormat::nematus;
  }
  if (fields.size() != 2) return std::nullopt;
  if (are_links(fields[1])) return AlignmentFormat::hard;
  if (are_weights(fields[1])) return AlignmentFormat::soft;
  return std::nullopt;
}

// fairseq's lines begin with a letter and the number of the pair: S-0, T-0, H-0, D-0, P-0, A-0.
bool is_fairseq(const std::string& first) {
  return first.size() > 2 && std::string_view("STHDPA").find(first[0]) != std::string_view::npos && first[1] == '-' &&
         is_count(first.substr(2));
}

std::optional<AlignmentFormat> format_of_line(const std::string& line) {
  if (line.empty()) return std::nullopt;
  if (line.front() == '{') return format_of_object(line);
  const std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() > 1 && is_fairseq(columns.front())) return AlignmentFormat::fairseq;
  if (columns.size() > 2) return are_links(columns[2]) ? std::optional(AlignmentFormat::tsv) : std::nullopt;
  if (columns.size() > 1) return std::nullopt;
  if (are_links(line)) return AlignmentFormat::pharaoh;
  return format_of_bars(split_fields(line, " ||| "));
}

}  // namespace

std::optional<AlignmentFormat> format_by_content(const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    if (const auto format = format_of_line(line)) return format;
  return std::nullopt;
}

}  // namespace softalign::data
