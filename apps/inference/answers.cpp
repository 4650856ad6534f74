#include "apps/inference/answers.h"

#include <fmt/format.h>

#include "apps/inference/align_pairs.h"
#include "apps/inference/alignment_format.h"
#include "apps/inference/unknown_words.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/sentence_pairs/sentence_pairs.h"

namespace softalign::apps {

void declare(CommandLine& line, AnswerOptions& o, const std::string& answers, const std::string& attention_help) {
  line.add_here(runs_table(o.runs));
  line.advise_if_missing("run", advice_on_runs);
  line.add_here("n-best", &o.n_best, "number of " + answers + " to print, the most probable first", between(1, 10000));
  line.group("Output");
  line.add_here("alignment", &o.alignment, attention_help, one_of({"plot", "jsonl"}));
  line.add_here("color", &o.colour, color_help);
}

std::vector<std::vector<models::Hypothesis>> find_answers(const LoadedRun& run,
                                                          const std::vector<data::EncodedPair>& texts, std::size_t n) {
  models::BeamOptions options;
  options.beam = options.n_best = n + 2;  // 2 more, because an empty answer and <unk> are removed
  options.length_penalty = 0;
  auto found = search(*run.model, run.params, texts, options);
  for (std::vector<models::Hypothesis>& answers : found) {
    std::erase_if(answers, [](const models::Hypothesis& h) { return h.ids.empty() || h.ids.front() == data::unk_id; });
    if (answers.size() > n) answers.resize(n);
  }
  return found;
}

data::Record answer_record(const LoadedRun& run, const SourceText& source, models::Hypothesis& found, std::size_t n,
                           std::size_t rank) {
  if (task_of(run.options).source == Source::two_sentences) add_self_attention(found, run, source);
  return complete_record(run, source, found, search_mode(run, n), 0, rank);
}

void print_answers(const LoadedRun& run, const data::Pair& asked, const AnswerOptions& o) {
  const bool of_two = task_of(run.options).source == Source::two_sentences;
  if (of_two && o.alignment == data::AlignmentFormat::plot && run.members > 1)
    throw UsageError(fmt::format(
        "--alignment plot shows the attention of one run, but {} runs are given. Give only one --run", run.members));
  UnknownNote unknown(run);
  unknown.add_source(asked.source);
  report("{}", unknown.take());
  const SourceText source = source_of(run, asked);
  std::vector<models::Hypothesis> found = find_answers(run, {encoded(source)}, o.n_best).front();
  HeatmapStyle style = screen_style(o.colour);
  style.answer = false;  // the answer is printed above its drawing
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    const data::Record record = answer_record(run, source, found[rank], o.n_best, rank);
    const std::string word = detokenize(run, record.target);
    if (o.alignment == data::AlignmentFormat::jsonl) {
      put(format_record(record, data::AlignmentFormat::jsonl, style));
      continue;
    }
    put(o.n_best > 1 ? fmt::format("{} ||| {:.6g}\n", word, found[rank].score) : word + "\n");
    if (o.alignment != data::AlignmentFormat::plot || (of_two && rank > 0)) continue;
    put_painted(format_record(of_two ? data::record_across(record) : record, data::AlignmentFormat::plot, style));
  }
}

}  // namespace softalign::apps
