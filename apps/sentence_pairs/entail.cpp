// entail: two sentences in, what the first says of the second out, and which words were compared.
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
  const apps::Run run = apps::load_runs(o.runs);
  if (!is_of_sentence_pairs(run.options))
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("--run {}: its task is {}, not to compare sentences (train --task entailment)",
                                  o.runs.front(), run.options.task));
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
  apps::CommandLine line("entail",
                         "Says whether the second sentence follows from the first, by one of the labels that the run "
                         "was trained on, and shows which words it compared.",
                         {"entail --run runs/pairs \"a red dog sleeps\" \"an animal sleeps\" --alignment plot",
                          "entail --run runs/pairs \"a red dog sleeps\" \"a cat runs\" --n-best 3    label ||| log p"},
                         common);
  line.pass_over(apps::training_names());
  line.add_word("PREMISE", &two.premise, "what is said", {.required = true});
  line.add_word("HYPOTHESIS", &two.hypothesis, "what may follow from it", {.required = true});
  declare(
      line, o, "labels",
      "plot: below the label where each word of the hypothesis looked in the premise; jsonl: a record in its place, "
      "with both sentences' looks");
  return line.run(argc, argv, [&] { return entail(two, o); });
}
