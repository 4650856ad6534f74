#include "apps/training/training_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/cli/other_tools.h"
#include "apps/ranks/with_ranks.h"
#include "apps/run/corpus_files.h"
#include "apps/run/model_card.h"
#include "apps/run/output_folder.h"
#include "apps/run/provenance.h"
#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "apps/training/choices.h"
#include "apps/training/endings.h"
#include "apps/training/interrupts.h"
#include "apps/training/layer_training.h"
#include "apps/training/replay.h"
#include "apps/training/resume.h"
#include "apps/training/seq2seq_task.h"
#include "apps/training/table.h"
#include "apps/training/thread_choice.h"
#include "apps/training/trainer.h"
#include "apps/training/training_memory.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/overlap.h"
#include "data/io/error.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/io/shipped.h"
#include "data/text/characters.h"
#include "data/text/subwords.h"
#include "models/named_options.h"
#include "models/registry.h"

namespace softalign::apps {

namespace {

// ScreenOptions says what the program shows of the training. The files of the run do not depend on it.
struct ScreenOptions {
  std::size_t plot_every = 4;
  UseColour colour = UseColour::automatic;
};

// Call has the options of this call of the program, in addition to the options of the training.
struct Call {
  RunFolder folder{"runs/toy"};
  bool resume = false, force = false, dry_run = false, both_directions = false;
  ScreenOptions screen;
  std::string replay;                    // the file of --replay
  std::string resume_command;            // command that resumes the training
  std::vector<std::string> files_given;  // options on the command line that name files
  const Communicator& ranks;
  const TrainingListener& listener;
};

// Returns advice about a decoder that writes words without attending to them (docs/course/09-reading-alignments.md), or
// "".
std::string note(const LoadedRun& run, const EvaluationScores& best) {
  const models::ModelOptions& model = run.options.model;
  if (best.end_attention() < 0.1 || model.model != "rnnsearch" || model.query_word) return "";
  return fmt::format(
      "note: at steps that write words, {:.0f}% of the attention is on </s>, so many words have no link. --query-word "
      "often improves this\n",
      100 * best.end_attention());
}

// Returns a note if only the training loss includes some terms, because it may then be above the validation loss.
// Otherwise returns "".
std::string note_of_losses(const TrainOptions& options) {
  std::vector<std::string> with;
  if (options.objective.label_smoothing > 0) with.emplace_back("label smoothing");
  if (options.model.dropout > 0 && uses(options.model, "dropout")) with.emplace_back("dropout");
  if (options.objective.word_dropout > 0) with.emplace_back("word dropout");
  if (options.objective.time_noise > 0) with.emplace_back("time noise");
  if (with.empty()) return "";
  const std::string last = with.back();
  with.pop_back();
  return fmt::format("note: only the training loss includes {}{}{}; therefore it is often above the validation loss\n",
                     fmt::join(with, ", "), with.empty() ? "" : " and ", last);
}

int train(const LoadedRun& run, const TrainingData& data, const Seq2SeqTask& task, Trainer& trainer, const Call& call,
          TrainingHooks hooks) {
  const HeatmapStyle style = screen_style(call.screen.colour);
  const auto done = static_cast<std::size_t>(trainer.state().metrics_bytes);
  EpochTable table(style, call.screen.plot_every, read_curve(call.folder.metrics(), done), task_of(run.options));
  ProgressLine line;
  hooks.step = [&](const Progress& progress) { line.show(progress); };
  EvaluationScores best;
  hooks.epoch = [&](const EpochReport& report) {
    if (report.best) best = task.score();
    line.clear();
    show_painted(table.add(report, task.score(), task.tracked()));
    if (call.listener.epoch) call.listener.epoch(report, task);
  };
  hooks.restart = [&](std::size_t restart) {
    line.clear();
    show("fewer than 97% of the validation answers are right. Restart {} of {} begins with other initial weights\n",
         restart, run.options.restarts);
  };
  bool told = false;
  hooks.one_thread = [&](std::size_t threads) {
    if (std::exchange(told, true)) return;
    line.clear();
    report("note: the machine is busy, so train uses 1 of {} threads for now. The results stay the same\n", threads);
  };
  hooks.interrupted = interrupted;
  listen_for_interrupts(call.resume_command, call.ranks.first() && !call.ranks.alone());
  report("{}", note_of_losses(run.options));
  show_painted(table.head());
  const std::size_t before = trainer.state().steps;
  const TrainingEnd end = trainer.train(hooks);
  line.clear();
  show("{}", describe_sent(call.ranks, trainer.state().steps - before));
  if (call.ranks.first() && trainer.state().best_epoch > 0 && trainer.has_best())
    write_model_card(call.folder, run.options, run.params.count());
  if (end == TrainingEnd::interrupted) {
    show("train has stopped at step {}. This command continues from there: {}\n", trainer.state().steps,
         call.resume_command);
    return 130;  // as shells report an interrupt
  }
  if (!trainer.has_best())
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("no epoch was better than epoch {}, and {} does not contain the weights of that "
                                  "epoch, because the file was changed after the training state was saved, or belongs "
                                  "to another run. Copy the file from where the training ran",
                                  trainer.state().best_epoch, call.folder.model()));
  const char* ended = end == TrainingEnd::stopped_early ? "train has stopped early, because no epoch was better; " : "";
  show("{}the best model comes from epoch {} and is in {}\n", ended, trainer.state().best_epoch, call.folder.model());
  if (end == TrainingEnd::finished) show("{}", note_of_end(table.losses(), best, data, call.resume_command, run));
  show("{}", note(run, best));
  return 0;
}

using Lock = std::optional<FolderLock>;

// Locks the folder of a training that continues, so that no other program writes to it. The first process (rank) locks
// the folder, and the others wait.
void take(const RunFolder& folder, const Call& call, Lock& lock) {
  if (call.ranks.first() && !call.dry_run && !lock) lock.emplace(folder);
  call.ranks.barrier();
}

// Checks the folder, and changes nothing with one exception. If a program was killed while it replaced a run, the
// function completes or undoes this. Otherwise there is no run to resume.
void inspect(const RunFolder& folder, const Call& call, Lock& lock) {
  if (call.ranks.first() && !call.dry_run && !lock) {
    check_lockable(folder);
    if (run_waits(folder)) {
      lock.emplace(folder);
      recover(folder);
    }
  }
  call.ranks.barrier();
}

// Throws data::Error if the configuration of a run names a pipe, because nobody writes to the pipe now. If the command
// line names files, there is no check.
void check_regular_files(const TrainOptions& options, const std::vector<std::string>& given) {
  if (!given.empty()) return;
  for (const CorpusFiles& files : {training_files(options), validation_files(options)})
    for (const std::string& file : {files.tsv, files.source, files.target, files.alignment})
      data::check_regular(data::shipped(file));
}

bool writes(const Call& call) { return call.ranks.first() && !call.dry_run; }

// Checks the folder before the corpus is read.
void check_folder(const std::string& config, const Call& call, Lock& lock) {
  if (call.resume) {
    inspect(call.folder, call, lock);
    check_own_files(call.folder);
    check_unchanged(call.folder, config);
  } else if (writes(call)) {
    if (!lock) check_lockable(call.folder);
    check_replaceable(call.folder, call.force);
  }
}

// Returns the options with the files of the corpus, as they are named from the current folder. `known` is the
// provenance of a run that is resumed.
TrainOptions with_files(const TrainOptions& options, const std::optional<Provenance>& known, const Call& call) {
  TrainOptions found = options;
  if (known) resolve_files(found, *known, call.files_given);
  if (call.resume) check_regular_files(found, call.files_given);
  return found;
}

void describe_corpus(const CommandLine& line, const Call& call, const LoadedRun& run, const TrainingData& data) {
  const bool one_sided = !task_of(run.options).has_source_words();
  const std::string examples = task_of(run.options).examples;
  const std::string words = fmt::format("{} {}", format_count(run.target.size()), one_sided ? "words" : "target words");
  show("{} {} to train on, {} to validate; {}; {} parameters\n", format_count(data.train.pairs.size()), examples,
       format_count(data.valid.pairs.size()),
       one_sided ? words : fmt::format("{} source and {}", format_count(run.source.size()), words),
       format_count(run.params.count()));
  if (!line.given("out") && !call.dry_run && !call.both_directions) show("writing to {}\n", call.folder.path);
  if (data.train.dropped > 0)
    show("{} with more than {} words{} (--max-length), which are left out: {}\n", examples, run.options.max_length,
         one_sided ? "" : " on a side", format_count(data.train.dropped));
  if (const std::size_t blank = data.train.blank + data.valid.blank; blank > 0)
    show("{} with a side without words, which are left out: {}{}\n", examples, format_count(blank),
         data.valid.blank > 0 ? fmt::format(", {} of them for validation", format_count(data.valid.blank))
                              : std::string());
}

void report_notes(const LoadedRun& run, const TrainingData& data, const Seq2SeqTask& task) {
  const bool whole_words =
      run.source_segmenter.whole_words() && run.options.tokenizer != data::Tokenization::characters;
  report("{}{}{}{}", data::note_of_segments(data.train.pairs),
         whole_words ? data::note_of_unspaced_text(data.train.pairs,
                                                   "put spaces between its words, or train with --tokenizer characters")
                     : "",
         task.unknown_note(), data::note_of_overlap(data.train.pairs, data.valid.pairs));
}

// Reads the state of a training that is resumed. Returns the new content of config.json.
std::string resume(const std::string& config, const LoadedRun& run, Trainer& trainer, const Call& call) {
  check_memory_to_resume(run, call.folder, call.ranks);
  if (const std::string note = trainer.resume(); !note.empty()) report("{}\n", note);
  const TrainingState& state = trainer.state();
  show("{}\n", describe_resumed(state.steps, state.epoch, state.start_epoch - 1 + run.options.epochs));
  const Resumed now = resumed(call.folder, config, state.epoch, state.steps);
  if (!now.changes.empty())
    report("note: from epoch {} on, {}; config.json records this change under \"resumed\"\n", state.epoch,
           fmt::join(now.changes, ", "));
  if (writes(call)) recover(call.folder);
  return now.config;
}

// Writes the files that describe a run. config.json is the first file, because it shows that the other files belong to
// a run.
void write_description(const std::string& config, const LoadedRun& run, const TrainingData& data,
                       const std::optional<Provenance>& known, const Call& call) {
  data::write_own_file(call.folder.config(), config);
  if (!call.resume) save_text(run, call.folder);
  if (!known || !call.files_given.empty())
    data::write_own_file(provenance_file(call.folder),
                         to_json(make_provenance(run.options, data.train.pairs, data.valid.pairs)));
}

// Chooses the number of threads if the user has not chosen it, and prints a note. More threads than there is work for
// would only wait.
void choose_threads(const CommandLine& line, const Seq2SeqTask& task, LoadedRun& run, TrainOptions& options,
                    std::string& config, const Call& call) {
  const ThreadWork work = thread_work(task, call.ranks);
  report("{}", note_of_threads(work, options.common.threads, task_of(options).examples));
  if (line.chosen("threads") || work.threads >= options.common.threads) return;
  run.options.common.threads = options.common.threads = use_working_threads(work);
  config = run.config = line.config();
}

// Trains one direction and returns the exit status. `links` has the links of --align for this direction, if they are
// known. Afterwards it has the links that the training used.
int train_direction(const CommandLine& line, TrainOptions& options, const Call& call, Lock& lock,
                    std::vector<data::Links>& links) {
  const RunFolder& folder = call.folder;
  std::string config = line.config();
  check_folder(config, call, lock);
  std::optional<Provenance> known;
  if (call.resume) known = read_provenance(folder);
  TrainingData data = read_training_data(with_files(options, known, call), links);
  if (call.resume) {
    take(folder, call, lock);
    check_unchanged(folder, config);
  }
  LoadedRun run = call.resume ? open_run(options, config, folder) : learn_run(options, config, data.train.pairs);
  check_feasible(run, data);
  run.processes = process_group_of(call.ranks);
  describe_corpus(line, call, run, data);
  Seq2SeqTask task(run, data);
  choose_threads(line, task, run, options, config, call);
  const bool trains_layer = options.align && !(call.resume && data::exists(folder.alignment_layer()));
  const MemoryNeed memory = training_memory(run, data, call.ranks);
  if (call.dry_run) {
    show("{}{}", describe_options(run.options.model), describe_training(run, data, memory));
    if (trains_layer) show("{}", describe_layer_training(run.options, data));
    return 0;
  }
  report_notes(run, data, task);
  Trainer trainer(task, trainer_options(options), folder, call.ranks);
  const std::string now = call.resume ? resume(config, run, trainer, call) : config;
  std::unique_ptr<Replacement> replaced;
  if (!call.resume && writes(call)) replaced = begin_new_run(folder, call.force, lock);
  call.ranks.barrier();  // then no process reads the folder any more
  if (writes(call)) write_description(now, run, data, known, call);
  TrainingHooks hooks;
  hooks.saved = [&] {
    if (replaced) replaced->done();
  };
  hooks.writing = [&] {
    if (lock) lock->check_held();
  };
  const data::WriteGuard guard(hooks.writing);
  listen_for_interrupts(call.resume_command, call.ranks.first() && !call.ranks.alone());
  const bool stopped = writes(call) && trains_layer && !train_alignment_layer(options, data, folder);
  links = data.learnt;
  if (call.ranks.any(stopped)) {  // only the first process trains the layer; the others wait
    trainer.save(hooks);
    show("stopped while the alignment layer was trained; {} trains the layer again, and then the model\n",
         call.resume_command);
    return 130;
  }
  const int status = train(run, data, task, trainer, call, std::move(hooks));
  if (status == 0 && options.align && writes(call)) choose_layer_share(run, data.train.pairs, folder);
  return status;
}

// Trains both directions, one after the other. Each training gives the same result as without the other.
int train_both_directions(const CommandLine& line, TrainOptions& options, const Call& call, Lock& lock) {
  data::check_own_folder(call.folder.reverse().path);
  show("source to target, into {}\n", call.folder.path);
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
  back.force = true;  // only an unfinished training can be there
  options.swap_sides = !options.swap_sides;
  show("\ntarget to source, into {}\n", back.folder.path);
  for (data::Links& pair : links) pair = data::transposed(pair);
  return train_direction(line, options, back, back_lock, links);
}

void declare_output(CommandLine& line, Call& call) {
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
                between(0, models::many));
  line.add_here("color", &call.screen.colour, color_help);
}

