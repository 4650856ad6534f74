#include "apps/inference/alignment_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "apps/inference/alignment_format.h"
#include "apps/terminal/output.h"
#include "data/alignment/formats/format_by_content.h"
#include "data/corpus/pharaoh.h"
#include "data/corpus/readers.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::apps {

std::vector<data::Record> AlignmentInput::records(const data::Format& format, std::vector<data::Pair> pairs,
                                                  bool one_based) {
  if (!lines) lines = data::read_lines(in);
  return format.read({in, *std::exchange(lines, std::nullopt), std::move(pairs), one_based});
}

void declare(CommandLine& line, AlignmentInput& input) {
  line.add_here("in", &input.in, "file of alignments. It has the same meaning as the argument `file`");
  line.add_here("from", &input.from,
                "format of the input file. Default: the format that the ending of the file name (own.jsonl) or the "
                "content of the file shows. The format jsonl also reads the files of the scorer of Nematus",
                {.names = readable_formats()});
  line.advise("from", {{"plot", "convert cannot read a picture"},
                       {"svg", "convert cannot read a picture"},
                       {"fast_align", "fast_align's links are pharaoh"},
                       {"moses", "links of Moses are pharaoh"},
                       {"marian", "Marian writes hard or soft"},
                       {"opennmt", "the links of OpenNMT-py (--report_align) are pharaoh"}});
}

std::vector<data::Pair> read_pairs(const CorpusFiles& files, const data::Format& format) {
  if (format.words && is_given(files)) {
    throw UsageError(
        fmt::format("--from {}: the file contains the sentences. Remove --data, --source and --target", format.name()));
  }
  if (format.words) return {};
  if (!is_given(files)) {
    throw UsageError(
        fmt::format("--from {}: the file does not contain all words. Add the sentences with --data FILE, or --source "
                    "FILE and --target FILE",
                    format.name()));
  }
  check(files);
  check_memory_of_text(files);
  data::CorpusOptions rules;  // links count words between white space
  rules.first_word = files.one_based;
  rules.blank = data::Blank::keep;
  if (files.source.empty()) return data::read_tsv(files.tsv, rules).pairs;
  return data::read_parallel(files.source, files.target, "", rules).pairs;
}

void choose(AlignmentInput& input) {
  auto& [in, word, from, lines] = input;
  if (in.empty() == word.empty())
    throw UsageError(in.empty()
                         ? "no file of alignments is given. Name the file: convert own.jsonl --format pharaoh. To "
                           "read standard input: convert --in - --from jsonl --format pharaoh"
                         : fmt::format("two files of alignments are given, {} and --in {}. Remove one of them",
                                       data::in_quotes(word), data::in_quotes(in)));
  if (in.empty()) in = word;
  if (!from) from = format_by_ending(in);
  if (from) return;
  lines = data::read_lines(in);
  from = data::format_by_content(*lines);
  if (!from)
    throw UsageError(fmt::format(
        "{}: neither the name nor the content of the file shows its format. Add --from FORMAT; the formats are {}", in,
        fmt::join(readable_formats(), ", ")));
  report("note: {} looks like the format {}, so convert reads it in this format. For another format, add --from NAME\n",
         in, autograd::name_of(*from));
}

void check_one_based(const CorpusFiles& files, data::AlignmentFormat from) {
  if (files.one_based && data::format_of(from).weights) {
    throw UsageError(
        fmt::format("--one-based has an effect only on formats with links (pharaoh, tsv, hard, fairseq), and --from "
                    "{} has weights. Remove --one-based",
                    autograd::name_of(from)));
  }
}

void note_base(const std::vector<data::Record>& records, const std::string& file, const data::Format& format,
               bool one_based) {
  if (one_based || format.weights) return;
  data::IndexBase base;
  for (const data::Record& record : records) base.add(record.links);
  report("{}", base.note(file));
}

}  // namespace softalign::apps
