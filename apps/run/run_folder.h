// The run folder: what a training leaves behind, and the model read back from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/cli/common_options.h"
#include "apps/run/run_files.h"
#include "apps/run/train_options.h"
#include "apps/scatter_gather/scatter_gather.h"
#include "autograd/params.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"
#include "data/corpus/vocabulary.h"
#include "data/text/subwords.h"
#include "data/text/truecasing.h"
#include "models/alignment/alignment_layer.h"
#include "models/seq2seq.h"

namespace softalign::apps {

// A model with what turns text into its ids.
struct Run {
  TrainOptions options;
  std::string config;               // config.json, as text
  data::Vocabulary source, target;  // of pieces, if the text is cut into them
  autograd::Params params;
  std::unique_ptr<models::Seq2Seq> model;
  data::Segmenter source_pieces = {}, target_pieces = {};  // words -> entries of the vocabularies
  data::TruecaseModel truecase_model = {};                 // of lower-cased words, as the training text writes them
  std::size_t members = 1;                                 // runs that the model is made of (load_runs)
  std::shared_ptr<const models::AlignmentLayer> alignment_layer = {};  // of train --align; none while it is trained
  ProcessGroup processes = {};  // with other processes that have opened the same run
};

// data::Error if the machine has not the memory for this model's parameters, before any is made.
void check_memory_of_model(const models::ModelOptions& options);

// The stream that a new run's parameters are drawn from.
autograd::Random initial_weights(const TrainOptions& options);

// The model that the options describe, its parameters as the seed gives them. `config` is what config.json holds.
Run make_run(TrainOptions options, const std::string& config, data::Vocabulary source, data::Vocabulary target);

// The same with vocabularies, and if the options say so pieces, learnt from the training pairs; with those that a run
// folder holds; and the writing of them. data::Error: the pieces cannot be learnt; a file is missing, damaged or
// does not belong to the others.
Run learn_run(TrainOptions options, const std::string& config, const std::vector<data::Pair>& pairs);
Run open_run(TrainOptions options, const std::string& config, const RunFolder& folder);
void save_text(const Run& run, const RunFolder& folder);

// Checks that a path that --run names is a folder, and no corpus. data::Error, with the folder that is meant where one
// can be found.
void check_is_run(const std::string& path);

// The run with the parameters of its best epoch. data::Error, naming the file: one is missing or damaged, or
// model, vocabularies and configuration do not belong together, or not every parameter is finite.
Run load_run(const std::string& path);

// config.json of a run; `text` is the file as it stands.
TrainOptions read_config(const RunFolder& folder, std::string& text);

// What the matrix of a run's records is: the attention of the alignment layer, where the run has one, or that of the
// decoder. The option --alignment-by, and what follows from it for a run that was loaded.
enum class MatrixBy { layer, decoder };
constexpr auto names_of(MatrixBy) {
  return autograd::names<MatrixBy>({{"layer", MatrixBy::layer}, {"decoder", MatrixBy::decoder}});
}
struct MatrixChoice {
  std::optional<MatrixBy> by;
};
models::Table table(MatrixChoice& choice);
// UsageError if the layer is asked for and the run, which `name` names, has none.
void apply(const MatrixChoice& choice, Run& run, const std::string& name);

// Several runs decode as one, an ensemble. The option --run RUN, to give at least once.
models::Table runs_table(std::vector<std::string>& paths);

// The run; of several, one whose model is their ensemble (models/search/ensemble.h), with the options of the first and
// the smallest of their length limits. data::Error as of load_run, or naming two runs that do not have the same
// vocabularies and tokeniser.
Run load_runs(const std::vector<std::string>& paths);

// The mode of a run's records: ensemble for several models, because probabilities and attention are means then.
data::DecodingMode record_mode(const Run& run, data::DecodingMode mode);
// The same for the result of a search with this beam: greedy or beam for a single model.
data::DecodingMode search_mode(const Run& run, std::size_t beam);

}  // namespace softalign::apps