void declare(CommandLine& line, Call& call, TrainOptions& options) {
  line.add_note(
      "After Ctrl-C or SIGTERM, train completes the step and saves its state. --resume then continues with the same "
      "results. A second signal ends train at once. The exit status is 0 (success), 1 (bad data), 2 (wrong usage) or "
      "130 (stopped).");
  line.first({"data",  "train",     "valid",  "source", "target",  "task",   "tokenizer",
              "model", "attention", "hidden", "layers", "dropout", "epochs", "batch",
              "lr",    "patience",  "out",    "resume", "force",   "dry-run"});
  line.add(table(options));
  for (const models::Option& option : table(options))
    line.extend_default(option.name, models::describe_own_defaults(option.name));
  for (const models::Option& option : table(options.model))
    if (const std::string its = models::default_of_only_user(option.name); !its.empty())
      line.show_default(option.name, its);
  for (ValueAdvice& values : advice_on_values()) line.advise(values.option, std::move(values.advice));
  line.pass_over({"resumed"});
  declare_output(line, call);
  line.own_defaults([&] {
    follow(line, options);
    return call.resume ? of_earlier_builds(own_defaults(options)) : own_defaults(options);
  });
}

// Returns the config.json of the run that --resume continues, or "".
std::string config_to_resume(const Call& call, Lock& lock) {
  if (!call.resume) return "";
  inspect(call.folder, call, lock);
  check_regular_files(call.folder);
  if (data::exists(call.folder.config()) && !data::exists(call.folder.last()))
    throw data::Error(
        data::ErrorKind::missing_file,
        fmt::format(
            "{} does not exist, because the training was stopped before it saved its state. Start again with --force",
            call.folder.last()));
  return call.folder.config();
}

