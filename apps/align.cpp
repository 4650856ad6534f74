// The program `align` runs a model on given pairs with teacher forcing. It writes where the model attends while it
// predicts the words of the given translation.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/evaluation.h"
#include "apps/inference/evaluation_report.h"
#include "apps/inference/interventions.h"
#include "apps/inference/unknown_words.h"
#include "apps/pages/drawing.h"
#include "apps/ranks/communicator.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "data/alignment/lexicon.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/layout.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"

using namespace softalign;

namespace {

using data::AlignmentFormat;

struct AlignOptions {
  apps::CommonOptions common;
  std::vector<std::string> runs;
  apps::CorpusFiles files;
  apps::AlignmentOutput output;
  apps::MatrixChoice matrix;
  apps::InterventionOptions intervention;
  std::string out, lexicon;
  std::size_t max_length = 0;
  bool subwords = false, scores = false;
  std::optional<data::JointRuleKind> symmetrise;
  std::string reverse;  // the run of the opposite direction
};

// Throws UsageError for options that do not fit --symmetrise and --reverse.
void check(const AlignOptions& o) {
  if (!o.symmetrise) {
    if (!o.reverse.empty())
      throw apps::UsageError(
          "--reverse has an effect only with --symmetrise. Add --symmetrise RULE, or remove --reverse");
    return;
  }
  if (o.subwords || o.output.shift != 0 || o.output.rule.kind != data::LinkRuleKind::best) {
    throw apps::UsageError(
        "--symmetrise combines the best links of words, so --subwords, --shift and --rule have no effect. Remove these "
        "options");
  }
  apps::check_links(o.output, "symmetrise");
}

// Writes each pair with the links that a rule joins from both directions. If pairs have gold links, the function also
// prints how well the links of every rule match them.
void write_joined(const apps::LoadedRun& run, const AlignOptions& o, const std::vector<data::Pair>& pairs,
                  const std::function<void(const data::Record&)>& write) {
  const std::string name = o.reverse.empty() ? apps::RunFolder{o.runs.front()}.reverse().path : o.reverse;
  if (o.reverse.empty() && !std::filesystem::exists(name)) {
    throw data::Error(
        data::ErrorKind::missing_file,
        fmt::format("{}: there is no such folder. --symmetrise needs a run of the opposite direction. Train --run "
                    "again with: train --both-directions. Or name a run of the opposite direction with --reverse RUN",
                    name));
  }
  apps::LoadedRun reverse = apps::load_run(name);
  apply(o.matrix, reverse, name);
  reverse.processes = run.processes;
  const data::JointRule rule{*o.symmetrise, o.output.rule.threshold};
  apps::JointScores scores(rule.threshold);
  const auto join = [&](data::Record record, const data::Record& back) {
    scores.add(pairs[record.id], record.weights.matrix, back.weights.matrix);
    record.links =
        joint_links(rule, record.weights.matrix, back.weights.matrix, record.source.size(), record.target.size());
    write(record);
  };
  align_both_ways(run, o.runs.front(), reverse, name, pairs, join);
  if (!run.processes.first()) return;
  if (o.out.empty()) apps::report("{}", scores.table(autograd::name_of(*o.symmetrise)));
  else apps::print("{}", scores.table(autograd::name_of(*o.symmetrise)));
}

// UniformNote finds out whether the attention of all records is nearly uniform.
class UniformNote {
 public:
  void add(const data::Record& record) {
    for (const float entropy : record.entropy) entropy_ += entropy;
    for (const auto& row : record.weights.matrix) largest_ += std::log(static_cast<double>(row.size()));
    rows_ += record.weights.matrix.size();
  }
  std::string text() const {
    if (rows_ == 0) return "";
    const auto mean = [&](double sum) { return sum / static_cast<double>(rows_); };
    return apps::note_of_uniform_attention(mean(entropy_), mean(largest_));
  }

