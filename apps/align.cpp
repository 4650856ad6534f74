// align: forced decoding of given pairs; where the model looks while it writes the translation that is there already.
#include <fmt/format.h>
#include <iostream>
#include <optional>

#include "apps/cli/command_line.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/interventions.h"
#include "apps/inference/unknown_note.h"
#include "apps/run/corpus_files.h"
#include "apps/run/ensemble_run.h"
#include "data/alignment/lexicon.h"
#include "data/io/files.h"

namespace {

struct AlignOptions {
  std::vector<std::string> runs;
  apps::CorpusFiles files;
  apps::AlignmentOutput output;
  apps::InterventionOptions intervention;
  std::string out, lexicon;
  std::size_t max_length = 0;
  bool pieces = false;
};

int write_alignments(const apps::Run& run, const AlignOptions& o) {
  if (o.pieces && run.source_pieces.whole_words()) {
    throw std::runtime_error(
        fmt::format("--pieces: {} has whole words (--tokenizer {})", o.runs.front(), run.options.tokenizer));
  }
  const data::Corpus corpus = read_corpus(o.files, run.options, o.max_length, data::TooLong::refuse);
  const bool to_screen = o.out.empty() && o.lexicon.empty();
  const apps::HeatmapStyle style = apps::screen_style(o.output.colour, to_screen);
  data::LinkCounts counts;
  apps::UnknownNote unknown(run);
  for (const data::Pair& pair : corpus.pairs) unknown.add_pair(pair);
  fmt::print(stderr, "{}", unknown.take());
  std::optional<data::FileWriter> file;
  if (!o.out.empty()) file.emplace(o.out);
  const apps::Tokens tokens = o.pieces ? apps::Tokens::pieces : apps::Tokens::words;
  apps::AlignmentText text(o.output, style);
  const auto write = [&](const std::string& part) {
    if (to_screen) std::cout << part;
    if (file) file->write(part);
  };
  align_pairs(run, o.runs.front(), corpus.pairs, tokens, [&](const data::Record& record) {
    if (!o.lexicon.empty()) counts.add(record.source, record.target, record.links);
    if (to_screen || file) write(text.add(record));
  });
  write(text.rest());
  if (file) file->finish();
  if (!o.lexicon.empty()) data::write_file(o.lexicon, format_lexicon(counts.lexicon()));
  return 0;
}

int write_interventions(const apps::Run& run, const AlignOptions& o, std::uint64_t seed) {
  if (run.members > 1 || o.pieces || !o.lexicon.empty() || o.output.format != "jsonl") {
    throw apps::UsageError("--intervene is of one --run, and writes --format jsonl; leave the other options out");
  }
  const data::Corpus corpus = read_corpus(o.files, run.options, o.max_length, data::TooLong::refuse);
  std::optional<data::FileWriter> file;
  if (!o.out.empty()) file.emplace(o.out);
  intervene(run, o.intervention, corpus.pairs, seed, [&](const std::string& line) {
    if (file) {
      file->write(line);
    } else {
      std::cout << line;
    }
  });
  if (file) file->finish();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  AlignOptions o;
  apps::CommandLine line("align", "Aligns the words of sentence pairs by a trained model's attention.",
                         {"align --run runs/toy --data data/toy/test.tsv --out runs/toy/alignments.jsonl",
                          "align --run runs/toy --data data/toy/test.tsv --format plot | less -R",
                          "align --run runs/toy --data few.tsv --format svg --out few.svg",
                          "align --run runs/toy --source test.en --target test.fr --format pharaoh > links.txt",
                          "align --run runs/toy --data data/toy/train.tsv --lexicon lexicon.tsv",
                          "align --run runs/toy --data few.tsv --intervene all --out runs/toy/interventions.jsonl"},
                         common);
  line.pass_over(apps::training_names());
  line.add_here(apps::runs_table(o.runs));
  line.add_here(table(o.files));
  declare(line, o.output);
  line.add_here("out", &o.out, "file to write, whole or not at all; standard output if not given");
  line.add_here("lexicon", &o.lexicon,
                "write the most probable translation of each word, counted over the links; alignments then go to --out "
                "only");
  line.add_here("pieces", &o.pieces, "of a run with --tokenizer sentencepiece: align its pieces in place of words");
  line.group("Corpus");
  line.add_here("max-length", &o.max_length, "most words a side; 0: as in training");
  declare(line, o.intervention);

  return line.run(argc, argv, [&] {
    check(o.files);
    check(o.output);
    check(o.intervention);
    if (!o.intervention.kind.empty()) return write_interventions(apps::load_runs(o.runs), o, common.seed);
    return write_alignments(apps::load_runs(o.runs), o);
  });
}
