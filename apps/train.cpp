// train: a parallel corpus in, a run folder out.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/corpus_files.h"
#include "apps/run/names_elsewhere.h"
#include "apps/run/output_folder.h"
#include "apps/run/provenance.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "apps/training/choices.h"
#include "apps/training/endings.h"
#include "apps/training/interrupts.h"
#include "apps/training/layer_training.h"
#include "apps/training/memory.h"
#include "apps/training/replay.h"
#include "apps/training/resume.h"
#include "apps/training/seq2seq_task.h"
#include "apps/training/table.h"
#include "apps/training/trainer.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/overlap.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"
#include "data/text/characters.h"
#include "data/text/subwords.h"
#include "models/named_options.h"
#include "models/registry.h"

using namespace softalign;

namespace {

// What of the training is shown; nothing that it writes depends on it.
struct ScreenOptions {
  std::size_t plot_every = 4;
  apps::UseColour colour = apps::UseColour::automatic;
};

// This call of the program, beside the options that a training has.
struct Call {
  apps::RunFolder folder{"runs/toy"};
  bool resume = false, force = false, dry_run = false, both_directions = false;
  ScreenOptions screen;
  std::string replay;                    // a file
  std::string go_on;                     // the command that resumes it
  std::vector<std::string> files_given;  // options that name files and are on the command line
  const apps::Communicator& ranks;
};

// Returns advice about a decoder that writes words without attending to them (docs/course/09-reading-alignments.md), or
// "".
std::string note(const apps::Run& run, const apps::Score& best) {
  const models::ModelOptions& model = run.options.model;
  if (best.end_attention() < 0.1 || model.model != "rnnsearch" || model.query_word) return "";
  return fmt::format(
      "note: at steps that write words, {:.0f}% of the attention is on </s>, so many words have no link.\n--query-word "
      "often improves this\n",
      100 * best.end_attention());
}

// Why the training loss may lie above the validation loss: it is measured with what makes learning harder.
std::string note_of_losses(const apps::TrainOptions& options) {
  std::vector<std::string> with;
  if (options.objective.label_smoothing > 0) with.emplace_back("label smoothing");
  if (options.model.dropout > 0) with.emplace_back("dropout");
  if (options.objective.word_dropout > 0) with.emplace_back("word dropout");
  if (with.empty()) return "";
  const std::string last = with.back();
  with.pop_back();
  return fmt::format("note: only the training loss includes {}{}{};\ntherefore it is often above the validation loss\n",
                     fmt::join(with, ", "), with.empty() ? "" : " and ", last);
}

int train(const apps::Run& run, const apps::TrainingData& data, const apps::Seq2SeqTask& task, apps::Trainer& trainer,
          const Call& call, apps::TrainingHooks hooks) {
  const apps::HeatmapStyle style = apps::screen_style(call.screen.colour);
  const auto done = static_cast<std::size_t>(trainer.state().metrics_bytes);
  apps::EpochTable table(style, call.screen.plot_every, apps::read_curve(call.folder.metrics(), done),
                         task_of(run.options));
  apps::ProgressLine line;
  hooks.step = [&](const apps::Progress& progress) { line.show(progress); };
  apps::Score best;
  hooks.epoch = [&](const apps::EpochReport& report) {
    if (report.best) best = task.score();
    line.clear();
    apps::show_painted(table.add(report, task.score(), task.tracked()));
  };
  hooks.restart = [&](std::size_t restart) {
    line.clear();
    apps::show(
        "fewer than 97% of the validation answers are right. Restart {} of {} begins with other initial weights\n",
        restart, run.options.restarts);
  };
  bool told = false;
  hooks.one_thread = [&](std::size_t threads) {
    if (std::exchange(told, true)) return;
    line.clear();
    apps::report("note: the machine is busy, so train uses 1 of {} threads for now. The results stay the same\n",
                 threads);
  };
  hooks.interrupted = apps::interrupted;
  apps::listen_for_interrupts(call.go_on);
  apps::report("{}", note_of_losses(run.options));
  apps::show_painted(table.head());
  const std::size_t before = trainer.state().steps;
  const apps::Outcome outcome = trainer.train(hooks);
  line.clear();
  apps::show("{}", describe_sent(call.ranks, trainer.state().steps - before));
  if (outcome == apps::Outcome::interrupted) {
    apps::show("train has stopped at step {}. This command continues from there: {}\n", trainer.state().steps,
               call.go_on);
    return 130;  // as shells report an interrupt
  }
  if (!trainer.has_best())
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("no epoch was better than epoch {}, and {} does not contain the weights of that "
                                  "epoch, because the file was changed after the training state was saved, or belongs "
                                  "to another run. Copy the file from where the training ran",
                                  trainer.state().best_epoch, call.folder.model()));
  const char* ended =
      outcome == apps::Outcome::stopped_early ? "train has stopped early, because no epoch was better; " : "";
  apps::show("{}the best model comes from epoch {} and is in {}\n", ended, trainer.state().best_epoch,
             call.folder.model());
  if (outcome == apps::Outcome::finished)
    apps::show("{}", apps::note_of_end(table.losses(), best, data, call.go_on, run));
  apps::show("{}", note(run, best));
  return 0;
}

