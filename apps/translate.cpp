// translate: lines in, translations out, in the same order and number.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "apps/support/alignment_format.h"
#include "apps/support/command_line.h"
#include "apps/support/corpus_files.h"
#include "apps/support/inference.h"
#include "apps/support/line_reader.h"

namespace {

struct TranslateOptions {
  std::string run, alignment, colour = "auto";
  models::BeamOptions search;
  std::size_t batch = 32, max_length = 0;
  bool tokenized = false;
};

// Everything that is printed for one input line.
std::string answer(const apps::Run& run, const TranslateOptions& o, const data::Tokens& source,
                   const std::vector<models::Hypothesis>& found, std::size_t id, const apps::HeatmapStyle& style) {
  std::string text;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const data::Tokens target = run.target.words(found[rank].ids);
    const data::Record record = apps::hypothesis_record(source, target, found[rank], o.search, id, rank);
    if (o.alignment == "jsonl") {
      text += format_record(record, "jsonl", style);
      continue;
    }
    const bool numbers_tokens = o.alignment == "hard" || o.alignment == "soft";
    std::string line = o.tokenized || numbers_tokens ? data::join_words(target)
                                                     : data::detokenize(target, tokenizer_options(run.options));
    if (o.alignment == "hard") line += " ||| " + apps::hard_links(record);
    if (o.alignment == "soft") line += " ||| " + apps::soft_weights(record);
    if (o.search.n_best > 1) line = fmt::format("{} ||| {} ||| {:.6g}", id, line, found[rank].score);
    text += line + "\n";
    if (o.alignment == "plot") text += format_record(record, "plot", style);
  }
  return text;
}

int translate(const apps::Run& run, const TranslateOptions& o, const apps::HeatmapStyle& style) {
  const data::Tokenize tokenize = apps::tokenizer(run.options);
  const std::size_t longest = o.max_length > 0 ? o.max_length : run.options.max_length;
  apps::LineReader input(STDIN_FILENO, "standard input");
  std::size_t id = 0;
  for (auto lines = input.next(o.batch); !lines.empty(); lines = input.next(o.batch)) {
    std::vector<data::Tokens> sources;
    std::vector<data::Ids> ids;  // of the lines that are not blank
    for (const std::string& line : lines) {
      sources.push_back(tokenize(line));
      const std::size_t words = sources.back().size();
      if (words > longest) {
        throw std::runtime_error(fmt::format("standard input:{}: {} words; at most {} are translated (--max-length)",
                                             id + sources.size(), words, longest));
      }
      if (words > 0) ids.push_back(run.source.ids(sources.back()));
    }
    const auto found = apps::search(*run.model, ids, o.search, o.batch);
    auto next = found.begin();
    for (const data::Tokens& source : sources) {
      std::cout << (source.empty() ? "\n" : answer(run, o, source, *next++, id, style));
      ++id;
    }
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("standard output could not be written");
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  TranslateOptions o;
  apps::CommandLine line("translate",
                         "Translates standard input line by line: one line out for each line in, blank ones included.",
                         {"echo 'i love you' | translate --run runs/toy --alignment plot",
                          "translate --run runs/toy --beam 5 < in.en > out.fr",
                          "translate --run runs/toy --beam 5 --n-best 5 < in.en    number ||| translation ||| score"},
                         common);
  line.add_here("run", o.run, "the run folder")->required();
  line.add("beam", o.search.beam, "hypotheses kept in the search; 1: greedy")->check(apps::between(1, 10000));
  line.add_here("n-best", o.search.n_best, "translations printed a line, at most --beam")
      ->check(apps::between(1, 10000));
  line.add("length-penalty", o.search.length_penalty, "alpha: hypotheses are ranked by log p / length^alpha")
      ->check(apps::between(0, 10));
  line.add_here(
          "alignment", o.alignment,
          "plot: a heatmap after each line; soft, hard: Marian's, after |||, the line tokenised; jsonl: records in "
          "place of lines")
      ->check(CLI::IsMember({"plot", "soft", "hard", "jsonl"}));
  line.add_here("tokenized", o.tokenized, "print tokens, separated by spaces");
  line.add_here("batch", o.batch, "lines translated together, if they are there already")
      ->check(apps::between(1, 10000));
  line.add_here("max-length", o.max_length, "most words a line may have; 0: as in training");
  line.add_here("color", o.colour, "colours of plot")->check(CLI::IsMember({"auto", "always", "never"}));

  return line.run(argc, argv, [&] {
    if (o.search.n_best > o.search.beam) throw apps::UsageError("--n-best cannot be more than --beam");
    const apps::Run run = apps::load_run(o.run);
    const apps::HeatmapStyle style{apps::choose_colours(o.colour, apps::is_terminal(STDOUT_FILENO)),
                                   apps::terminal_columns()};
    return translate(run, o, style);
  });
}
