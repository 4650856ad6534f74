#include "data/alignment/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "data/alignment/formats/json_formats.h"
#include "data/alignment/formats/text_formats.h"
#include "data/alignment/record_json.h"
#include "data/corpus/vocabulary.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

std::string write_jsonl(const Record& record) { return to_json(record) + "\n"; }

void check_bars(const Tokens& words, const char* side, const Record& record, const Format& format) {
  const auto bars = std::find(words.begin(), words.end(), "|||");
  if (bars == words.end()) return;
  throw Error(
      ErrorKind::bad_data,
      fmt::format(
          "sentence {} contains ||| ({} word {}), but ||| separates fields in the format {}. Use --format jsonl",
          record.id + 1, side, bars - words.begin(), format.name()));
}

void check_end(const Tokens& words, bool has_end, const char* side, const Record& record, const Format& format) {
  if (has_end || words.empty() || words.back() != end_token) return;
  throw Error(
      ErrorKind::bad_data,
      fmt::format(
          "sentence {}: the last {} word is </s> (word {}). A reader of the format {} would take this word for the "
          "end-of-sentence token. Use --format jsonl",
          record.id + 1, side, words.size() - 1, format.name()));
}

// If a record has neither target words nor rows, there is nothing to align. Then the record has no </s> in the target,
// and none in an empty source.
Record without_ends(Record record) {
  if (!record.weights.matrix.empty() || !record.target.empty()) return record;
  record.target_eos = false;
  record.source_eos = record.source_eos && !record.source.empty();
  record.entropy.clear();
  return record;
}

}  // namespace

const std::vector<Format>& formats() {
  using enum AlignmentFormat;
  constexpr bool weights = true, links = false, words = true, no_words = false, spaced = true, apart = false,
                 barred = true, free = false, closed = true, open = false;
  static const std::vector<Format> all{
      {jsonl, "one JSON record per pair, with words, weights and links", weights, words, apart, free, open, write_jsonl,
       read_jsonl},
      {pharaoh, "links such as 0-0 1-2", links, no_words, apart, free, open, write_pharaoh, read_pharaoh},
      {tsv, "a corpus with links", links, words, spaced, free, open, write_tsv, read_tsv_links},
      {soft, "Marian's weights", weights, no_words, apart, barred, open, write_marian_soft, read_marian_soft},
      {hard, "Marian's links", links, no_words, apart, barred, open, write_marian_hard, read_marian_hard},
      {nematus, "Nematus's text", weights, words, spaced, barred, open, write_nematus, read_nematus},
      {sockeye, "Sockeye 1's matrices", weights, words, spaced, barred, closed, write_sockeye, read_sockeye},
      {fairseq, "the lines A-0 of fairseq", links, no_words, apart, free, open, write_fairseq, read_fairseq},
      {bertviz, "BertViz's JSON", weights, words, apart, free, closed, write_bertviz, read_bertviz},
      {t2t, "tensor2tensor's JSON", weights, words, apart, free, closed, write_t2t, read_t2t}};
  return all;
}

const Format& format_of(AlignmentFormat format) {
  const auto found =
      std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.format == format; });
  if (found == formats().end())
    throw std::invalid_argument(fmt::format("the format {} is a picture", autograd::name_of(format)));
  return *found;
}

void check_words(const Tokens& words, const std::string& side, const Record& record, const std::string& holder) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool empty = words[i].empty();
    if (!empty && words[i].find_first_of(std::string_view(" \t\n\r\0", 5)) == std::string::npos) continue;
    throw Error(
        ErrorKind::bad_data,
        fmt::format("sentence {}: {} word {} {}, but {} separates words by spaces. Use --format jsonl, which can "
                    "contain any word",
                    record.id + 1, side, i,
                    empty ? "is empty" : fmt::format("({}) contains white space", in_quotes(words[i])), holder));
  }
}

std::string write(const Format& format, Record record) {
  record = without_ends(std::move(record));
  if (format.weights && record.weights.matrix.empty() && record.target.size() + record.target_eos > 0) {
    throw Error(ErrorKind::bad_data, fmt::format("sentence {} has links but no attention weights, and the format {} "
                                                 "needs weights. Use pharaoh, hard or fairseq",
                                                 record.id + 1, format.name()));
  }
  if (format.spaced && record.source_kind == SourceKind::sentences) {
    throw Error(
        ErrorKind::bad_data,
        fmt::format(
            "the source of record {} consists of several sentences, but the format {} can only contain single words. "
            "Use jsonl, pharaoh, bertviz or t2t",
            record.id + 1, format.name()));
  }
  const std::string holder = "the format " + format.name();
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
