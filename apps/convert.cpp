// convert: alignments from one system's format into another's.
#include <fmt/format.h>
#include <iostream>

#include "apps/cli/command_line.h"
#include "apps/inference/alignment_format.h"
#include "apps/run/corpus_files.h"
#include "data/alignment/formats/formats.h"
#include "data/io/files.h"

namespace {

// The sentences as they stand, for formats that do not hold them.
std::vector<data::Pair> read_pairs(const apps::CorpusFiles& files, const data::Format& format) {
  const bool given = !files.tsv.empty() || !files.source.empty();
  if (format.words && given) {
    throw apps::UsageError(fmt::format("--from {} holds its sentences; leave --data and --source out", format.name));
  }
  if (format.words) return {};
  if (!given) {
    throw apps::UsageError(
        fmt::format("--from {} does not hold all words: give the sentences with --data FILE, or --source and --target",
                    format.name));
  }
  check(files);
  data::CorpusOptions rules;
  rules.first_word = files.one_based;
  if (files.source.empty()) return data::read_tsv(files.tsv, rules).pairs;
  return data::read_parallel(files.source, files.target, files.alignment, rules).pairs;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::CorpusFiles files;
  apps::AlignmentOutput output;
  std::string in, from, out;
  apps::CommandLine line("convert", "Converts alignments between the formats of different systems.",
                         {"convert --in alignments.jsonl --from jsonl --format bertviz --out alignments.bertviz",
                          "convert --in nematus.txt --from nematus --format plot | less -R",
                          "convert --in marian.out --from soft --source test.en --target test.fr --format jsonl"},
                         common);
  line.add_here("in", &in, "file of alignments", {.required = true});
  line.add_here("from", &from, "its format; jsonl may also be the Nematus scorer's",
                {.names = apps::alignment_formats(), .required = true});
  declare(line, output);
  line.add_here(table(files));
  line.add_here("out", &out, "file to write, whole or not at all; standard output if not given");

  return line.run(argc, argv, [&] {
    if (from == "plot") throw apps::UsageError("--from plot: a plot cannot be read");
    check(output);
    const data::Format& format = data::format_named(from);
    const std::vector<data::Record> records = read_alignments(in, format, read_pairs(files, format));
    const apps::HeatmapStyle style = apps::screen_style(output.colour, out.empty());
    std::string text;
    for (const data::Record& record : records) text += format_record(record, output, style);
    if (out.empty()) std::cout << text;
    else data::write_file(out, text);
    return 0;
  });
}
