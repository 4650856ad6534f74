// The program `convert` converts alignments from the format of one system to the format of another.
#include <fmt/format.h>

#include <optional>

#include "apps/cli/command_line.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/alignment_input.h"
#include "apps/pages/drawing.h"
#include "apps/run/corpus_files.h"
#include "apps/terminal/output.h"
#include "data/alignment/formats/formats.h"
#include "data/alignment/symmetrisation.h"
#include "data/io/error.h"
#include "data/io/files.h"

using namespace softalign;

namespace {

using data::AlignmentFormat;

// Reverse has the options for links of the opposite direction, which are joined with the links of --in.
struct Reverse {
  std::optional<data::JointRuleKind> rule;
  std::string file;
  bool same_order = false;  // its links are also source-target, as fast_align -r writes them
};

void check(const Reverse& reverse, const apps::AlignmentOutput& output) {
  if (reverse.rule.has_value() == reverse.file.empty()) {
    throw apps::UsageError(
        "--symmetrise RULE combines the links of --in and --reverse FILE, so these two options need each other. Give "
        "both options");
  }
  if (reverse.same_order && reverse.file.empty())
    throw apps::UsageError(
        "--same-order has an effect only with --reverse. Add --reverse FILE, or remove --same-order");
  if (reverse.rule) check_links(output, "symmetrise");
}

void symmetrise_all(std::vector<data::Record>& records, const Reverse& reverse, const data::Format& format,
                    const std::vector<data::Pair>& pairs, bool one_based) {
  const std::vector<data::Record> others =
      read_alignments(reverse.file, format, reverse.same_order ? pairs : turned(pairs), one_based);
  apps::note_base(others, reverse.file, format, one_based);
  if (others.size() != records.size()) {
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format("{} has {} alignments, but the file --in has {}. Give two files with alignments of the same pairs",
                    reverse.file, others.size(), records.size()));
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    data::Record& record = records[k];
    const data::Record& other = others[k];
    const bool same = reverse.same_order ? other.source == record.source && other.target == record.target
                                         : other.source == record.target && other.target == record.source;
    if (!same) {
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("{}: alignment {} belongs to other sentences than the same alignment of --in. "
                                    "Give two files with alignments of the same pairs{}",
                                    reverse.file, k + 1,
                                    reverse.same_order ? ""
                                                       : ". The source of --in must be the target of --reverse. If "
                                                         "both files have the same source, add --same-order"));
    }
    record.links =
        data::symmetrise(*reverse.rule, record.links, reverse.same_order ? other.links : data::transposed(other.links),
                         record.source.size(), record.target.size());
    record.weights.matrix.clear();
  }
}

struct ConvertOptions {
  apps::CorpusFiles files;
  apps::AlignmentOutput output;
  Reverse reverse;
  apps::AlignmentInput input;
  std::string out;
};

void declare(apps::CommandLine& line, ConvertOptions& o) {
  line.add_word("file", &o.input.word, "file of alignments, in the format --from");
  declare(line, o.input);
  declare(line, o.output);
  models::Table of_sentences = table(o.files);
  // The links come from --in, and no gold links are compared with them, so --alignment is not an option.
  std::erase_if(of_sentences, [](const models::Option& option) { return option.name == "alignment"; });
  line.add_here(of_sentences);
  line.add_here("symmetrise", &o.reverse.rule,
                "combine the links of --in with the links of --reverse (Koehn et al. 2003)",
                apps::one_of(data::rules_of_links()));
  apps::advise_joint_rules(line, "symmetrise");
  line.add_here("reverse", &o.reverse.file,
                "with --symmetrise: file of alignments of the same pairs in the opposite direction, in the format "
                "--from. The source of --in must be the target of --reverse");
  line.add_here(
      "same-order", &o.reverse.same_order,
      "with --reverse: both files have the same source and target (fast_align -r and eflomal write such files)");
  line.add_here("out", &o.out,
                "output file. An old file is replaced only when the new one is complete. Default: standard output");
}

// Throws UsageError for options that do not fit each other.
void check(const apps::CommandLine& line, ConvertOptions& o) {
  choose(o.input);
  apps::choose_format(o.output.format, o.out, line.given("format"));
  check(o.output);
  check(o.reverse, o.output);
  check_threshold(line, o.output.rule);
  const AlignmentFormat from = *o.input.from;
  check_tokens(o.output.units, o.output.format, from != AlignmentFormat::jsonl, "the tokens of the records");
  check_one_based(o.files, from);
}

std::vector<data::Record> read_records(ConvertOptions& o) {
  const data::Format& format = data::format_of(*o.input.from);
  const std::vector<data::Pair> pairs = read_pairs(o.files, format);
  std::vector<data::Record> records = o.input.records(format, pairs, o.files.one_based);
  apps::note_base(records, o.input.in, format, o.files.one_based);
  if (o.reverse.rule) symmetrise_all(records, o.reverse, format, pairs, o.files.one_based);
  return records;
}

void write_records(const std::vector<data::Record>& records, const ConvertOptions& o) {
  const apps::HeatmapStyle style = apps::screen_style(o.output.colour, o.out.empty());
  // Records of softalign contain their lines. If the user asks for words of these lines (--over), tokens must not
  // replace the words.
  const bool own_lines = *o.input.from == AlignmentFormat::jsonl && o.output.units.unit;
  apps::AlignmentText written(o.output, style, own_lines ? data::NoLine::refuse : data::NoLine::tokens_are_words);
  std::string text;
  for (const data::Record& record : records) text += written.add(record);
  text += written.rest();
  written.finish();
  if (o.out.empty()) apps::print_alignment(text, o.output.format);
  else if (o.output.format == AlignmentFormat::svg) apps::write_drawing(o.out, text);
  else data::OutputFile(o.out).write_all(text);
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  ConvertOptions o;
  apps::CommandLine line(
      "convert", "Converts alignments between the formats of different systems.",
      {"convert alignments.jsonl --format bertviz --out alignments.bertviz",
       "convert alignments.jsonl --out alignments.svg    a drawing; or alignments.png",
       "convert --in nematus.txt --from nematus --format plot | less -R",
       "convert --in marian.out --from soft --source test.en --target test.fr --format jsonl",
       "convert --in en-fr.links --reverse fr-en.links --symmetrise grow-diag-final-and --from pharaoh "
       "--data test.tsv --format pharaoh"},
      common);
  line.pass_over(apps::training_names());
  declare(line, o);
  return line.run(argc, argv, [&] {
    check(line, o);
    write_records(read_records(o), o);
    return 0;
  });
}
