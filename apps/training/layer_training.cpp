#include "apps/training/layer_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/run/batched_inference.h"
#include "apps/run/layer_matrix.h"
#include "apps/run/run_text.h"
#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "apps/training/interrupts.h"
#include "autograd/stopwatch.h"
#include "data/io/error.h"
#include "data/io/own_files.h"
#include "models/alignment/alignment_training.h"
#include "models/alignment/combined_weights.h"
#include "models/checkpoint.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_lines = 8;  // number of lines about the epochs of the layer

models::AlignmentTrainingOptions layer_options(const TrainOptions& options) {
  models::AlignmentTrainingOptions of_layer;
  of_layer.seed = options.common.seed;
  return of_layer;
}

// LayerProgress shows the training of the layer as a progress bar, and prints a line after some of the epochs.
class LayerProgress {
 public:
  void show(const models::AlignmentProgress& now) {
    if (now.epoch > last_.epoch) end_epoch();
    last_ = now;
    const double all = static_cast<double>(now.done) / static_cast<double>(now.pairs);
    const double spent = seconds();
    line_.show({.epoch = now.epoch,
                .epochs = now.epochs,
                .done = all * static_cast<double>(now.epochs) - static_cast<double>(now.epoch - 1),
                .loss = now.loss,
                .words_per_second = static_cast<double>(now.words) / spent,
                .seconds_left = spent / all - spent});
  }

  void clear() { line_.clear(); }

  // Prints a line about the last epoch, if this epoch gets one.
  void end_epoch() {
    clear();
    const std::size_t every = (last_.epochs + most_lines - 1) / most_lines;
    if (last_.epoch > 0 && last_.epoch % every == 0)
      apps::show("alignment layer: epoch {:>2} of {}, loss {:.3f}, {}\n", last_.epoch, last_.epochs, last_.loss,
                 format_duration(seconds()));
  }

  double seconds() const { return watch_.seconds(); }

 private:
  autograd::Stopwatch watch_;
  ProgressLine line_;
  models::AlignmentProgress last_;
};

}  // namespace

std::string describe_layer_training(const TrainOptions& options, const TrainingData& data) {
  const std::size_t pairs = data.train.pairs.size();
  return fmt::format("alignment layer: {} epochs over the linked ones of {} pairs, before the model is trained\n",
                     epochs_of(layer_options(options), pairs), format_count(pairs));
}

bool train_alignment_layer(const TrainOptions& options, TrainingData& data, const RunFolder& folder) {
  const std::vector<data::Pair>& pairs = data.train.pairs;
  if (data.learnt.empty()) data.learnt = links_by_em(pairs, interrupted);
  if (data.learnt.empty()) return false;
  const std::vector<data::Links>& links = data.learnt;
  const auto linked = static_cast<std::size_t>(
      std::count_if(links.begin(), links.end(), [](const data::Links& each) { return !each.empty(); }));
  if (linked == 0)
    throw data::Error(
        data::ErrorKind::bad_data,
        "--align: no word link was found in the training pairs, so the alignment layer cannot learn. Remove --align");
  const models::AlignmentTrainingOptions of_layer = layer_options(options);
  apps::show("alignment layer: {} epochs over {} pairs; the model is trained next\n", epochs_of(of_layer, linked),
             format_count(linked));
  LayerProgress progress;
  bool is_stopped = false;
  const models::AlignmentLayer layer = models::train_alignment_layer(
      pairs, links, of_layer, [&](const models::AlignmentProgress& now) { progress.show(now); },
      [&] { return is_stopped = interrupted(); });
  progress.clear();
  if (is_stopped) return false;
  progress.end_epoch();
  data::check_own_file(folder.alignment_layer());
  layer.save(folder.alignment_layer());
  apps::show("the alignment layer was trained on these links in {} and is in {}\n", format_duration(progress.seconds()),
             folder.alignment_layer());
  return true;
}

namespace {

constexpr std::size_t most_pairs_for_share = 2000;

// Returns at most most_pairs_for_share pairs that are not blank, spread evenly over the corpus.
std::vector<data::Pair> some_of(const std::vector<data::Pair>& pairs) {
  const std::size_t n = std::min(pairs.size(), most_pairs_for_share);
  std::vector<data::Pair> some;
  for (std::size_t k = 0; k < n; ++k)
    if (const data::Pair& pair = pairs[k * pairs.size() / n]; !pair.blank) some.push_back(pair);
  return some;
}

// Returns both attentions of the pairs. It works in parts, because the results of teacher forcing have all heads.
std::vector<models::BothAttentions> both_attentions(const LoadedRun& run, const models::AlignmentLayer& layer,
                                                    const std::vector<data::Pair>& pairs) {
  constexpr std::size_t part = 4 * usual_batch;
  std::vector<models::BothAttentions> both;
  for (std::size_t begin = 0; begin < pairs.size(); begin += part) {
    const auto at = [&](std::size_t i) {
      return pairs.begin() + static_cast<std::ptrdiff_t>(std::min(i, pairs.size()));
    };
    const std::vector<data::Pair> now(at(begin), at(begin + part));
    std::vector<TeacherForcedPair> decoder = teacher_force(*run.model, run.params, encode(run, now));
    std::vector<data::AttentionWeights> of_layer = layer_weights(layer, now);
    for (std::size_t i = 0; i < now.size(); ++i) {
      data::Tokens source = now[i].source;
      source.emplace_back(data::end_token);
      both.push_back({std::move(source), now[i].target, std::move(of_layer[i].matrix),
                      over_words(decoder[i].weights.matrix, run, now[i])});
    }
  }
  return both;
}

}  // namespace

void choose_layer_share(const LoadedRun& run, const std::vector<data::Pair>& pairs, const RunFolder& folder) {
  if (!run.model->decoder().attends()) return;
  models::restore(folder.model(), models::load_checkpoint(folder.model()).parameters, models::named_arrays(run.params));
  models::AlignmentLayer layer = models::AlignmentLayer::load(folder.alignment_layer());
  layer.set_share(models::best_share(both_attentions(run, layer, some_of(pairs))));
  data::check_own_file(folder.alignment_layer());
  layer.save(folder.alignment_layer());
  show("alignments combine the alignment layer (share {:.1f}) and the attention of the decoder (share {:.1f})\n",
       layer.share(), 1 - layer.share());
}

}  // namespace softalign::apps
