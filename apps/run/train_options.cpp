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
      {"task", &o.task, "task of the model. Default: the word in the file DATA/task, or translation"},
      {"data", &o.data, "folder with train.tsv and valid.tsv"},
      {"train", &o.train, "file of training pairs, instead of DATA/train.tsv"},
      {"valid", &o.valid, "file of validation pairs, instead of DATA/valid.tsv"},
      {"source", &o.source, "text file of training sources, one sentence per line"},
      {"target", &o.target, "text file with one translation per line of --source"},
      {"alignment", &o.alignment,
       "optional file of word alignments of --source and --target, in Pharaoh format (0-0 1-2)"},
      {"valid-source", &o.valid_source, "text file of validation sources, one sentence per line"},
      {"valid-target", &o.valid_target, "text file with one translation per line of --valid-source"},
      {"valid-alignment", &o.valid_alignment,
       "optional file of word alignments of --valid-source and --valid-target, in Pharaoh format"},
      {"one-based", &o.one_based, "the word alignments in the corpus count words from 1 instead of 0"},
      {"swap-sides", &o.swap_sides,
       "train the opposite direction, from target to source. Programs that use the run then swap the sides of every "
       "corpus that they read"},
      {"tokenizer", &o.tokenizer,
       "how to split text. `words`: into words and punctuation; `characters`: also Chinese, Japanese and Thai "
       "characters; `none`: at spaces and tabs; `sentencepiece`: into subwords"},
      {"lowercase", &o.lowercase, "convert text to lower case (not with --tokenizer none)"},
      {"subwords", &o.subwords.vocabulary_size,
       "with --tokenizer sentencepiece: number of subwords in the vocabulary of each side (source and target)",
       between(10, 1000000)},
      {"subword-model", &o.subwords.model,
       "with --tokenizer sentencepiece: algorithm that learns the subwords. `unigram`: a unigram language model; "
       "`bpe`: byte-pair encoding"},
      {"min-count", &o.vocabulary.min_count, "words that occur fewer than N times in the training pairs become <unk>",
       between(1, many)},
      {"max-vocabulary", &o.vocabulary.max_size, "keep only the N most frequent words of each side (source and target)",
       between(1, many)},
      {"max-length", &o.max_length, "skip training pairs with more than N words on one side",
       between(1, longest_sentence)},
  };
}

Table learning_table(TrainOptions& o) {
  return {
      {"epochs", &o.epochs, "passes over the pairs", between(1, 1000000)},
      {"restarts", &o.restarts,
       "with --task questions or entailment: if fewer than 97% of the validation answers are right, train again from "
       "other initial weights, at most N times. The run keeps the best epoch of all trainings",
       between(0, 100)},
      {"batch", &o.batch, "number of pairs per batch", between(1, 100000)},
      {"batch-tokens", &o.batch_tokens,
       "number of target words per batch, including padding. It replaces --batch; 0: use --batch", between(0, many)},
      {"optimiser", &o.optimiser.kind, "optimiser. With adadelta, use --lr 1"},
      {"lr", &o.schedule.learning_rate, "learning rate", between(0, 1000)},
      {"momentum", &o.optimiser.momentum, "with --optimiser sgd: momentum", between(0, 0.9999)},
      {"weight-decay", &o.optimiser.weight_decay, "weight decay per step", between(0, 1)},
  };
}

Table schedule_table(TrainOptions& o) {
  return {
      {"schedule", &o.schedule.kind,
       "how the learning rate changes after the warm-up. `constant`: it stays at --lr; `inverse-sqrt`: it is --lr "
       "times sqrt(w / t) in step t, where w is the last step of the warm-up; `plateau`: it is halved after epochs "
       "without improvement (--plateau-patience); `halve`: after the epoch --halve-after, it is halved in each epoch; "
       "`linear`: it is constant until --decay-start, and then falls linearly to 0"},
      {"warmup", &o.schedule.warmup_steps,
       "warm-up: number of steps at the start in which the learning rate grows linearly (0: none)", between(0, many)},
      {"decay-start", &o.schedule.decay_start,
       "with --schedule linear: fraction of the training after which the learning rate decreases linearly to 0",
       between(0, 0.9999)},
      {"halve-after", &o.schedule.halve_after,
       "with --schedule halve: after N epochs, halve the learning rate in every epoch", between(0, many)},
      {"plateau-patience", &o.schedule.patience,
       "with --schedule plateau: after N epochs without improvement, halve the learning rate", between(1, many)},
  };
}

