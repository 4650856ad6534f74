// evaluate: how well a run translates and aligns a corpus, as a whole, by length and by tag.
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
#include "data/io/error.h"
#include "data/io/files.h"

using namespace softalign;

namespace {

// Further references, one per line, as many as the corpus has pairs. A blank line is no reference.
std::vector<std::string> read_references(const std::string& path, std::size_t pairs) {
  std::vector<std::string> references = data::read_lines(path);
  if (references.size() != pairs) {
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format(
            "{}: the file has {} lines, but the corpus has {} pairs. Give a reference file with one line per pair",
            path, references.size(), pairs));
  }
  return references;
}

// The note on a corpus in which only some pairs have gold links: AER leaves the others out.
std::string note_of_gold(const std::vector<data::Pair>& pairs) {
  const auto with =
      std::count_if(pairs.begin(), pairs.end(), [](const data::Pair& pair) { return pair.gold.has_value(); });
  const auto all = static_cast<std::ptrdiff_t>(pairs.size());
  if (with == 0 || with == all) return "";
  return fmt::format("note: {} of {} pairs have no gold links, so AER is computed over the other pairs\n", all - with,
                     all);
}

std::string signature_of(const std::vector<apps::EvaluatedPair>& pairs, const std::string& scored_by) {
  const std::size_t first = pairs.front().references.size();
  const bool varies = std::any_of(pairs.begin(), pairs.end(),
                                  [first](const apps::EvaluatedPair& pair) { return pair.references.size() != first; });
  return pairs.front().translation ? apps::bleu_signature(scored_by, varies ? 0 : first) : "";
}

int evaluate(int argc, char** argv, const apps::Communicator& ranks) {
  apps::CommonOptions common;
  apps::CorpusFiles files;
  models::BeamOptions search;
  std::vector<std::string> run_paths;
  std::vector<std::string> reference_paths;
  std::string scored_by = apps::standard_words;
  apps::UnknownWords unknown;
  data::LinkRule rule;
  apps::MatrixChoice matrix;
  std::size_t max_length = 0, bucket = 10;
  bool json = false, details = false;
  apps::LinkFiles links;
  apps::CommandLine line("evaluate",
                         "Scores the translations and alignments of a run on a corpus. With --links, it scores the "
                         "links of a file.",
                         {"evaluate --run runs/demo --data data/toy/test.tsv --details",
                          "evaluate --run runs/demo --data data/toy/long.tsv --beam 5 --json > long.json",
                          "evaluate --run runs/demo --data test.tsv --reference second.fr --reference third.fr",
                          "evaluate --links links.txt --gold gold.txt    links of any aligner; AER, precision, recall"},
                         common);
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  models::Table runs = apps::runs_table(run_paths);
  runs.front().rule.required = false;  // --links scores a file
  line.add_here(runs);
  line.add_here(table(files));
  line.group("Corpus");
  line.add_here("reference", &reference_paths,
                "text file of additional references for BLEU, chrF and exact match, one line per pair. A blank line "
                "means that the pair has no additional reference");
  line.add_here("tokenize", &scored_by,
                "tokeniser for BLEU, chrF and exact match. `words`: the tokeniser of softalign, in lower case; `13a`: "
                "the default of sacreBLEU, case-sensitive, for comparison with published figures",
                apps::one_of({apps::standard_words, apps::mteval_13a}));
  line.add_here("max-length", &max_length, "largest number of words per side; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
  declare(line, search);
  declare(line, unknown);
  line.group("Links");
  declare(line, rule);
  line.add_here(table(matrix));
  declare(line, links);
  line.group("Output");
  line.add_here("details", &details, "also print all scores for groups of pairs with similar length, and for each tag");
  line.add_here("bucket", &bucket,
                "with --details: a group has lengths from 1 to N source words, from N + 1 to 2N, and so on. --bucket "
                "switches --details on",
                apps::between(1, 100000));
  line.add_here("json", &json, "print all scores as JSON instead of text");

  return line.run(argc, argv, [&] {
    check(line, links, files);
    const std::size_t columns = apps::terminal_columns(STDOUT_FILENO, 80);
    if (!links.links.empty()) {
      if (!ranks.first()) return 0;
      const apps::LinkScore score = score_links(links, files);
      apps::print("{}", json ? to_json(score) : format_scores(score, columns));
      return 0;
    }
    prepare(unknown);
    apps::Run run = apps::load_runs(run_paths);
    apply(matrix, run, run_paths.front());
    run.processes = process_group_of(ranks);
    const data::Corpus corpus = read_corpus(files, run.options, max_length, data::TooLong::refuse);
    apps::report("{}", corpus.note);
    std::vector<std::vector<std::string>> references;
    for (const std::string& path : reference_paths) references.push_back(read_references(path, corpus.pairs.size()));
    if (!ranks.alone())
      check_same(ranks, {{"parameters", apps::hash(run.params)},
                         {"pairs", hash(encode(run, corpus.pairs))},
                         {"threads", common.threads}});
    auto pairs = apps::evaluate(run, corpus.pairs, search, references, unknown, scored_by);
    if (!ranks.first()) return 0;
    check_threshold(line, rule);
    if (rule.kind != data::LinkRuleKind::best) set_links(pairs, rule);
    apps::report("{}", add_em_links(pairs, run, apps::RunFolder{run_paths.front()}));
    const apps::Evaluation evaluation{score(pairs), score_by_length(pairs, bucket), score_by_tag(pairs),
                                      signature_of(pairs, scored_by)};
    apps::UnknownNote unknown_note(run);
    for (const data::Pair& pair : corpus.pairs) unknown_note.add_pair(pair);
    apps::report("{}{}", unknown_note.take(), note_of_gold(corpus.pairs));
    if (const apps::Score& all = evaluation.all; all.with_gold > 0 && all.translated > 0 && !run.alignment_layer)
      apps::report("{}", apps::note_of_uniform_attention(all.entropy(), all.even_entropy()));
    if (line.given("bucket")) details = true;
    apps::print("{}", json      ? to_json(evaluation)
                      : details ? format_details(evaluation, columns)
                                : format_summary(evaluation, columns));
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) { return evaluate(argc, argv, ranks); });
}