// Throws an error for a missing file before --out is checked, because the user has to correct it first.
void check_files_exist(const TrainOptions& options) {
  for (const CorpusFiles& files : {training_files(options), validation_files(options)})
    for (const std::string& file : {files.tsv, files.source, files.target, files.alignment})
      if (!file.empty() && file != "-" && !data::exists(data::shipped(file)))
        data::read_lines(data::shipped(file));  // this call throws an error that names the file
}

void check_call(const CommandLine& line, const TrainOptions& options, const Call& call) {
  if (call.resume && call.force)
    throw UsageError(
        "--resume continues the run in --out, and --force replaces this run. Remove one of the two options");
  if (line.given("plot-every") && call.screen.plot_every > 0 && options.track == 0)
    throw UsageError(
        "--plot-every draws a tracked sentence, and with --track 0 no sentence is tracked. Use --track 1 or more");
  check(options);
  if (options.schedule.learning_rate == 0)
    report("note: with --lr 0, the training changes no weight. Use a positive learning rate\n");
  if (!call.resume) {
    const bool names_files =
        line.given("train") || line.given("valid") || line.given("source") || line.given("valid-source");
    check_data_folder(options, line.given("data") || (line.chosen("data") && !names_files));
    if (const std::string folder = data::shipped(options.data);
        !line.chosen("data") && !names_files && folder != options.data)
      report("note: no corpus is given, so train uses the toy corpus {}. --data DIR names another corpus\n", folder);
    check_files_exist(options);
  }
  if (!line.chosen("task")) check_model_fits(options);
}

