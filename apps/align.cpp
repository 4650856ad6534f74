// align: forced decoding of given pairs; where the model looks while it writes the translation that is there already.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "apps/support/alignment_format.h"
#include "apps/support/command_line.h"
#include "apps/support/corpus_files.h"
#include "apps/support/ensemble_run.h"
#include "apps/support/inference.h"
#include "data/files.h"

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::CorpusFiles files;
  apps::AlignmentOutput output;
  std::vector<std::string> run_paths;
  std::string out;
  std::size_t max_length = 0;
  apps::CommandLine line("align", "Aligns the words of sentence pairs by a trained model's attention.",
                         {"align --run runs/toy --data data/toy/test.tsv --out runs/toy/alignments.jsonl",
                          "align --run runs/toy --data data/toy/test.tsv --format plot | less -R",
                          "align --run runs/toy --source test.en --target test.fr --format pharaoh > links.txt"},
                         common);
  declare_runs(line, run_paths);
  declare(line, files);
  declare(line, output);
  line.add_here("out", out, "file to write, whole or not at all; standard output if not given");
  line.add_here("max-length", max_length, "most words a side; 0: as in training");

  return line.run(argc, argv, [&] {
    check(files);
    check(output);
    const apps::Run run = apps::load_runs(run_paths);
    const std::size_t longest = max_length > 0 ? max_length : run.options.max_length;
    const data::Corpus corpus = read_corpus(files, run.options, longest, data::TooLong::refuse);
    const apps::HeatmapStyle style{apps::choose_colours(output.colour, out.empty() && apps::is_terminal(STDOUT_FILENO)),
                                   apps::terminal_columns()};
    const std::vector<data::EncodedPair> pairs = encode(corpus.pairs, run.source, run.target);
    constexpr std::size_t piece = 1024;  // pairs whose attention is held at a time
    std::string text;
    for (std::size_t begin = 0; begin < pairs.size(); begin += piece) {
      const std::size_t end = std::min(begin + piece, pairs.size());
      const auto forced = apps::force(*run.model, {pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                                                   pairs.begin() + static_cast<std::ptrdiff_t>(end)});
      if (forced.front().attention.empty()) {
        throw std::runtime_error(fmt::format("--run {}: its model ({}) has no attention, so it aligns nothing",
                                             run_paths.front(), run.options.model.model));
      }
      for (std::size_t i = begin; i < end; ++i) {
        data::Record record = apps::forced_record(corpus.pairs[i], forced[i - begin], i);
        record.mode = record_mode(run, record.mode);
        text += format_record(std::move(record), output, style);
      }
      if (out.empty()) std::cout << std::exchange(text, "");
    }
    if (!out.empty()) data::write_file(out, text);
    return 0;
  });
}
