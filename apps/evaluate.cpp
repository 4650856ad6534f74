// The program `evaluate` measures how well a run translates and aligns a corpus. It prints scores over all pairs, by
// length and by tag.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "apps/cli/command_line.h"
#include "apps/em/em_baseline.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/decoding.h"
#include "apps/inference/evaluation_report.h"
#include "apps/inference/link_scores.h"
#include "apps/inference/unknown_words.h"
#include "apps/ranks/communicator.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/corpus/layout.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"

using namespace softalign;

namespace {

struct EvaluateOptions {
  apps::CorpusFiles files;
  models::BeamOptions search;
  std::vector<std::string> runs, references;
  std::string scored_by = apps::standard_words;
  apps::UnknownWords unknown;
  data::LinkRule rule;
  apps::MatrixChoice matrix;
  std::size_t max_length = 0, bucket = 10;
  bool json = false, details = false;
  apps::LinkFiles links;
};

void declare(apps::CommandLine& line, EvaluateOptions& o) {
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  models::Table runs = apps::runs_table(o.runs);
  runs.front().rule.required = false;  // --links scores a file without a run
  line.add_here(runs);
  line.add_here(table(o.files));
  line.group("Corpus");
  line.add_here("reference", &o.references,
                "text file of additional references for BLEU, chrF and exact match, one line per pair. A blank line "
                "means that the pair has no additional reference");
  line.add_here("tokenize", &o.scored_by,
                "tokeniser for BLEU, chrF and exact match. `words`: the tokeniser of softalign, in lower case; `13a`: "
                "the default of sacreBLEU, case-sensitive, for comparison with published figures",
                apps::one_of({apps::standard_words, apps::mteval_13a}));
  line.add_here("max-length", &o.max_length, "largest number of words per side; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
  declare(line, o.search);
  declare(line, o.unknown);
  line.group("Links");
  declare(line, o.rule);
  line.add_here(table(o.matrix));
  declare(line, o.links);
  line.group("Output");
  line.add_here(
      "details", &o.details,
      "also print all scores for groups of pairs with similar length, and for each tag of the corpus (a label "
      "of some pairs)");
  line.add_here("bucket", &o.bucket,
                "width of the groups of --details: the first group has pairs with 1 to N source words, the second one "
                "with N + 1 to 2N, and so on. --bucket switches --details on",
                apps::between(1, 100000));
  line.add_here("json", &o.json, "print all scores as JSON instead of text");
}

apps::Evaluation scores_of(const std::vector<apps::EvaluatedPair>& pairs, const EvaluateOptions& o) {
  return {score(pairs), score_by_length(pairs, o.bucket), score_by_tag(pairs), apps::signature_of(pairs, o.scored_by)};
}

void report_notes(const apps::LoadedRun& run, const std::vector<data::Pair>& pairs, const apps::EvaluationScores& all,
                  const std::string& file) {
  apps::UnknownNote unknown_note(run);
  for (const data::Pair& pair : pairs) unknown_note.add_pair(pair);
  const auto with_gold =
      std::count_if(pairs.begin(), pairs.end(), [](const data::Pair& pair) { return pair.gold.has_value(); });
  apps::report("{}{}", data::with_file(unknown_note.take(), file),
               apps::note_of_gold(static_cast<std::size_t>(with_gold), pairs.size()));
  if (all.with_gold > 0 && all.translated > 0 && !run.alignment_layer)
    apps::report("{}", apps::note_of_uniform_attention(all.entropy(), all.even_entropy()));
}

void print_scores(const apps::Evaluation& evaluation, const EvaluateOptions& o) {
  const std::size_t columns = apps::terminal_columns(STDOUT_FILENO, 80);
  apps::print("{}", o.json      ? to_json(evaluation)
                    : o.details ? format_details(evaluation, columns)
                                : format_summary(evaluation, columns));
}

void print_scores(const apps::LinkScore& score, bool json) {
  apps::print("{}", json ? to_json(score) : format_scores(score, apps::terminal_columns(STDOUT_FILENO, 80)));
}

// Translates and aligns the pairs. Several processes divide the pairs among them.
std::vector<apps::EvaluatedPair> evaluate_pairs(apps::LoadedRun& run, const std::vector<data::Pair>& pairs,
                                                const EvaluateOptions& o, std::size_t threads,
                                                const apps::Communicator& ranks) {
  run.processes = process_group_of(ranks);
  std::vector<std::vector<std::string>> references;
  for (const std::string& path : o.references) references.push_back(apps::read_references(path, pairs.size()));
  if (!ranks.alone())
    check_same(ranks,
               {{"parameters", apps::hash(run.params)}, {"pairs", hash(encode(run, pairs))}, {"threads", threads}});
  return apps::evaluate(run, pairs, o.search, references, o.unknown, o.scored_by);
}

int evaluate(int argc, char** argv, const apps::Communicator& ranks) {
  apps::CommonOptions common;
  EvaluateOptions o;
  apps::CommandLine line("evaluate",
                         "Scores the translations and alignments of a run on a corpus. With --links, it scores the "
                         "links of a file.",
                         {"evaluate --run runs/demo --data data/toy/test.tsv --details",
                          "evaluate --run runs/demo --data data/toy/long.tsv --beam 5 --json > long.json",
                          "evaluate --run runs/demo --data test.tsv --reference second.fr --reference third.fr",
                          "evaluate --links links.txt --gold gold.txt    links of any aligner; AER, precision, recall"},
                         common);
  declare(line, o);
  return line.run(argc, argv, [&] {
    check(line, o.links, o.files);
    if (!o.links.links.empty()) {
      if (ranks.first()) print_scores(score_links(o.links, o.files), o.json);
      return 0;
    }
    prepare(o.unknown);
    apps::LoadedRun run = apps::load_runs(o.runs);
    apply(o.matrix, run, o.runs.front());
    const data::Corpus corpus = read_corpus(o.files, run.options, o.max_length, data::TooLong::refuse);
    apps::report("{}", corpus.note);
    std::vector<apps::EvaluatedPair> pairs = evaluate_pairs(run, corpus.pairs, o, common.threads, ranks);
    if (!ranks.first()) return 0;
    check_threshold(line, o.rule);
    if (o.rule.kind != data::LinkRuleKind::best) set_links(pairs, o.rule);
    apps::report("{}", add_em_links(pairs, run, apps::RunFolder{o.runs.front()}));
    const apps::Evaluation evaluation = scores_of(pairs, o);
    report_notes(run, corpus.pairs, evaluation.all, o.files.tsv);
    if (line.given("bucket")) o.details = true;
    print_scores(evaluation, o);
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) { return evaluate(argc, argv, ranks); });
}