// Sets options that follow from the given options, and checks that all options fit together.
void complete_options(const CommandLine& line, TrainOptions& options) {
  const models::ModelOptions given = options.model;
  const models::Task task = options.task;
  complete(options);
  if (line.given("task") && task != options.task)
    throw UsageError(fmt::format("--model {1} cannot learn --task {0}. Remove --model or --task",
                                 autograd::name_of(task), given.model));
  check_kept(line, given, options.model, options.task);
  if (task_of(options).source == Source::picture)
    set_size_as_first(options, !line.chosen("picture-height"), !line.chosen("picture-width"));
  report("{}", note_unused(line, options.model));
}

void complete_call(const CommandLine& line, Call& call) {
  if (!line.given("plot-every") && !is_terminal(STDOUT_FILENO)) call.screen.plot_every = 0;
  for (const char* name :
       {"data", "train", "valid", "source", "target", "alignment", "valid-source", "valid-target", "valid-alignment"})
    if (line.given(name)) call.files_given.emplace_back(name);
  call.resume_command = fmt::format("{} --resume{} --out {}", line.called(),
                                    call.both_directions ? " --both-directions" : "", call.folder.path);
}

}  // namespace

int train(const StartTraining& start, const TrainingListener& listener, const Communicator& ranks) {
  TrainOptions options;
  Call call{.screen = {}, .replay = {}, .resume_command = {}, .files_given = {}, .ranks = ranks, .listener = listener};
  CommandLine line("train", "Trains an attention model on translations, texts, pictures, stories or pairs.",
                   {"train                        on data/toy, into runs/toy", "train --data my/corpus --out runs/mine",
                    "train --source a --target b --valid-source c --valid-target d",
                    "train --config runs/mine/config.json --seed 2 --out runs/mine-2",
                    "train --task language-model --train a.txt --valid b.txt",
                    "train --resume --out runs/mine     continues after Ctrl-C"},
                   options.common);
  declare(line, call, options);
  Lock lock;
  line.default_config([&] { return config_to_resume(call, lock); });
  return start(line, [&] {
    if (!call.replay.empty()) {
      show("{}", replay(call.replay, line.given("threads") ? options.common.threads : 0));
      return 0;
    }
    check_call(line, options, call);
    complete_options(line, options);
    complete_call(line, call);
    if (call.both_directions && !task_of(options).links_words())
      throw UsageError("--both-directions needs --task translation. Remove --both-directions");
    if (call.both_directions) return train_both_directions(line, options, call, lock);
    std::vector<data::Links> links;
    return train_direction(line, options, call, lock, links);
  });
}

}  // namespace softalign::apps
