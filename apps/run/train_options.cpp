#include "apps/run/train_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/io/json.h"
#include "models/encoder.h"
#include "models/named_options.h"
#include "models/registry.h"

namespace softalign::apps {

namespace {

using models::between;
using models::longest_sentence;
using models::many;
using models::Table;

Table corpus_table(TrainOptions& o) {
  return {
      {"task", &o.task,
       "translation, language-model, captioning, questions or entailment; default: the file task of the corpus folder"},
      {"data", &o.data, "folder with train.tsv and valid.tsv"},
      {"train", &o.train, "training pairs, instead of DATA/train.tsv"},
      {"valid", &o.valid, "validation pairs, instead of DATA/valid.tsv"},
      {"source", &o.source, "text file of training sources, one sentence per line"},
      {"target", &o.target, "translations of --source, line by line"},
      {"alignment", &o.alignment, "optional word alignments of --source and --target in Pharaoh format"},
      {"valid-source", &o.valid_source, "text file of validation sources"},
      {"valid-target", &o.valid_target, "translations of --valid-source, line by line"},
      {"valid-alignment", &o.valid_alignment, "optional word alignments of the validation pairs"},
      {"one-based", &o.one_based, "the word alignments count words from 1 instead of 0"},
      {"swap-sides", &o.swap_sides,
       "train the opposite direction, from target to source; the run also swaps the sides of every corpus that it "
       "reads later"},
      {"tokenizer", &o.tokenizer,
       "words: split off punctuation and clitics; characters: also split Chinese, Japanese and Thai; none: split at "
       "spaces and tabs; sentencepiece: subwords"},
      {"lowercase", &o.lowercase, "convert text to lower case (not with --tokenizer none)"},
      {"subwords", &o.subwords.pieces, "--tokenizer sentencepiece: vocabulary size per side", between(10, 1000000)},
      {"subword-model", &o.subwords.model, "--tokenizer sentencepiece: algorithm that learns the subwords"},
      {"min-count", &o.vocabulary.min_count, "words with fewer occurrences become <unk>", between(1, many)},
      {"max-vocabulary", &o.vocabulary.max_size, "keep only the most frequent words of each side", between(1, many)},
      {"max-length", &o.max_length, "skip training pairs with more words on one side", between(1, longest_sentence)},
  };
}

Table learning_table(TrainOptions& o) {
  return {
      {"epochs", &o.epochs, "passes over the training pairs", between(1, 1000000)},
      {"restarts", &o.restarts,
       "questions and entailment: if fewer than 97% of the validation answers are right, train again from other "
       "initial weights, at most N times; the best epoch of all trainings is kept",
       between(0, 100)},
      {"batch", &o.batch, "pairs per batch", between(1, 100000)},
      {"batch-tokens", &o.batch_tokens, "target words per batch, padding included, instead of --batch; 0: use --batch",
       between(0, many)},
      {"optimiser", &o.optimiser.kind, "optimiser; use --lr 1 with adadelta"},
      {"lr", &o.schedule.learning_rate, "learning rate", between(0, 1000)},
      {"momentum", &o.optimiser.momentum, "momentum of --optimiser sgd", between(0, 0.9999)},
      {"weight-decay", &o.optimiser.weight_decay, "weight decay per step", between(0, 1)},
  };
}

Table schedule_table(TrainOptions& o) {
  return {
      {"schedule", &o.schedule.kind, "learning-rate schedule"},
      {"warmup", &o.schedule.warmup_steps, "warm-up: steps in which the learning rate grows linearly",
       between(0, many)},
      {"decay-start", &o.schedule.decay_start,
       "--schedule linear: share of the training after which the learning rate decreases", between(0, 0.9999)},
      {"halve-after", &o.schedule.halve_after, "--schedule halve: epochs before the learning rate is halved per epoch",
       between(0, many)},
      {"plateau-patience", &o.schedule.patience,
       "--schedule plateau: epochs without improvement before the learning rate is halved", between(1, many)},
  };
}

Table objective_table(TrainOptions& o) {
  return {
      {"clip", &o.clip, "largest norm of the gradient (gradient clipping); 0: no limit", between(0, 1e9)},
      {"label-smoothing", &o.objective.label_smoothing, "label smoothing: probability that is spread over all words",
       between(0, 0.9999)},
      {"word-dropout", &o.objective.word_dropout,
       "word dropout: probability that the decoder reads <unk> instead of the previous target word, so that it relies "
       "on the source",
       between(0, 0.9999)},
      {"align", &o.align,
       "learn word links from the training pairs first, as the program links does, and train an alignment layer on "
       "them, which align, evaluate, translate and view then use; the model itself is trained as without --align; needs "
       "no gold links"},
      {"linear-start", &o.linear_start,
       "memory-network: share of the epochs that train without softmax in the attention (linear start, Sukhbaatar et "
       "al. 2015)",
       between(0, 0.9)},
      {"time-noise", &o.objective.time_noise,
       "memory-network: share of empty sentences that training inserts into stories, so that time indices vary",
       between(0, 0.9)},
      {"guided-alignment", &o.objective.guided_alignment,
       "weight of the loss that supervises the attention with the sure links of the corpus, or with --align with the "
       "learned links, for example 0.1; 0: off",
       between(0, 1e6)},
      {"coverage-loss", &o.objective.coverage,
       "weight of the coverage loss, which penalises repeated attention to a word (with --coverage); 0: off",
       between(0, 1e6)},
      {"doubly-stochastic", &o.objective.doubly_stochastic,
       "weight of the doubly stochastic loss, which makes the attention on each position sum to 1 over all steps (Xu "
       "et al. 2015), for example 0.01; 0: off",
       between(0, 1e6)},
      {"scheduled-sampling", &o.sampling.kind,
       "scheduled sampling: schedule of the teacher-forcing ratio, the probability that the decoder reads the "
       "reference word"},
      {"sampling-k", &o.sampling.k,
       "k of scheduled sampling (Bengio et al. 2015); 0: 1 for linear, 0.9999 for exponential, 1000 for "
       "inverse-sigmoid",
       between(0, 1e9)},
      {"sampling-slope", &o.sampling.slope, "scheduled sampling linear: decrease per step", between(0, 1)},
      {"sampling-floor", &o.sampling.floor, "scheduled sampling linear: lowest ratio", between(0, 1)},
      {"gradient-accumulation", &o.gradient_accumulation, "gradient accumulation: batches per update",
       between(1, 100000)},
      {"ema", &o.ema,
       "evaluate and save an exponential moving average of the weights with this decay, for example 0.999; 0: off",
       between(0, 0.9999999)},
      {"kernels", &o.kernels,
       "fused: optimised kernels; composed: the same computation from elementary operations, for comparison; tiled: "
       "FlashAttention for self-attention, whose memory is linear in the length, and fused kernels otherwise"},
      {"gradient-dtype", &o.gradient_dtype,
       "with mpirun: data type in which processes exchange gradients; bfloat16 has 16 bits (8 bits of exponent, 7 of "
       "mantissa) and halves the traffic"},
  };
}

Table keeping_table(TrainOptions& o) {
  return {
      {"keep", &o.keep, "criterion of the best epoch: lowest validation loss, highest BLEU or lowest AER"},
      {"patience", &o.patience, "early stopping: patience in epochs; 0: never", between(0, many)},
      {"keep-epochs", &o.keep_epochs,
       "keep the parameters of the last N epochs for the program average; 0: only the best epoch", between(0, many)},
      {"save-every", &o.save_every, "save the training state every N steps; 0: only after each epoch",
       between(0, many)},
      {"track",
       &o.track,
       "record the attention of the first N validation sentences after each epoch in history.jsonl, for the training "
       "timeline of view",
       {.also = {"all"}, .lowest = 0, .highest = 1000000}},
  };
}

}  // namespace

Table table(TrainOptions& o) {
  Table all = in_group("Corpus", corpus_table(o)) + table(o.model) + in_group("Training", learning_table(o)) +
              in_group("Schedule", schedule_table(o)) + in_group("Training", objective_table(o)) +
              in_group("Output", keeping_table(o));
  for (models::Option& option : all) option.help += models::describe_own_defaults(option.name);
  return all;
}

std::vector<std::string> training_names() {
  TrainOptions options;
  std::vector<std::string> names;
  for (const models::Option& option : table(options)) {
    names.push_back(option.name);
    for (const std::string& other : models::other_names(option.name)) names.push_back(other);
  }
  names.emplace_back("resumed");  // what a resumed training was given anew (apps/training/resume.h)
  return names;
}

void check(const TrainOptions& o) {
  if (o.objective.coverage > 0 && !o.model.coverage) {
    throw UsageError(
        "--coverage-loss needs --coverage: without it the attention does not know which words it has attended to");
  }
  try {
    check(o.sampling);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

// A model that is named has its own task; a task that is named has its own model.
void complete(TrainOptions& o) {
  if (o.task == models::Task::translation) o.task = models::task_of(o.model);
  o.model.model = models::model_for(o.task, o.model);
  if (is_of_pictures(o) && o.model.encoder.empty()) o.model.encoder = "picture";
  o.model = models::completed(o.model);
  if (is_of_pictures(o) && !models::reads_pictures(o.model))
    throw UsageError(
        fmt::format("--task captioning: pictures are read by --encoder picture, not by {}", o.model.encoder));
  if (is_of_pictures(o) && o.swap_sides) throw UsageError("--swap-sides: pictures cannot be written");
  if (is_answered(o) && o.swap_sides) throw UsageError("--swap-sides: nothing is written from an answer");
  if (is_answered(o) && cuts_into_subwords(o))
    throw UsageError(
        "--tokenizer sentencepiece: an answer is one word and cannot be split into subwords; use --tokenizer words or "
        "characters");
  if (o.align && o.task != models::Task::translation)
    throw UsageError("--align: only pairs of sentences have word links to learn; leave it out");
  if (o.restarts > 0 && !is_answered(o))
    throw UsageError(
        "--restarts depends on how many answers are right, so it is for the tasks questions and entailment; leave it "
        "out");
  const std::vector<std::string> uses = models::uses_of(o.model);
  if ((o.linear_start > 0 || o.objective.time_noise > 0) && std::find(uses.begin(), uses.end(), "hops") == uses.end())
    throw UsageError(fmt::format("--{} is for --model memory-network; {} has no hops over sentences",
                                 o.linear_start > 0 ? "linear-start" : "time-noise", o.model.model));
  o.model.known_positions = o.max_length + 1;  // </s> counted
  models::ModelOptions with_words = o.model;
  with_words.source_vocabulary = with_words.target_vocabulary = 1;  // the corpus will tell
  const std::string problem = models::problem_of(with_words);
  if (!problem.empty()) throw UsageError(problem);
}

std::string of_earlier_builds(const std::string& own_defaults) {
  auto values = data::parse_json(own_defaults);
  for (const auto& [name, value] :
       {std::pair{"word-dropout", 0}, {"linear-start", 0}, {"time-noise", 0}, {"restarts", 0}})
    values[name] = value;
  return values.dump();
}

std::string own_defaults(const TrainOptions& options) {
  models::ModelOptions o = options.model;
  o.model = models::model_for(options.task == models::Task::translation ? models::task_of(o) : options.task, o);
  return models::own_defaults(o);
}

std::string examples_of(const TrainOptions& o) {
  return is_of_texts(o) ? "texts" : is_of_pictures(o) ? "pictures" : is_of_stories(o) ? "stories" : "pairs";
}

data::TokenizerOptions tokenizer_options(const TrainOptions& options) {
  return {.scheme = options.tokenizer, .lowercase = options.lowercase};
}

}  // namespace softalign::apps