using Lock = std::optional<apps::FolderLock>;

// From here on nobody else writes to the folder of a training that goes on. The first rank locks it; the others wait.
void take(const apps::RunFolder& folder, const Call& call, Lock& lock) {
  if (call.ranks.first() && !call.dry_run && !lock) lock.emplace(folder);
  call.ranks.barrier();
}

// Looks, and changes nothing but what a program of ours that was killed has left half done, without which there is no
// run to go on with.
void inspect(const apps::RunFolder& folder, const Call& call, Lock& lock) {
  if (call.ranks.first() && !call.dry_run && !lock) {
    check_lockable(folder);
    if (run_waits(folder)) {
      lock.emplace(folder);
      recover(folder);
    }
  }
  call.ranks.barrier();
}

// A corpus that a run's configuration names, and not the command line, may be no pipe: nobody writes to it now.
void check_regular_files(const apps::TrainOptions& options, const std::vector<std::string>& given) {
  if (!given.empty()) return;
  for (const apps::CorpusFiles& files : {training_files(options), validation_files(options)})
    for (const std::string& file : {files.tsv, files.source, files.target, files.alignment})
      data::check_regular(data::shipped(file));
}

// Trains one direction and returns the exit status. `links` has the links of --align for this direction, if they are
// known. Afterwards it has the links that the training used.
int train_direction(const apps::CommandLine& line, const apps::TrainOptions& options, const Call& call, Lock& lock,
                    std::vector<data::Links>& links) {
  const apps::RunFolder& folder = call.folder;
  const std::string config = line.config();
  const bool writes = call.ranks.first() && !call.dry_run;
  if (call.resume) {
    inspect(folder, call, lock);
    check_own_files(folder);
    check_unchanged(folder, config);
  } else if (writes) {
    if (!lock) check_lockable(folder);
    check_replaceable(folder, call.force);
  }
  apps::TrainOptions meant = options;  // its files, from where the training was started
  std::optional<apps::Provenance> known;
  if (call.resume && (known = read_provenance(folder))) resolve_files(meant, *known, call.files_given);
  if (call.resume) check_regular_files(meant, call.files_given);
  apps::TrainingData data = read_training_data(meant, links);
  if (call.resume) {
    take(folder, call, lock);
    check_unchanged(folder, config);
  }
  apps::Run run = call.resume ? open_run(options, config, folder) : learn_run(options, config, data.train.pairs);
  check_feasible(run, data);
  run.processes = process_group_of(call.ranks);
  const bool one_sided = !task_of(options).has_source_words();
  const std::string examples = task_of(options).examples;
  const std::string words =
      fmt::format("{} {}", apps::format_count(run.target.size()), one_sided ? "words" : "target words");
  apps::show("{} {} to train on, {} to validate; {}; {} parameters\n", apps::format_count(data.train.pairs.size()),
             examples, apps::format_count(data.valid.pairs.size()),
             one_sided ? words : fmt::format("{} source and {}", apps::format_count(run.source.size()), words),
             apps::format_count(run.params.count()));
  if (!line.given("out") && !call.dry_run && !call.both_directions) apps::show("writing to {}\n", folder.path);
  if (data.train.dropped > 0)
    apps::show("{} with more than {} words{} (--max-length), which are left out: {}\n", examples, options.max_length,
               one_sided ? "" : " on a side", apps::format_count(data.train.dropped));
  if (const std::size_t blank = data.train.blank + data.valid.blank; blank > 0)
    apps::show("{} with a side without words, which are left out: {}{}\n", examples, apps::format_count(blank),
               data.valid.blank > 0 ? fmt::format(", {} of them for validation", apps::format_count(data.valid.blank))
                                    : std::string());
  const bool trains_layer = options.align && !(call.resume && data::exists(folder.alignment_layer()));
  const apps::MemoryNeed memory = training_memory(run, data, call.ranks);
  if (call.dry_run) {
    apps::show("{}{}", apps::describe_options(run.options.model), describe_training(run, data, memory));
    if (trains_layer) apps::show("{}", describe_layer_training(run.options, data));
    return 0;
  }
  apps::Seq2SeqTask task(run, data);
  const bool whole_words = run.source_pieces.whole_words() && run.options.tokenizer != data::Tokenization::characters;
  apps::report("{}{}{}{}", data::note_of_segments(data.train.pairs),
               whole_words ? data::note_of_unspaced_text(
                                 data.train.pairs, "put spaces between its words, or train with --tokenizer characters")
                           : "",
               task.unknown_note(), data::note_of_overlap(data.train.pairs, data.valid.pairs));
  apps::Trainer trainer(task, trainer_options(options), folder, call.ranks);
  std::optional<apps::Replacement> replaced;
  std::string now = config;  // what config.json says
  if (call.resume) {
    check_memory_to_resume(run, folder, call.ranks);
    if (const std::string note = trainer.resume(); !note.empty()) apps::report("{}\n", note);
    apps::show("{}\n", apps::describe_resumed(trainer.state().steps, trainer.state().epoch,
                                              trainer.state().start_epoch - 1 + options.epochs));
    const apps::Resumed changes = resumed(folder, config, trainer.state().epoch, trainer.state().steps);
    now = changes.config;
    if (!changes.changes.empty())
      apps::report("note: from epoch {} on, {}; config.json records this change under \"resumed\"\n",
                   trainer.state().epoch, fmt::join(changes.changes, ", "));
    if (writes) recover(folder);
  } else if (writes) {
    make_folder(folder);
    lock.reset();
    lock.emplace(folder);
    recover(folder);
    check_replaceable(folder, call.force);  // as it is now that nobody else writes there
    replaced.emplace(folder, *lock);
  }
  call.ranks.barrier();                                    // until none reads the folder any more
  if (writes) data::write_own_file(folder.config(), now);  // the first of its files: they are a run's by it
  if (writes && !call.resume) save_text(run, folder);
  if (writes && (!known || !call.files_given.empty()))
    data::write_own_file(provenance_file(folder),
                         to_json(make_provenance(options, data.train.pairs, data.valid.pairs)));
  apps::TrainingHooks hooks;
  hooks.saved = [&] {
    if (replaced) replaced->done();
  };
  hooks.writing = [&] {
    if (lock) lock->check_held();
  };
  const data::WriteGuard guard(hooks.writing);
  apps::listen_for_interrupts(call.go_on);
  const bool stopped = writes && trains_layer && !train_alignment_layer(options, data, folder);
  links = data.learnt;
  if (call.ranks.any(stopped)) {  // all wait for the first, which alone trains the layer
    trainer.save(hooks);
    apps::show("stopped while the alignment layer was trained; {} trains the layer again, and then the model\n",
               call.go_on);
    return 130;
  }
  return train(run, data, task, trainer, call, std::move(hooks));
}

