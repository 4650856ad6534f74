// The program `entail` reads two sentences, and prints whether the second sentence follows from the first. It can also
// show which words the model compared.
#include <fmt/format.h>

#include "apps/cli/command_line.h"
#include "apps/inference/answers.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "data/io/error.h"
#include "data/sentence_pairs/sentence_pairs.h"

using namespace softalign;

namespace {

struct Sentences {
  std::string premise, hypothesis;
};

int entail(const Sentences& two, const apps::AnswerOptions& o) {
  const apps::LoadedRun run = apps::load_runs(o.runs);
  apps::check_task(run.options.task, models::Task::entailment, "--run " + o.runs.front());
  data::Pair pair;
  set_premise(pair, two.premise, two.hypothesis, apps::tokenizer(run.options), "command line");
  print_answers(run, pair, o);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  Sentences two;
  apps::AnswerOptions o;
  apps::CommandLine line(
      "entail",
      "Judges whether the second sentence (the hypothesis) follows from the first (the premise). It prints one of the "
      "labels that the run was trained with, and can show which words it compared.",
      {"entail --run runs/pairs \"a red dog sleeps\" \"an animal sleeps\" --alignment plot",
       "entail --run runs/pairs \"a red dog sleeps\" \"a cat runs\" --n-best 3    label ||| log p"},
      common);
  line.pass_over(apps::training_names());
  line.add_word("PREMISE", &two.premise, "first sentence, in quotes", {.required = true});
  line.add_word("HYPOTHESIS", &two.hypothesis, "second sentence, in quotes, which may follow from the premise",
                {.required = true});
  declare(line, o, "labels",
          "also print the attention. `plot`: below the label, the attention of each word of the hypothesis to the "
          "premise; `jsonl`: one JSON record instead of the label, with the attention in both directions");
  return line.run(argc, argv, [&] { return entail(two, o); });
}
