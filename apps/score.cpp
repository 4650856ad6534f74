// The program `score` computes how probable given translations are to a model.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/command_line.h"
#include "apps/inference/unknown_words.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "data/corpus/layout.h"
#include "data/io/commands.h"

using namespace softalign;

namespace {

// Returns log p(y | x), its mean per token, and the perplexity exp(-mean). The tokens are the words of the target and
// </s>.
std::string line_of(const apps::TeacherForcedPair& teacher_forced) {
  double log_prob = 0;
  for (const float word : teacher_forced.log_prob) log_prob += word;
  const double mean = log_prob / static_cast<double>(teacher_forced.log_prob.size());
  return fmt::format("{:.6f}\t{:.6f}\t{:.6g}\n", log_prob, mean, std::exp(-mean));
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::CorpusFiles files;
  std::vector<std::string> run_paths;
  std::size_t max_length = 0;
  apps::CommandLine line(
      "score",
      "Scores given translations. It prints one line per pair with three columns, separated by tabs. They are log "
      "p(target | source) in nats, its mean per token, and the perplexity per token. The end of the sentence (</s>) "
      "counts as a token. With a language model, score reads texts, one per line. A "
      "blank text, or a pair with a blank side, gives a blank line.",
      {"score --run runs/demo --data data/toy/test.tsv > scores.tsv",
       "score --run runs/lm --data texts.txt    for a language model",
       "score --run runs/a --run runs/b --source test.en --target test.fr    for an ensemble"},
      common);
  line.pass_over(apps::training_names());
  line.add_here(apps::runs_table(run_paths));
  line.advise_if_missing("run", apps::advice_on_runs);
  line.add_here(table(files));
  line.group("Corpus");
  line.add_here("max-length", &max_length, "largest number of words per side; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));

  return line.run(argc, argv, [&] {
    check(files);
    const apps::LoadedRun run = apps::load_runs(run_paths);
    const data::Corpus corpus = read_corpus(files, run.options, max_length, data::TooLong::refuse, data::Blank::keep);
    apps::report("{}", corpus.note);
    const std::vector<data::Pair>& pairs = corpus.pairs;
    apps::UnknownNote unknown(run);
    for (const data::Pair& pair : pairs) unknown.add_pair(pair);
    apps::report("{}", data::with_file(unknown.take(), files.tsv));
    constexpr std::size_t piece = 1024;  // pairs whose attention is in memory at a time
    for (std::size_t begin = 0; begin < pairs.size(); begin += piece) {
      const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin);
      const std::size_t count = std::min(piece, pairs.size() - begin);
      const auto teacher_forced = apps::teacher_force(run, {first, first + static_cast<std::ptrdiff_t>(count)});
      for (std::size_t i = 0; i < count; ++i) {
        apps::put(pairs[begin + i].blank ? "\n" : line_of(teacher_forced[i]));
      }
    }
    return 0;
  });
}