// The one after the other: each is the training that it would be alone.
int train_both_directions(const apps::CommandLine& line, apps::TrainOptions& options, const Call& call, Lock& lock) {
  data::check_own_folder(call.folder.reverse().path);
  apps::show("source to target, into {}\n", call.folder.path);
  std::vector<data::Links> links;
  const int status = train_direction(line, options, call, lock, links);
  if (status != 0) return status;
  Call back = call;
  back.folder = call.folder.reverse();
  Lock back_lock;
  take(back.folder, back, back_lock);
  if (back_lock) recover(back.folder);
  call.ranks.barrier();
  back.resume = call.resume && data::exists(back.folder.last());
  back.force = true;  // nothing is there but what a reverse begun has left
  options.swap_sides = !options.swap_sides;
  apps::show("\ntarget to source, into {}\n", back.folder.path);
  for (data::Links& pair : links) pair = data::transposed(pair);
  return train_direction(line, options, back, back_lock, links);
}

int run(int argc, char** argv, const apps::Communicator& ranks) {
  apps::TrainOptions options;
  Call call{.screen = {}, .replay = {}, .go_on = {}, .files_given = {}, .ranks = ranks};
  apps::CommandLine line(
      "train", "Trains an attention model on translations, texts, pictures, stories or pairs.",
      {"train                        on data/toy, into runs/toy", "train --data my/corpus --out runs/mine",
       "train --source a --target b --valid-source c --valid-target d",
       "train --config runs/mine/config.json --seed 2 --out runs/mine-2",
       "train --task language-model --train a.txt --valid b.txt",
       "train --resume --out runs/mine     continues after Ctrl-C"},
      options.common);
  line.add_note(
      "After Ctrl-C or SIGTERM, train completes the step and saves its state. --resume then continues with the same "
      "results. A second signal ends train at once. The exit status is 0 (success), 1 (bad data), 2 (wrong usage) or "
      "130 (stopped).");
  line.first({"data",  "train",     "valid",  "source", "target",  "task",   "tokenizer",
              "model", "attention", "hidden", "layers", "dropout", "epochs", "batch",
              "lr",    "patience",  "out",    "resume", "force",   "dry-run"});
  line.add(table(options));
  for (const models::Option& option : table(options.model))
    if (const std::string its = models::default_of_only_user(option.name); !its.empty())
      line.show_default(option.name, its);
  for (apps::NamesElsewhere& names : apps::names_elsewhere()) line.advise(names.option, std::move(names.advice));
  line.pass_over({"resumed"});
  line.group("Output");
  line.add_here("out", &call.folder.path, "run folder that train writes");
  line.add_here("both-directions", &call.both_directions,
                "after the training, train a second model in the opposite direction, and write it to OUT/reverse");
  line.add_here("resume", &call.resume, "continue the training in the folder --out");
  line.add_here("force", &call.force, "replace the run in the folder --out");
  line.add_here("dry-run", &call.dry_run, "print parameters and memory, and write nothing");
  line.add_here("replay", &call.replay,
                "file diverged.safetensors in the folder of a training that diverged (NaN or infinity). train repeats "
                "the step at which this happened");
  line.add_here("plot-every", &call.screen.plot_every,
                "draw the attention of a tracked sentence (--track) after epoch 1 and then every N epochs. The default "
                "is 0 if the output is not a terminal; 0: never",
                apps::between(0, models::many));
  line.add_here("color", &call.screen.colour, apps::color_help);
  line.own_defaults([&] {
    follow(line, options);
    return call.resume ? apps::of_earlier_builds(own_defaults(options)) : own_defaults(options);
  });
  Lock lock;
  line.default_config([&] {
    if (!call.resume) return std::string();
    inspect(call.folder, call, lock);
    check_regular_files(call.folder);
    if (data::exists(call.folder.config()) && !data::exists(call.folder.last()))
      throw data::Error(
          data::ErrorKind::missing_file,
          fmt::format(
              "{} does not exist, because the training was stopped before it saved its state. Start again with --force",
              call.folder.last()));
    return call.folder.config();
  });

  return line.run(argc, argv, [&] {
    if (!call.replay.empty()) {
      apps::show("{}", apps::replay(call.replay, line.given("threads") ? options.common.threads : 0));
      return 0;
    }
    if (call.resume && call.force)
      throw apps::UsageError(
          "--resume continues the run in --out, and --force replaces this run. Remove one of the two options");
    if (line.given("plot-every") && call.screen.plot_every > 0 && options.track == 0)
      throw apps::UsageError(
          "--plot-every draws a tracked sentence, and with --track 0 no sentence is tracked. Use --track 1 or more");
    if (!line.given("plot-every") && !apps::is_terminal(STDOUT_FILENO)) call.screen.plot_every = 0;
    check(options);
    if (options.schedule.learning_rate == 0)
      apps::report("note: with --lr 0, the training changes no weight. Use a positive learning rate\n");
    if (!call.resume) {
      const bool names_files =
          line.given("train") || line.given("valid") || line.given("source") || line.given("valid-source");
      check_data_folder(options, line.given("data") || (line.chosen("data") && !names_files));
    }
    if (!line.chosen("task")) check_model_fits(options);
    for (const char* name :
         {"data", "train", "valid", "source", "target", "alignment", "valid-source", "valid-target", "valid-alignment"})
      if (line.given(name)) call.files_given.emplace_back(name);
    const models::ModelOptions given = options.model;
    const models::Task task = options.task;
    complete(options);
    if (line.given("task") && task != options.task)
      throw apps::UsageError(fmt::format("--model {1} cannot learn --task {0}. Remove --model or --task",
                                         autograd::name_of(task), given.model));
    check_kept(line, given, options.model, options.task);
    if (task_of(options).source == apps::Source::picture)
      set_size_as_first(options, !line.chosen("picture-height"), !line.chosen("picture-width"));
    apps::report("{}", note_unused(line, options.model));
    call.go_on = fmt::format("{} --resume{} --out {}", line.called(), call.both_directions ? " --both-directions" : "",
                             call.folder.path);
    if (call.both_directions && !task_of(options).links_words())
      throw apps::UsageError("--both-directions needs --task translation. Remove --both-directions");
    if (call.both_directions) return train_both_directions(line, options, call, lock);
    std::vector<data::Links> links;
    return train_direction(line, options, call, lock, links);
  });
}

}  // namespace

int main(int argc, char** argv) {
  return apps::with_ranks(argc, argv, [&](const apps::Communicator& ranks) { return run(argc, argv, ranks); });
}
