// A run folder has the files that a training writes. This file loads the model from them.
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

// LoadedRun is a model, together with the vocabularies and the tokeniser that turn text into the model's ids.
struct LoadedRun {
  TrainOptions options;
  std::string config;               // config.json, as text
  data::Vocabulary source, target;  // entries are subwords, if the run has subwords
  autograd::Params params;
  std::unique_ptr<models::Seq2Seq> model;
  data::Segmenter source_segmenter = {}, target_segmenter = {};        // words -> entries of the vocabularies
  data::TruecaseModel truecase_model = {};                             // the capitals of words in the training text
  std::size_t members = 1;                                             // number of runs in the model (load_runs)
  std::shared_ptr<const models::AlignmentLayer> alignment_layer = {};  // from train --align; null while it is trained
  double layer_share = 1;       // share of the alignment layer in the matrix of a record (models/alignment)
  ProcessGroup processes = {};  // the processes that have opened the same run
};

// Throws data::Error if the machine has too little memory for this model's parameters. It checks this before it
// allocates any of them.
void check_memory_of_model(const models::ModelOptions& options);

// Returns the random stream for the initial parameters of a new run.
autograd::Random initial_weights(const TrainOptions& options);

// Returns the model that the options describe. The seed determines its initial parameters. `config` is the content of
// config.json.
LoadedRun make_run(TrainOptions options, const std::string& config, data::Vocabulary source, data::Vocabulary target);

// learn_run returns a new run. It learns the vocabularies, and the subwords if there are any, from the training pairs.
// open_run reads them from a run folder, and save_text writes them to a run folder. learn_run throws data::Error if the
// subwords cannot be learned. open_run throws it if a file is missing, is damaged or does not belong to the other
// files.
LoadedRun learn_run(TrainOptions options, const std::string& config, const std::vector<data::Pair>& pairs);
LoadedRun open_run(TrainOptions options, const std::string& config, const RunFolder& folder);
void save_text(const LoadedRun& run, const RunFolder& folder);

// Checks the path of --run. Throws data::Error if there is no such folder, if the path is a file, if the folder is a
// corpus, or if it contains runs but is not a run itself. If there are runs near the path, the message names them.
void check_is_run(const std::string& path);

// Returns the run with the parameters of its best epoch. Throws data::Error if a file is missing or damaged, or if a
// parameter is not finite. Also throws it if model, vocabularies and configuration come from different trainings. The
// message names the file.
LoadedRun load_run(const std::string& path);

// Reads config.json of a run. `text` receives the unchanged text of the file.
TrainOptions read_config(const RunFolder& folder, std::string& text);

// MatrixBy says where the attention matrix of an alignment record comes from: from the decoder, from the alignment
// layer of the run, or from both combined. An alignment layer is attention that is trained only to align words. The
// user chooses with the option --alignment-by, and apply() sets the choice in a loaded run.
enum class MatrixBy { combined, layer, decoder };
constexpr auto names_of(MatrixBy) {
  return autograd::names<MatrixBy>(
      {{"combined", MatrixBy::combined}, {"layer", MatrixBy::layer}, {"decoder", MatrixBy::decoder}});
}
struct MatrixChoice {
  std::optional<MatrixBy> by;
};
models::Table table(MatrixChoice& choice);
// Throws UsageError if the user requests the alignment layer and the run has none. `name` names the run.
void apply(const MatrixChoice& choice, LoadedRun& run, const std::string& name);

// Declares the option --run, which the user gives at least once. Several runs decode as one model, an ensemble.
models::Table runs_table(std::vector<std::string>& paths);

// Returns a sentence for a message that --run is missing: the runs in the folder runs/, or how to train one.
std::string advice_on_runs();

// Loads a run. Several paths become one run whose model is the ensemble of all models (models/search/ensemble.h). It
// has the options and the alignment layer of the first run, and the smallest length limit. Throws data::Error like
// load_run. Also throws it if two runs have different vocabularies or tokenisers. The message then names both runs.
LoadedRun load_runs(const std::vector<std::string>& paths);

// Returns the decoding mode that the records of this run contain. It is `mode` if the run has one model. For several
// models it is `ensemble`, because probabilities and attention are then means over the models.
data::DecodingMode record_mode(const LoadedRun& run, data::DecodingMode mode);
// Returns the decoding mode of a search with this beam size. For a single model, it is `greedy` or `beam`.
data::DecodingMode search_mode(const LoadedRun& run, std::size_t beam);

}  // namespace softalign::apps
