// TrainOptions has all options that determine the result of a training. The defaults suit the toy corpus.
#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/common_options.h"
#include "apps/run/tasks.h"
#include "apps/scatter_gather/gradient_dtype.h"
#include "autograd/kernels.h"
#include "autograd/names.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/optimise/schedule.h"
#include "data/corpus/vocabulary.h"
#include "data/text/subwords.h"
#include "data/text/tokenizer.h"
#include "models/options.h"
#include "models/task.h"
#include "models/training/losses.h"
#include "models/training/teacher_forcing.h"

namespace softalign::apps {

// BestBy says which measure decides the best epoch: the lowest validation loss, the lowest AER, or the highest BLEU.
enum class BestBy { loss, bleu, aer };
constexpr auto names_of(BestBy) {
  return autograd::names<BestBy>({{"loss", BestBy::loss}, {"bleu", BestBy::bleu}, {"aer", BestBy::aer}});
}

struct TrainOptions {
  CommonOptions common;

  // The training data are a folder with train.tsv and valid.tsv, or single files.
  std::string data = "data/toy";
  std::string train, valid;                                 // TSV files in place of the folder's
  std::string source, target, alignment;                    // plain parallel files instead, one sentence per line
  std::string valid_source, valid_target, valid_alignment;  // the same files for validation
  bool one_based = false;                                   // gold links count words from 1
  bool swap_sides = false;  // swaps sources and targets: a run of the opposite direction

  // These options choose how text becomes ids.
  data::Tokenization tokenizer = data::Tokenization::words;
  bool lowercase = true;
  data::VocabularyOptions vocabulary{.min_count = 1, .max_size = 30000};  // limits of a vocabulary of words
  data::SubwordOptions subwords;                                          // for --tokenizer sentencepiece
  std::size_t max_length = 100;  // words of either side; longer pairs are left out of training, with a count

  models::Task task = models::Task::translation;
  models::ModelOptions model;

  // These options choose how to learn.
  std::size_t epochs = 16;
  std::size_t restarts = 0;      // trainings from other initial weights, if the best epoch has not learned the answers
  double linear_start = 0;       // memory networks: share of the epochs without the softmax of the attention
  std::size_t batch = 32;        // pairs
  std::size_t batch_tokens = 0;  // if not 0, batches have this many target words instead
  autograd::OptimiserOptions optimiser;
  autograd::ScheduleOptions schedule{.learning_rate = 5e-3};
  double clip = 1;     // largest norm of the whole gradient; 0: no limit
  bool align = false;  // an alignment layer learns from links that EM finds in the training pairs
  models::Objective objective{.label_smoothing = 0.1, .word_dropout = 0.2};
  models::SamplingDecay sampling;         // scheduled sampling
  std::size_t gradient_accumulation = 1;  // batches whose gradients make one update
  double ema = 0;                         // decay of the weights' moving average, which is saved; 0: none
  autograd::Kernels kernels = autograd::Kernels::fused;
  GradientDtype gradient_dtype = GradientDtype::float32;  // type of gradients between processes (apps/ranks)

  // These options decide which model is the best one, when the training ends, and what the training saves.
  BestBy keep = BestBy::loss;
  std::size_t patience = 0;     // stop after this many epochs without improvement; 0: never
  std::size_t keep_epochs = 0;  // last epochs whose parameters are kept too, for averaging
  std::size_t save_every = 0;   // steps between saved training states; 0: after each epoch only
  std::size_t track = 8;        // validation sentences whose attention is recorded after each epoch
};

// Returns all options by name, except those that every program has. They are the options of `train`. config.json has
// them in the same order.
models::Table table(TrainOptions& options);

// Returns the names of all options that a run's config.json may contain.
std::vector<std::string> training_names();

// Throws UsageError if the options contradict each other.
void check(const TrainOptions& options);

// Sets options that the user did not give and that depend on others: the default model of the task, the default
// attention of the model, and the number of positions for location scores. Throws UsageError if no model can be built
// from the options.
void complete(TrainOptions& options);

// Returns the defaults that the task and the model determine, in the format of config.json.
std::string own_defaults(const TrainOptions& options);
// Returns the defaults that the task and the model determine, for a configuration of an earlier build. Options that did
// not exist in that build are turned off.
std::string of_earlier_builds(const std::string& own_defaults);

// Returns the properties of the task that the options choose.
inline const TaskProperties& task_of(const TrainOptions& options) { return properties_of(options.task); }

// Returns the largest number of words of a caption, which is --max-length. Without this limit, an untrained model could
// write twice as many words as the picture has cells. Returns 0 if the run has no pictures.
inline std::size_t most_caption_words(const TrainOptions& options) {
  return task_of(options).source == Source::picture ? options.max_length : 0;
}

inline bool cuts_into_subwords(const TrainOptions& options) { return options.tokenizer == data::Tokenization::spaces; }
data::TokenizerOptions tokenizer_options(const TrainOptions& options);

}  // namespace softalign::apps