Table objective_table(TrainOptions& o) {
  return {
      {"clip", &o.clip,
       "largest norm of the gradient. A larger gradient is scaled down to this norm (gradient clipping); 0: no limit",
       between(0, 1e9)},
      {"label-smoothing", &o.objective.label_smoothing,
       "label smoothing: part of the target probability that the loss spreads evenly over all words. The correct word "
       "keeps the rest",
       between(0, 0.9999)},
      {"word-dropout", &o.objective.word_dropout,
       "word dropout: probability that the decoder reads <unk> instead of the previous target word, so that "
       "it uses the source more",
       between(0, 0.9999)},
      {"align", &o.align,
       "before the model, train an alignment layer, a small network that links words. It learns from links that the "
       "algorithm of the program `links` finds in the training pairs, so the corpus needs no gold links. The programs "
       "align, evaluate, translate and view combine the layer with the attention of the decoder. The model itself does "
       "not change"},
      {"linear-start", &o.linear_start,
       "only for --model memory-network: fraction of the epochs, at the start, in which the attention has no softmax "
       "(linear start, Sukhbaatar et al. 2015)",
       between(0, 0.9)},
      {"time-noise", &o.objective.time_noise,
       "only for --model memory-network: probability that training inserts an empty sentence before a sentence of a "
       "story, so that the distance from this sentence to the question varies",
       between(0, 0.9)},
      {"guided-alignment", &o.objective.guided_alignment,
       "weight of an additional loss that trains the attention to agree with the sure links of the corpus, for example "
       "0.1. With --align, it uses the links that --align learns instead; 0: off",
       between(0, 1e6)},
      {"coverage-loss", &o.objective.coverage,
       "with --coverage: weight of a loss that penalises repeated attention to the same source word; 0: off",
       between(0, 1e6)},
      {"doubly-stochastic", &o.objective.doubly_stochastic,
       "weight of a loss that makes the attention to each source position sum to about 1 over all steps (doubly "
       "stochastic attention, Xu et al. 2015), for example 0.01; 0: off",
       between(0, 1e6)},
      {"scheduled-sampling", &o.sampling.kind,
       "how the teacher-forcing ratio decreases during training (scheduled sampling). This ratio is the probability "
       "that the decoder reads the reference word instead of its own word. `off`: the ratio stays 1; `linear`, "
       "`exponential`, `inverse-sigmoid`: the ratio follows one of the three schedules of Bengio et al. 2015"},
      {"sampling-k", &o.sampling.k,
       "with --scheduled-sampling: parameter k of the schedule (Bengio et al. 2015); 0: the default, which is 1 for "
       "linear, 0.9999 for exponential and 1000 for inverse-sigmoid",
       between(0, 1e9)},
      {"sampling-slope", &o.sampling.slope,
       "with --scheduled-sampling linear: decrease of the teacher-forcing ratio per step", between(0, 1)},
      {"sampling-floor", &o.sampling.floor, "with --scheduled-sampling linear: lowest teacher-forcing ratio",
       between(0, 1)},
      {"gradient-accumulation", &o.gradient_accumulation,
       "number of batches whose gradients are added up before the weights are updated (gradient accumulation)",
       between(1, 100000)},
      {"ema", &o.ema,
       "evaluate and save a moving average of the weights instead of the weights. Each step multiplies the old average "
       "by X, for example 0.999; 0: off",
       between(0, 0.9999999)},
      {"kernels", &o.kernels,
       "how the layers are computed. `fused`: with fast functions that combine several operations; `composed`: with "
       "elementary operations, for comparison; `tiled`: self-attention in small tiles, which need less memory for long "
       "texts (FlashAttention), and all other layers as in fused"},
      {"gradient-dtype", &o.gradient_dtype,
       "with mpirun: data type of the gradients that the processes exchange. `float32`: 32 bits; `bfloat16`: the upper "
       "16 bits of a float32, which halve the traffic but lose precision; `int8`: 8 bits, for slow networks. Each "
       "process adds its rounding error to its next gradient (error feedback)"},
  };
}