 private:
  double entropy_ = 0, largest_ = 0;
  std::size_t rows_ = 0;
};

// Reads the pairs, and checks that every process (rank) has read the same pairs.
data::Corpus read_pairs(const apps::LoadedRun& run, const AlignOptions& o, const apps::Communicator& ranks,
                        data::Blank blank = data::Blank::refuse) {
  data::Corpus corpus = read_corpus(o.files, run.options, o.max_length, data::TooLong::refuse, blank);
  apps::report("{}", corpus.note);
  if (!ranks.alone())
    check_same(ranks, {{"parameters", apps::hash(run.params)},
                       {"pairs", hash(encode(run, corpus.pairs))},
                       {"threads", o.common.threads}});
  return corpus;
}

// Throws UsageError for options that do not fit the run.
void check(const apps::LoadedRun& run, const AlignOptions& o) {
  if (o.scores) check_scores(run, o.subwords);
  if (o.subwords && run.source_segmenter.whole_words()) {
    throw apps::UsageError(fmt::format(
        "--subwords: the run {} has no subwords, because it was trained with --tokenizer {}. Remove --subwords",
        o.runs.front(), autograd::name_of(run.options.tokenizer)));
  }
  check_tokens(o.output.units, o.output.format, run.options.tokenizer == data::Tokenization::none && !o.subwords,
               o.subwords
                   ? "pieces of words"
                   : fmt::format("the tokens of the run (--tokenizer {})", autograd::name_of(run.options.tokenizer)));
  if (!task_of(run.options).has_source() && (o.scores || !o.lexicon.empty()))
    throw apps::UsageError(
        "--scores and --lexicon need a translation model, and --run names a language model. Remove --scores and "
        "--lexicon");
}

int write_alignments(const apps::LoadedRun& run, const AlignOptions& o, const apps::Communicator& ranks) {
  check(run, o);
  const data::Corpus corpus = read_pairs(run, o, ranks, data::Blank::keep);
  const bool draws = o.output.format == AlignmentFormat::svg && !o.out.empty();
  std::optional<data::OutputFile> file, lexicon;
  if (!o.out.empty() && ranks.first() && !draws) file.emplace(o.out);
  if (!o.lexicon.empty() && ranks.first()) lexicon.emplace(o.lexicon);
  const bool to_screen = o.out.empty() && o.lexicon.empty() && ranks.first();
  const apps::HeatmapStyle style = apps::screen_style(o.output.colour, to_screen);
  data::LinkCounts counts;
  apps::UnknownNote unknown(run);
  for (const data::Pair& pair : corpus.pairs) unknown.add_pair(pair);
  apps::report("{}", data::with_file(unknown.take(), o.files.tsv));
  apps::AlignmentOutput output = o.output;
  if (!ranks.first()) output.units.tokens.clear();  // only the first process writes this file
  apps::AlignmentText text(output, style);
  const auto write = [&](const std::string& part) {
    if (to_screen) apps::print_alignment(part, o.output.format);
    if (file) file->write(part);
  };
  UniformNote uniform;
  const auto use = [&](data::Record record) {
    uniform.add(record);
    if (!o.lexicon.empty()) counts.add(record.source, record.target, record.links);
    if (to_screen || file || (draws && ranks.first())) write(text.add(std::move(record)));
  };
  if (!o.symmetrise) {
    align_pairs(run, o.runs.front(), corpus.pairs, o.subwords ? apps::Units::subwords : apps::Units::words,
                o.scores                                    ? apps::AttentionDetail::scored
                : o.output.format == AlignmentFormat::jsonl ? apps::AttentionDetail::all
                                                            : apps::AttentionDetail::at_source,
                use);
  } else {
    write_joined(run, o, corpus.pairs, use);
  }
  if (!run.alignment_layer) apps::report("{}", uniform.text());
  if (draws && ranks.first()) apps::write_drawing(o.out, text.rest());
  else write(text.rest());
  apps::report("{}", o.symmetrise ? "" : text.note_of_no_link());
  text.finish();
  if (file) file->finish();
  if (lexicon) lexicon->write_all(format_lexicon(counts.lexicon()));
  return 0;
}

int write_interventions(const apps::LoadedRun& run, const AlignOptions& o, const apps::Communicator& ranks) {
  if (run.members > 1 || o.subwords || !o.lexicon.empty() || o.output.format != AlignmentFormat::jsonl ||
      o.output.units.unit || !o.output.units.tokens.empty()) {
    throw apps::UsageError(
        "--intervene works only with one --run and --format jsonl, and not with --subwords, --lexicon or --over");
  }
  const data::Corpus corpus = read_pairs(run, o, ranks);
  std::optional<data::OutputFile> file;
  if (!o.out.empty() && ranks.first()) file.emplace(o.out);
  if (o.scores) check_scores(run, false);
  intervene(run, o.intervention, corpus.pairs, o.common.seed, o.scores, [&](const std::string& lines) {
    if (file) {
      file->write(lines);
    } else {
      apps::put(lines);
    }
  });
  if (file) file->finish();
  return 0;
}

void declare(apps::CommandLine& line, AlignOptions& o) {
  line.add_here(apps::runs_table(o.runs));
  line.advise_if_missing("run", apps::advice_on_runs);
  line.add_here(table(o.files));
  declare(line, o.output);
  line.add_here(table(o.matrix));
  line.add_here("out", &o.out,
                "output file. An old file is replaced only when the new one is complete. Default: standard output");
  line.add_here(
      "symmetrise", &o.symmetrise,
      "combine the links of the runs --run and --reverse, which translate in opposite directions (Koehn et al. "
      "2003). `agreement`: link two words if the geometric mean of their weights in both runs is at least "
      "--threshold (Liang et al. 2006)");
  apps::advise_joint_rules(line, "symmetrise");
  line.add_here("reverse", &o.reverse,
                "with --symmetrise: run folder of a model that was trained in the opposite direction. Default: "
                "RUN/reverse, which `train --both-directions` creates");
  line.add_here("lexicon", &o.lexicon,
                "TSV file to which align writes each source word with the target word to which the source word is most "
                "often linked. With --lexicon, align writes the alignments only if you give --out");
  line.add_here(
      "scores", &o.scores,
      "with --format jsonl: also write the attention scores before the softmax, and the norms of source states "
      "and context vectors. The program `view` shows these numbers step by step");
  line.add_here("subwords", &o.subwords,
                "for a run that was trained with --tokenizer sentencepiece: align subwords instead of words");
  line.group("Corpus");
  line.add_here("max-length", &o.max_length, "largest number of words per side; 0: the --max-length of the training",
                apps::between(0, models::longest_sentence));
  declare(line, o.intervention);
}

// Throws UsageError for options that do not fit each other.
void check(const apps::CommandLine& line, AlignOptions& o) {
  check(o.files);
  apps::choose_format(o.output.format, o.out, line.given("format"));
  check(o.output);
  check(o.intervention);
  check(o);
  check_threshold(line, o.output.rule, o.symmetrise);
  if (o.scores && o.output.format != AlignmentFormat::jsonl)
    throw apps::UsageError(
        fmt::format("--scores needs --format jsonl, and --format {} cannot contain scores. Remove --format or --scores",
                    autograd::name_of(o.output.format)));
}

int align(int argc, char** argv, const apps::Communicator& ranks) {
  AlignOptions o;
  apps::CommandLine line("align", "Aligns the words of sentence pairs with the attention of a trained model.",
                         {"align --run runs/demo --data data/toy/test.tsv --out runs/demo/alignments.jsonl",
                          "align --run runs/demo --data data/toy/test.tsv --format plot | less -R",
                          "align --run runs/demo --data few.tsv --out few.svg    a drawing; or few.png",
                          "align --run runs/demo --source test.en --target test.fr --format pharaoh > links.txt",
                          "align --run runs/demo --data data/toy/train.tsv --lexicon lexicon.tsv",
                          "align --run runs/demo --data data/toy/test.tsv --symmetrise intersection --format pharaoh",
                          "align --run runs/demo --data few.tsv --intervene all --out runs/demo/interventions.jsonl"},
                         o.common);
  line.add_note(apps::note_of_ranks);
  line.pass_over(apps::training_names());
  declare(line, o);
  return line.run(argc, argv, [&] {
    if (o.subwords && !o.output.units.unit) o.output.units.unit = apps::PositionUnit::tokens;  // subwords are tokens
    check(line, o);
    apps::LoadedRun run = apps::load_runs(o.runs);
    apply(o.matrix, run, o.runs.front());
    run.processes = process_group_of(ranks);
    if (!o.intervention.kind.empty()) return write_interventions(run, o, ranks);
    return write_alignments(run, o, ranks);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) { return align(argc, argv, ranks); });
}
