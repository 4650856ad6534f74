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
       "translation, language-model, captioning, questions, entailment; by default as the corpus's folder says"},
      {"data", &o.data, "folder with train.tsv and valid.tsv"},
      {"train", &o.train, "TSV file to train on, in place of the folder's"},
      {"valid", &o.valid, "TSV file to validate on, in place of the folder's"},
      {"source", &o.source, "plain file to train on, a source sentence a line"},
      {"target", &o.target, "translations of --source, line by line"},
      {"alignment", &o.alignment, "word alignments of --source and --target in Pharaoh form, if there are any"},
      {"valid-source", &o.valid_source, "plain file to validate on"},
      {"valid-target", &o.valid_target, "translations of --valid-source"},
      {"valid-alignment", &o.valid_alignment, "word alignments of those two, if there are any"},
      {"one-based", &o.one_based, "the word alignments count words from 1, not from 0"},
      {"swap-sides", &o.swap_sides,
       "translate the targets into the sources; corpora that the run reads later change sides as well"},
      {"tokenizer", &o.tokenizer,
       "words: split off punctuation and clitics; characters: and every Chinese, Japanese or Thai character; none: "
       "split at spaces and tabs; sentencepiece: words, cut into subwords"},
      {"lowercase", &o.lowercase, "bring text to lower case (not with tokenizer none)"},
      {"subwords", &o.subwords.pieces, "of tokenizer sentencepiece: most subwords per side", between(10, 1000000)},
      {"subword-model", &o.subwords.model, "of tokenizer sentencepiece: how subwords are learnt"},
      {"min-count", &o.vocabulary.min_count, "rarer words become <unk>", between(1, many)},
      {"max-vocabulary", &o.vocabulary.max_size, "most frequent words kept a side", between(1, many)},
      {"max-length", &o.max_length, "leave out training pairs with more words on a side", between(1, longest_sentence)},
  };
}

Table learning_table(TrainOptions& o) {
  return {
      {"epochs", &o.epochs, "passes over the training pairs", between(1, 1000000)},
      {"restarts", &o.restarts,
       "answers of one word: train again from other initial weights, at most so many times, while fewer than 97% of "
       "the validation answers are right; the best epoch of all is kept",
       between(0, 100)},
      {"batch", &o.batch, "pairs in a batch", between(1, 100000)},
      {"batch-tokens", &o.batch_tokens, "if not 0: target words in a batch, padding included, in place of --batch",
       between(0, many)},
      {"optimiser", &o.optimiser.kind, "the optimiser; adadelta wants --lr 1"},
      {"lr", &o.schedule.learning_rate, "learning rate", between(0, 1000)},
      {"momentum", &o.optimiser.momentum, "momentum of optimiser sgd", between(0, 0.9999)},
      {"weight-decay", &o.optimiser.weight_decay, "pull of the weights to 0", between(0, 1)},
  };
}

Table schedule_table(TrainOptions& o) {
  return {
      {"schedule", &o.schedule.kind, "course of the learning rate"},
      {"warmup", &o.schedule.warmup_steps, "steps over which the learning rate first grows", between(0, many)},
      {"decay-start", &o.schedule.decay_start, "part of the training after which schedule linear falls",
       between(0, 0.9999)},
      {"halve-after", &o.schedule.halve_after, "epochs before schedule halve starts halving", between(0, many)},
      {"plateau-patience", &o.schedule.patience, "epochs without gain before schedule plateau halves",
       between(1, many)},
  };
}

Table objective_table(TrainOptions& o) {
  return {
      {"clip", &o.clip, "largest norm of the gradient; 0: no limit", between(0, 1e9)},
      {"label-smoothing", &o.objective.label_smoothing, "probability spread over all words", between(0, 0.9999)},
      {"word-dropout", &o.objective.word_dropout,
       "probability that the decoder reads <unk> in place of a word: it has to look for what it could have guessed",
       between(0, 0.9999)},
      {"align", &o.align,
       "learn word links from the training pairs first, as links does, and an alignment layer from them, which align, "
       "evaluate, translate and view then use; the model itself is trained as without; needs no gold"},
      {"linear-start", &o.linear_start,
       "memory-network: share of the epochs in which attention has no softmax (Sukhbaatar et al. 2015)",
       between(0, 0.9)},
      {"time-noise", &o.objective.time_noise,
       "memory-network: share of empty sentences that training adds to stories, so that ages vary", between(0, 0.9)},
      {"guided-alignment", &o.objective.guided_alignment,
       "weight of the loss that teaches attention the corpus's sure links, or with --align the learnt ones; like 0.1; "
       "0: "
       "off",
       between(0, 1e6)},
      {"coverage-loss", &o.objective.coverage, "weight of the loss on looking twice (with --coverage); 0: off",
       between(0, 1e6)},
      {"doubly-stochastic", &o.objective.doubly_stochastic,
       "weight of the loss on places that are looked at more or less than once in all (Xu et al. 2015), like 0.01; 0: "
       "off",
       between(0, 1e6)},
      {"scheduled-sampling", &o.sampling.kind, "course of the probability that the decoder reads the true word"},
      {"sampling-k", &o.sampling.k,
       "k of scheduled sampling (Bengio et al. 2015); 0: linear 1, exponential .9999, inverse-sigmoid 1000",
       between(0, 1e9)},
      {"sampling-slope", &o.sampling.slope, "fall per step of scheduled sampling, for linear", between(0, 1)},
      {"sampling-floor", &o.sampling.floor, "lowest value of scheduled sampling, for linear", between(0, 1)},
      {"gradient-accumulation", &o.gradient_accumulation, "batches whose gradients are added up for one update",
       between(1, 100000)},
      {"ema", &o.ema, "evaluate and keep a moving average of the weights with this decay, like .999; 0: off",
       between(0, 0.9999999)},
      {"kernels", &o.kernels,
       "fused: hand-written steps; composed: their definition, to compare with; tiled: self-attention in memory that "
       "grows with the length alone, all else fused"},
      {"gradient-dtype", &o.gradient_dtype,
       "of several processes (mpirun), in what gradients travel between them: bfloat16 has half of the bytes, and "
       "seven bits of each number"},
  };
}

Table keeping_table(TrainOptions& o) {
  return {
      {"keep", &o.keep, "what makes an epoch the best: lowest validation loss, highest BLEU or lowest AER"},
      {"patience", &o.patience, "stop after so many epochs without gain; 0: never", between(0, many)},
      {"keep-epochs", &o.keep_epochs, "last epochs whose parameters are kept, for average; 0: the best one only",
       between(0, many)},
      {"save-every", &o.save_every, "steps between saved training states; 0: after each epoch only", between(0, many)},
      {"track",
       &o.track,
       "validation sentences whose attention history.jsonl records, the first so many",
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
    throw UsageError("--coverage-loss needs --coverage: without it the attention cannot know where it has looked");
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
    throw UsageError("--tokenizer sentencepiece: an answer is one word, and has no pieces; take words or characters");
  if (o.align && o.task != models::Task::translation)
    throw UsageError("--align: only pairs of sentences have word links to learn; leave it out");
  if (o.restarts > 0 && !is_answered(o))
    throw UsageError("--restarts looks at how many answers are right, which tasks questions and entailment have");
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
