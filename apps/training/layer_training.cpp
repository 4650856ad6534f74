#include "apps/training/layer_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "apps/run/batched_inference.h"
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

// some_of returns at most this many pairs, spread evenly over the corpus.
constexpr std::size_t most_pairs_for_share = 2000;

std::vector<data::Pair> some_of(const std::vector<data::Pair>& pairs) {
  const std::size_t n = std::min(pairs.size(), most_pairs_for_share);
  std::vector<data::Pair> some;
  for (std::size_t k = 0; k < n; ++k) some.push_back(pairs[k * pairs.size() / n]);
  return some;
}

// Returns both attentions of the pairs, over the words or subwords that the model reads.
std::vector<models::BothAttentions> both_attentions(const LoadedRun& run, const std::vector<data::Pair>& pairs) {
  std::vector<TeacherForcedPair> teacher_forced = teacher_force(run, pairs);
  std::vector<models::BothAttentions> both;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    data::AttentionWeights& weights = teacher_forced[i].weights;
    const data::Head* decoder = weights.decoder_head();
    if (!decoder) continue;  // a model without attention, or a blank pair
    models::BothAttentions& its = both.emplace_back();
    its.source = run.source_segmenter.segment(pairs[i].source).subwords;
    its.source.emplace_back(data::end_token);
    its.target = run.target_segmenter.segment(pairs[i].target).subwords;
    its.decoder = decoder->matrix;
    its.layer = std::move(weights.matrix);
  }
  return both;
}

}  // namespace

void choose_layer_share(LoadedRun& run, const std::vector<data::Pair>& pairs, const RunFolder& folder) {
  models::restore(folder.model(), models::load_checkpoint(folder.model()).parameters, models::named_arrays(run.params));
  auto layer = std::make_shared<models::AlignmentLayer>(models::AlignmentLayer::load(folder.alignment_layer()));
  run.alignment_layer = layer;
  run.layer_share = 1;  // so that teacher forcing returns the weights of the layer, and those of the decoder as a head
  const ProcessGroup processes = std::exchange(run.processes, {});  // the other processes do not take part
  const std::vector<models::BothAttentions> both = both_attentions(run, some_of(pairs));
  run.processes = processes;
  run.layer_share = models::best_share(both);
  layer->set_share(run.layer_share);
  data::check_own_file(folder.alignment_layer());
  layer->save(folder.alignment_layer());
  if (!both.empty())
    show("alignments combine the alignment layer (share {:.1f}) and the attention of the decoder (share {:.1f})\n",
         run.layer_share, 1 - run.layer_share);
}

}  // namespace softalign::apps
