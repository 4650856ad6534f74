#include "apps/training/training_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/run/corpus_files.h"
#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "autograd/stopwatch.h"
#include "data/alignment/em/learnt_links.h"
#include "data/io/error.h"

namespace softalign::apps {

namespace {

void set_gold(std::vector<data::Pair>& pairs, const std::vector<data::Links>& links) {
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].gold = data::Gold{links[i], {}};
    pairs[i].written.reset();
  }
}

std::size_t sure_links(const data::Pair& pair) { return pair.gold ? pair.gold->sure.size() : 0; }

}  // namespace

std::vector<data::Links> links_by_em(const std::vector<data::Pair>& pairs, const std::function<bool()>& stop) {
  const autograd::Stopwatch watch;
  std::vector<data::Links> links = data::learn_links(pairs, {}, stop);
  if (links.empty()) return links;
  report("links of {} training pairs learnt by EM in {:.1f} s (--align)\n", format_count(pairs.size()),
         watch.seconds());
  return links;
}

TrainingData read_training_data(const TrainOptions& options, std::vector<data::Links> learnt) {
  const CorpusFiles train = training_files(options), valid = validation_files(options);
  TrainingData read{.train = read_corpus(train, options, options.max_length, data::TooLong::drop, data::Blank::drop),
                    .valid = read_corpus(valid, options, options.max_length, data::TooLong::refuse, data::Blank::drop)};
  report("{}{}", read.train.note, read.valid.note);
  if (learnt.size() == read.train.pairs.size()) read.learnt = std::move(learnt);
  if (options.align && options.objective.guided_alignment > 0) {
    if (read.learnt.empty()) read.learnt = links_by_em(read.train.pairs);
    set_gold(read.train.pairs, read.learnt);
  }
  return read;
}

data::BatchOptions batch_options(const TrainOptions& options) {
  return {.sentences = options.batch, .tokens = options.batch_tokens, .seed = options.common.seed};
}

void check_feasible(const LoadedRun& run, const TrainingData& data) {
  const TrainOptions& o = run.options;
  const bool guided = o.objective.guided_alignment > 0, measured = o.keep == BestBy::aer;
  std::string option = measured ? "keep aer" : "";
  for (const models::AttentionLoss& loss : models::attention_losses())
    if (o.objective.*loss.weight > 0) option = loss.option;
  if (!option.empty() && !run.model->decoder().attends()) {
    throw UsageError(fmt::format("--{0}: --model {1} has no attention. Remove --{0}, or use a model with attention",
                                 option, o.model.model));
  }
  if (o.keep == BestBy::bleu && (!task_of(o).has_source() || task_of(o).one_word))
    throw UsageError(fmt::format("--keep bleu: {}. Use --keep loss", task_of(o).one_word
                                                                         ? "BLEU is always 0 for answers of one word"
                                                                         : "a language model translates nothing"));
  const auto linked = [](const data::Pair& pair) { return sure_links(pair) > 0; };
  if (guided && std::none_of(data.train.pairs.begin(), data.train.pairs.end(), linked)) {
    throw data::Error(data::ErrorKind::bad_data,
                      "--guided-alignment: no training pair has a sure link to learn from. Write links such as 0-0 1-2 "
                      "into the third column of the TSV file, or add --alignment FILE to --source and --target. The "
                      "program links can make these links: links --format tsv");
  }
  if (measured && std::none_of(data.valid.pairs.begin(), data.valid.pairs.end(), linked)) {
    throw data::Error(data::ErrorKind::bad_data,
                      "--keep aer: no validation pair has gold links, which AER needs. Write gold links into the third "
                      "column of the TSV file, add --valid-alignment FILE, or use --keep loss");
  }
}

}  // namespace softalign::apps