Table keeping_table(TrainOptions& o) {
  return {
      {"keep", &o.keep,
       "which epoch is the best one, measured on the validation pairs. `loss`: lowest loss; `bleu`: highest BLEU; "
       "`aer`: lowest alignment error rate (AER)"},
      {"patience", &o.patience, "stop after N epochs without progress; 0: never", between(0, many)},
      {"keep-epochs", &o.keep_epochs,
       "keep the weights of the last N epochs, so that the program `average` can average them; 0: keep only the best "
       "epoch",
       between(0, many)},
      {"save-every", &o.save_every,
       "save the training state every N steps, and after each epoch; 0: only after each epoch", between(0, many)},
      {"track",
       &o.track,
       "after each epoch, record the attention of the first N validation sentences in history.jsonl. The program "
       "`view` shows them as a training timeline",
       {.also = {"all"}, .lowest = 0, .highest = 1000000}},
  };
}

}  // namespace

Table table(TrainOptions& o) {
  return in_group("Corpus", corpus_table(o)) + table(o.model) + in_group("Training", learning_table(o)) +
         in_group("Schedule", schedule_table(o)) + in_group("Training", objective_table(o)) +
         in_group("Output", keeping_table(o));
}

std::vector<std::string> training_names() {
  TrainOptions options;
  std::vector<std::string> names;
  for (const models::Option& option : table(options)) {
    names.push_back(option.name);
    for (const std::string& other : models::other_names(option.name)) names.push_back(other);
  }
  names.emplace_back("resumed");  // options that --resume changed (apps/training/resume.h)
  return names;
}

void check(const TrainOptions& o) {
  if (o.objective.coverage > 0 && !o.model.coverage) {
    throw UsageError(
        "--coverage-loss needs --coverage, which records how much attention each word has received. Add --coverage");
  }
  try {
    check(o.sampling);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

// If the user names only a model, it determines the task. If the user names a task, the task determines the model.
void complete(TrainOptions& o) {
  if (o.task == models::Task::translation) o.task = models::task_of(o.model);
  o.model.model = models::model_for(o.task, o.model);
  if (task_of(o).source == Source::picture && o.model.encoder.empty()) o.model.encoder = "picture";
  o.model = models::completed(o.model);
  if (task_of(o).source == Source::picture && !models::reads_pictures(o.model))
    throw UsageError(fmt::format(
        "--task captioning needs --encoder picture, because the encoder {0} cannot read pictures. Remove --encoder {0}",
        o.model.encoder));
  if (task_of(o).source == Source::picture && o.swap_sides)
    throw UsageError("--swap-sides: the model would have to write pictures, and no model can. Remove --swap-sides");
  if (task_of(o).one_word && o.swap_sides)
    throw UsageError(
        "--swap-sides: this task has answers of one word, which cannot be swapped with the input. Remove --swap-sides");
  if (task_of(o).one_word && cuts_into_subwords(o))
    throw UsageError(
        "--tokenizer sentencepiece: an answer is one word and cannot be split into subwords; use --tokenizer words or "
        "characters");
  if (o.align && !task_of(o).links_words())
    throw UsageError(
        "--align learns word links, and only --task translation has pairs with word links. Remove --align");
  if (o.restarts > 0 && !task_of(o).one_word)
    throw UsageError(
        "--restarts counts right answers, and only --task questions and --task entailment have answers. Remove "
        "--restarts");
  const std::vector<std::string> uses = models::uses_of(o.model);
  if ((o.linear_start > 0 || o.objective.time_noise > 0) && std::find(uses.begin(), uses.end(), "hops") == uses.end())
    throw UsageError(
        fmt::format("--{0} needs --model memory-network, and the model {1} has no hops over sentences. Remove --{0}",
                    o.linear_start > 0 ? "linear-start" : "time-noise", o.model.model));
  o.model.known_positions = o.max_length + 1;  // with </s>
  models::ModelOptions with_words = o.model;
  with_words.source_vocabulary = with_words.target_vocabulary = 1;  // the corpus determines these sizes later
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

data::TokenizerOptions tokenizer_options(const TrainOptions& options) {
  return {.scheme = options.tokenizer, .lowercase = options.lowercase};
}

}  // namespace softalign::apps
