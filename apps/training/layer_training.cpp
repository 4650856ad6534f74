#include "apps/training/layer_training.h"

#include <algorithm>
#include <chrono>

#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "data/io/error.h"
#include "data/io/own_files.h"
#include "models/alignment/alignment_training.h"

namespace softalign::apps {

void train_alignment_layer(const TrainOptions& options, TrainingData& data, const RunFolder& folder) {
  const std::vector<data::Pair>& pairs = data.train.pairs;
  if (data.learnt.empty()) data.learnt = links_by_em(pairs);
  const std::vector<data::Links>& links = data.learnt;
  if (std::all_of(links.begin(), links.end(), [](const data::Links& each) { return each.empty(); }))
    throw data::Error(
        data::ErrorKind::bad_data,
        "--align: no word link was found in the training pairs, so the alignment layer cannot learn. Remove --align");
  report("train now trains the alignment layer on these links, and then the model\n");
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  ProgressLine line;
  models::AlignmentProgress last;
  const auto show = [&](const models::AlignmentProgress& now) {
    last = now;
    const double all = static_cast<double>(now.done) / static_cast<double>(now.pairs);
    const double spent = seconds();
    line.show({.epoch = now.epoch,
               .epochs = now.epochs,
               .done = all * static_cast<double>(now.epochs) - static_cast<double>(now.epoch - 1),
               .loss = now.loss,
               .words_per_second = static_cast<double>(now.words) / spent,
               .seconds_left = spent / all - spent});
  };
  models::AlignmentTrainingOptions of_layer;
  of_layer.seed = options.common.seed;
  const models::AlignmentLayer layer = models::train_alignment_layer(pairs, links, of_layer, show);
  line.clear();
  data::check_own_file(folder.alignment_layer());
  layer.save(folder.alignment_layer());
  apps::show("the alignment layer was trained on these links for {} epochs in {} and is in {}\n", last.epochs,
             format_duration(seconds()), folder.alignment_layer());
}

}  // namespace softalign::apps
