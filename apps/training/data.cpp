#include "apps/training/data.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/run/corpus_files.h"
#include "apps/terminal/tell.h"

namespace softalign::apps {

namespace {

std::size_t sure_links(const data::Pair& pair) { return pair.gold ? pair.gold->sure.size() : 0; }

}  // namespace

TrainingData read_training_data(const TrainOptions& options) {
  const CorpusFiles train = training_files(options), valid = validation_files(options);
  TrainingData read{.train = read_corpus(train, options, options.max_length, data::TooLong::drop, data::Blank::drop),
                    .valid = read_corpus(valid, options, options.max_length, data::TooLong::refuse, data::Blank::drop)};
  tell("{}{}", read.train.note, read.valid.note);
  return read;
}

data::BatchOptions batch_options(const TrainOptions& options) {
  return {.sentences = options.batch, .tokens = options.batch_tokens, .seed = options.common.seed};
}

void check_feasible(const Run& run, const TrainingData& data) {
  const TrainOptions& o = run.options;
  const bool guided = o.objective.guided_alignment > 0, measured = o.keep == "aer";
  std::string option = measured ? "keep aer" : "";
  for (const models::AttentionLoss& loss : models::attention_losses())
    if (o.objective.*loss.weight > 0) option = loss.option;
  if (!option.empty() && !run.model->decoder().attends()) {
    throw UsageError(fmt::format("--{}: --model {} has no attention; choose a model that has", option, o.model.model));
  }
  if (o.keep == "bleu" && (is_of_texts(o) || is_answered(o)))
    throw UsageError(fmt::format("--keep bleu: {}; take --keep loss", is_answered(o)
                                                                          ? "answers of one word have no BLEU but 0"
                                                                          : "a language model translates nothing"));
  const auto linked = [](const data::Pair& pair) { return sure_links(pair) > 0; };
  if (guided && std::none_of(data.train.pairs.begin(), data.train.pairs.end(), linked)) {
    throw std::runtime_error(
        "--guided-alignment: no training pair has a sure link to learn from; give links like 0-0 1-2 in the third "
        "column of the TSV file, or by --alignment FILE beside --source and --target; links --format tsv makes them");
  }
  if (measured && std::none_of(data.valid.pairs.begin(), data.valid.pairs.end(), linked)) {
    throw std::runtime_error(
        "--keep aer: no validation pair has gold links to measure it by; give them in the third column of the TSV "
        "file or by --valid-alignment FILE, or --keep loss");
  }
}

}  // namespace softalign::apps
