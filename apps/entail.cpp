// entail: two sentences in, what the first says of the second out, and which words were compared.
#include <fmt/format.h>

#include <iostream>

#include "apps/cli/command_line.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/self_attention.h"
#include "apps/inference/unknown_note.h"
#include "apps/run/corpus_files.h"
#include "apps/run/ensemble_run.h"
#include "apps/run/record_text.h"
#include "apps/terminal/tell.h"
#include "data/alignment/across.h"
#include "data/corpus/judged_pairs.h"

namespace {

struct EntailOptions {
  std::vector<std::string> runs;
  std::string premise, hypothesis, alignment, colour = "auto";
  std::size_t n_best = 1;
};

int entail(const EntailOptions& o) {
  const apps::Run run = apps::load_runs(o.runs);
  if (!is_of_judged_pairs(run.options))
    throw std::runtime_error(fmt::format("--run {}: its task is {}, not to compare sentences (train --task entailment)",
                                         o.runs.front(), run.options.task));
  data::Pair pair;
  set_premise(pair, o.premise, o.hypothesis, apps::tokenizer(run.options), "command line");
  apps::UnknownNote unknown(run);
  unknown.add_source(pair.source);
  apps::tell("{}", unknown.take());
  const apps::SourceText source = source_of(run, pair);
  models::BeamOptions search;
  search.beam = search.n_best = o.n_best;
  auto found = apps::search(*run.model, run.params, {encoded(source)}, search).front();
  const apps::HeatmapStyle style = apps::screen_style(o.colour);
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    add_self_attention(found[rank], run, source);
    const std::string mode = record_mode(run, o.n_best == 1 ? "greedy" : "beam");
    data::Record record = hypothesis_record(run, source, found[rank], mode, 0, rank);
    const std::string label = detokenize(run, record.target);
    add_text(record, run, source, label);
    if (o.alignment == "jsonl") {
      std::cout << format_record(record, "jsonl", style);
      continue;
    }
    std::cout << (o.n_best > 1 ? fmt::format("{} ||| {:.6g}\n", label, found[rank].score) : label + "\n");
    if (o.alignment == "plot" && rank == 0) std::cout << format_record(data::across(record), "plot", style);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  EntailOptions o;
  apps::CommandLine line("entail",
                         "Says whether the second sentence follows from the first, by one of the labels that the run "
                         "was trained on, and shows which words it compared.",
                         {"entail --run runs/pairs \"a red dog sleeps\" \"an animal sleeps\" --alignment plot",
                          "entail --run runs/pairs \"a red dog sleeps\" \"a cat runs\" --n-best 3    label ||| log p"},
                         common);
  line.pass_over(apps::training_names());
  line.add_word("PREMISE", &o.premise, "what is said", {.required = true});
  line.add_word("HYPOTHESIS", &o.hypothesis, "what may follow from it", {.required = true});
  line.add_here(apps::runs_table(o.runs));
  line.add_here("n-best", &o.n_best, "labels printed, the most probable first", apps::between(1, 10000));
  line.group("Output");
  line.add_here("alignment", &o.alignment,
                "plot: below the label where each word of the hypothesis looked in the premise; jsonl: a record in its "
                "place, with both sentences' looks",
                apps::one_of({"plot", "jsonl"}));
  line.add_here("color", &o.colour, "colours of plot", apps::one_of({"auto", "always", "never"}));
  return line.run(argc, argv, [&] { return entail(o); });
}
