#include "data/alignment/formats/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/alignment/formats/internal/links.h"
#include "data/alignment/formats/internal/matrix_text.h"
#include "data/alignment/formats/internal/nematus_scorer.h"
#include "data/alignment/formats/internal/visualisers.h"
#include "data/alignment/formats/marian_soft.h"
#include "data/alignment/record_json.h"
#include "data/io/files.h"

namespace data {
namespace {

std::string write_jsonl(const Record& record) { return to_json(record) + "\n"; }

}  // namespace

const std::vector<Format>& formats() {
  constexpr bool weights = true, links = false, words = true, no_words = false, spaced = true, apart = false;
  static const std::vector<Format> all{
      {"jsonl", "records with everything", weights, words, apart, write_jsonl, read_jsonl},
      {"pharaoh", "links 0-0 1-2", links, no_words, apart, write_pharaoh, read_pharaoh},
      {"tsv", "a corpus with links", links, words, spaced, write_tsv, read_tsv_links},
      {"soft", "Marian's weights", weights, no_words, apart, write_marian_soft, read_marian_soft},
      {"hard", "Marian's links", links, no_words, apart, write_marian_hard, read_marian_hard},
      {"nematus", "Nematus's text", weights, words, spaced, write_nematus, read_nematus},
      {"sockeye", "Sockeye 1's matrices", weights, words, spaced, write_sockeye, read_sockeye},
      {"fairseq", "fairseq's lines A-0", links, no_words, apart, write_fairseq, read_fairseq},
      {"bertviz", "BertViz's JSON", weights, words, apart, write_bertviz, read_bertviz},
      {"t2t", "tensor2tensor's JSON", weights, words, apart, write_t2t, read_t2t}};
  return all;
}

const Format& format_named(const std::string& name) {
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.name == name; });
  if (found == formats().end()) throw std::invalid_argument("unknown alignment format " + name);
  return *found;
}

std::string write(const Format& format, const Record& record) {
  const bool blank = record.source.empty() && record.target.empty();  // of a blank line
  if (format.weights && record.matrix.empty() && !blank) {
    throw std::runtime_error(fmt::format(
        "sentence {} has links but no attention weights, which the format {} needs; choose pharaoh, hard or fairseq",
        record.id + 1, format.name));
  }
  if (format.spaced && record.source_kind == "sentences") {
    throw std::runtime_error(
        fmt::format("sentence {} has sentences for a source, and the format {} has spaces between words only; choose "
                    "jsonl, pharaoh, bertviz or t2t",
                    record.id + 1, format.name));
  }
  return format.write(record);
}

std::vector<Record> read_alignments(const std::string& path, const Format& format, std::vector<Pair> pairs) {
  return format.read({path, read_lines(path), std::move(pairs)});
}

}  // namespace data
