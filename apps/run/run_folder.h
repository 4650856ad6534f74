// The run folder: the files that a training writes, and the model that is loaded from them.
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

// data::Error if the machine has too little memory for this model's parameters. It is thrown before any is allocated.
void check_memory_of_model(const models::ModelOptions& options);

// The random stream for the initial parameters of a new run.
autograd::Random initial_weights(const TrainOptions& options);

// The model that the options describe, with initial parameters by the seed. `config` is the content of config.json.
Run make_run(TrainOptions options, const std::string& config, data::Vocabulary source, data::Vocabulary target);

// The same with vocabularies, and optionally subwords, that are learned from the training pairs; then with those of a
// run folder; and a function that writes them. data::Error: the subwords cannot be learned; a file is missing, damaged
// or does not belong to the others.
Run learn_run(TrainOptions options, const std::string& config, const std::vector<data::Pair>& pairs);
Run open_run(TrainOptions options, const std::string& config, const RunFolder& folder);
void save_text(const Run& run, const RunFolder& folder);

// Checks that the path of --run is a folder, and no corpus. data::Error, with the folder that is probably meant, if one
// is found.
void check_is_run(const std::string& path);

// The run with the parameters of its best epoch. data::Error, naming the file: one is missing or damaged, or
// model, vocabularies and configuration do not belong together, or not every parameter is finite.
Run load_run(const std::string& path);

// config.json of a run; `text` is the unchanged text of the file.
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

// Loads a run. Several runs become one with their ensemble as model (models/search/ensemble.h), the options of the
// first, and the smallest length limit. data::Error as load_run, or if two runs differ in vocabularies or tokeniser,
// with their names.
Run load_runs(const std::vector<std::string>& paths);

// The mode of a run's records: ensemble for several models, because probabilities and attention are means then.
data::DecodingMode record_mode(const Run& run, data::DecodingMode mode);
// The same for the result of a search with this beam: greedy or beam for a single model.
data::DecodingMode search_mode(const Run& run, std::size_t beam);

}  // namespace softalign::apps
