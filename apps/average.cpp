// The program `average` makes a run whose weights are the mean over several epochs of another run.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "apps/cli/command_line.h"
#include "apps/run/output_folder.h"
#include "apps/run/provenance.h"
#include "apps/run/run_files.h"
#include "apps/run/run_folder.h"
#include "apps/terminal/output.h"
#include "apps/training/resume.h"
#include "apps/training/seq2seq_task.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "models/training/weight_average.h"

using namespace softalign;

namespace {

using Epochs = std::vector<std::size_t>;

// Returns the epochs to average, out of the epochs that the run has kept. The user names them by number, or asks for
// the last ones or for all.
Epochs choose(const apps::RunFolder& run, const Epochs& asked, std::size_t last) {
  const Epochs kept = apps::kept_epochs(run);
  if (kept.empty()) {
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("--run {}: this run has kept no epochs. Train again with: train --keep-epochs N", run.path));
  }
  const auto lacks = [&](const std::string& what) {
    throw data::Error(data::ErrorKind::wrong_usage, fmt::format("--run {}: {}. This run has kept the epochs {}",
                                                                run.path, what, fmt::join(kept, ", ")));
  };
  for (const std::size_t epoch : asked) {
    if (std::find(kept.begin(), kept.end(), epoch) == kept.end())
      lacks(fmt::format("this run has not kept epoch {}", epoch));
  }
  if (last > kept.size()) lacks(fmt::format("this run has kept fewer than {} epochs", last));
  if (!asked.empty()) {
    const std::set<std::size_t> once(asked.begin(), asked.end());
    return {once.begin(), once.end()};
  }
  return last == 0 ? kept : Epochs(kept.end() - static_cast<std::ptrdiff_t>(last), kept.end());
}

void check_finite(const std::string& where, const models::NamedArrays& parameters) {
  if (const std::string name = models::first_not_finite(parameters); !name.empty())
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format(
            "{}: {} has NaN or infinity, because the training diverged or the file was changed. Average other epochs",
            where, name));
}

// Sets the weights of the run to their mean over these epochs.
void set_to_mean_of(const Epochs& epochs, const apps::RunFolder& from, const apps::LoadedRun& run) {
  std::vector<models::Checkpoint> checkpoints;
  for (const std::size_t epoch : epochs) {
    checkpoints.push_back(models::load_checkpoint(epoch_file(from, epoch)));
    apps::check_config_of_epoch(checkpoints.back().path, checkpoints.back().config, from);
    check_vocabularies(checkpoints.back(), run.source.hash(), run.target.hash());
    check_finite(checkpoints.back().path, checkpoints.back().parameters);
  }
  set_to_mean(run.params, checkpoints);
  check_finite("the mean", models::named_arrays(run.params));
}

// Writes the run with its new weights, and the other files of the run folder.
void write_run(const apps::LoadedRun& run, const std::string& config, const apps::RunFolder& from,
               const apps::RunFolder& out, bool force) {
  const auto known = read_provenance(from);
  const std::string provenance = known ? to_json(*known) : "";
  check_lockable(out);
  check_replaceable(out, force);
  std::optional<apps::FolderLock> lock;
  const std::unique_ptr<apps::Replacement> replaced = begin_new_run(out, force, lock);
  data::write_own_file(out.config(), config);
  if (!provenance.empty()) data::write_own_file(provenance_file(out), provenance);
  save_text(run, out);
  if (data::exists(from.alignment_layer()))
    data::write_own_file(out.alignment_layer(), data::read_bytes(from.alignment_layer()));
  models::save_checkpoint(out.model(), checkpoint_of(run));
  replaced->done();
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::RunFolder from, out;
  Epochs asked;
  std::size_t last = 0;
  bool force = false;
  apps::CommandLine line("average",
                         "Averages the weights of the last epochs of a run (kept by train --keep-epochs N). The result "
                         "is a run that every other program accepts.",
                         {"average --run runs/mine --out runs/mine-mean                all kept epochs",
                          "average --run runs/mine --last 3 --out runs/mine-mean",
                          "average --run runs/mine --epochs 12,14,16 --out runs/mine-mean"},
                         common);
  line.pass_over(apps::training_names());
  line.add_here("run", &from.path, "run folder of the training, which kept epochs with `train --keep-epochs N`",
                {.required = true});
  line.advise_if_missing("run", apps::advice_on_runs);
  line.add_here("last", &last, "number of kept epochs to average, counted from the last; 0: all kept epochs",
                apps::between(0, models::many));
  line.add_here("epochs", &asked, "numbers of the epochs to average, separated by commas", {.commas = true});
  line.add_here("out", &out.path, "run folder to write", {.required = true});
  line.add_here("force", &force, "replace the run in the folder --out");

  return line.run(argc, argv, [&] {
    namespace fs = std::filesystem;
    if (last > 0 && !asked.empty())
      throw apps::UsageError("--last and --epochs both choose epochs. Remove one of them");
    std::error_code none;
    if (fs::equivalent(from.path, out.path, none))
      throw apps::UsageError("--out and --run are the same folder. Choose another folder for --out");
    apps::check_is_run(from.path);
    std::string config;
    apps::TrainOptions options = read_config(from, config);
    const apps::LoadedRun run = open_run(std::move(options), config, from);
    const Epochs epochs = choose(from, asked, last);
    set_to_mean_of(epochs, from, run);
    write_run(run, config, from, out, force);
    apps::show("the mean of epochs {} is {}\n", fmt::join(epochs, ", "), out.model());
    return 0;
  });
}
