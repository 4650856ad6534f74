#include "apps/run/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "apps/run/memory_need.h"
#include "apps/run/output_folder.h"
#include "autograd/optimise/clip.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "models/checkpoint.h"
#include "models/config.h"
#include "models/named_options.h"
#include "models/registry.h"
#include "models/search/ensemble.h"

namespace softalign::apps {

void check_memory_of_model(const models::ModelOptions& options) {
  const auto numbers = static_cast<double>(models::count_parameters(options));
  check_memory("the model", {{fmt::format("{:.0f} parameters", numbers), numbers * sizeof(autograd::Real)}},
               "Fewer hidden units or smaller vocabularies need less");
}

autograd::Random initial_weights(const TrainOptions& options) {
  return autograd::Random(options.common.seed).split("parameters");
}

LoadedRun make_run(TrainOptions options, const std::string& config, data::Vocabulary source, data::Vocabulary target) {
  options.model.source_vocabulary = source.size();
  options.model.target_vocabulary = target.size();
  check_memory_of_model(options.model);
  autograd::Params params(initial_weights(options));
  auto model = models::make_model(options.model, params);
  return {std::move(options), config, std::move(source), std::move(target), std::move(params), std::move(model)};
}

namespace {

data::TruecaseModel learn_truecase_model(const TrainOptions& options, const std::vector<data::Pair>& pairs) {
  data::TokenizerOptions as_written = tokenizer_options(options);
  if (!as_written.lowercase || as_written.scheme == data::Tokenization::none) return {};
  as_written.lowercase = false;
  data::TruecaseCounts counts;
  for (const data::Pair& pair : pairs) {
    const data::Tokens forms = data::tokenize(pair.target_line, as_written);
    if (forms.size() == pair.target.size()) counts.add(pair.target, forms);
  }
  return counts.model();
}

LoadedRun with_vocabularies(TrainOptions options, const std::string& config, const std::vector<data::Pair>& pairs) {
  const bool shared =
      options.model.tie == models::Tie::all || !task_of(options).has_source();  // both sides share one vocabulary
  if (cuts_into_subwords(options)) {
    std::vector<data::Tokens> sources, targets;
    for (const data::Pair& pair : pairs) {
      (shared ? targets : sources).push_back(pair.source);
      targets.push_back(pair.target);
    }
    const data::Segmenter target = data::Segmenter::train(targets, options.subwords);
    const data::Segmenter source = shared ? target : data::Segmenter::train(sources, options.subwords);
    LoadedRun run =
        make_run(std::move(options), config, data::Vocabulary(source.subwords()), data::Vocabulary(target.subwords()));
    run.source_segmenter = source;
    run.target_segmenter = target;
    return run;
  }
  data::WordCounts source = count_words(pairs, &data::Pair::source);
  data::WordCounts target = count_words(pairs, &data::Pair::target);
  if (shared) {
    for (const auto& [word, count] : source) target[word] += count;
    source = target;
  }
  const data::VocabularyOptions& sizes = options.vocabulary;
  data::Vocabulary sources = data::Vocabulary::build(source, sizes), targets = data::Vocabulary::build(target, sizes);
  return make_run(std::move(options), config, std::move(sources), std::move(targets));
}

}  // namespace

LoadedRun learn_run(TrainOptions options, const std::string& config, const std::vector<data::Pair>& pairs) {
  LoadedRun run = with_vocabularies(std::move(options), config, pairs);
  run.truecase_model = learn_truecase_model(run.options, pairs);
  return run;
}

TrainOptions read_config(const RunFolder& folder, std::string& text) {
  check_regular_files(folder);
  text = data::read_bytes(folder.config());
  if (text.find("\"architectures\"") != std::string::npos || text.find("\"model_type\"") != std::string::npos)
    throw data::Error(data::ErrorKind::unsupported_format,
                      fmt::format("{} describes a model of another program (Hugging Face transformers). Name a folder "
                                  "that train has written (train --out)",
                                  folder.config()));
  TrainOptions options;
  models::read_config(table(options.common), text, folder.config());
  models::read_config(table(options), text, folder.config());
  complete(options);
  return options;
}

namespace {

data::Segmenter load_segmenter(const std::string& path, const std::string& vocabulary_path,
                               const data::Vocabulary& words) {
  data::Segmenter segmenter = data::Segmenter::load(path);
  if (data::Vocabulary(segmenter.subwords()).hash() != words.hash()) {
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format(
            "{} and {} have different subwords, so they belong to different runs. Copy both files from the same run",
            path, vocabulary_path));
  }
  return segmenter;
}

}  // namespace

LoadedRun open_run(TrainOptions options, const std::string& config, const RunFolder& folder) {
  LoadedRun run = make_run(std::move(options), config, data::Vocabulary::load(folder.source_vocab()),
                           data::Vocabulary::load(folder.target_vocab()));
  if (cuts_into_subwords(run.options)) {
    run.source_segmenter = load_segmenter(folder.source_subwords(), folder.source_vocab(), run.source);
    run.target_segmenter = load_segmenter(folder.target_subwords(), folder.target_vocab(), run.target);
  }
  if (data::exists(folder.target_case())) run.truecase_model = data::read_truecase_model(folder.target_case());
  return run;
}

void save_text(const LoadedRun& run, const RunFolder& folder) {
  for (const std::string& file :
       {folder.source_vocab(), folder.target_vocab(), folder.source_subwords(), folder.target_subwords()})
    data::check_own_file(file);
  run.source.save(folder.source_vocab());
  run.target.save(folder.target_vocab());
  if (!run.truecase_model.empty())
    data::write_own_file(folder.target_case(), data::format_truecase_model(run.truecase_model));
  if (run.source_segmenter.whole_words()) return;
  run.source_segmenter.save(folder.source_subwords());
  run.target_segmenter.save(folder.target_subwords());
}

namespace {

// Returns the options that decide what the model computes from a line of text.
models::Table decisive(TrainOptions& o) {
  models::Table table = models::table(o.model);
  for (const models::Option& option : apps::table(o))
    if (option.name == "tokenizer" || option.name == "lowercase") table.push_back(option);
  return table;
}

// Throws data::Error if config.json contradicts the options with which the checkpoint was trained.
void check_config(const RunFolder& folder, TrainOptions now, const models::Checkpoint& checkpoint) {
  TrainOptions trained;
  models::read_config(table(trained), checkpoint.config, folder.model());
  complete(trained);
  const models::Table before = decisive(trained), after = decisive(now);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!before[i].asked || text_of(before[i]) == text_of(after[i])) continue;
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format("{} contains {} {}, but {} was trained with {}. The two files belong to different runs, or one "
                    "file was changed. Copy both files from the same run",
                    folder.config(), after[i].name, text_of(after[i]), folder.model(), text_of(before[i])));
  }
}

void check_finite(const RunFolder& folder, const models::NamedArrays& parameters) {
  if (const std::string name = models::first_not_finite(parameters); !name.empty())
    throw data::Error(
        data::ErrorKind::damaged_file,
        fmt::format("{}: {} has NaN or infinity, because the file was changed or the training diverged. Train again",
                    folder.model(), name));
}

}  // namespace

namespace {

namespace fs = std::filesystem;

bool is_run(const fs::path& folder) {
  return data::exists((folder / "config.json").string()) || data::exists((folder / "model.safetensors").string());
}

// Returns the time at which the model or, before the first epoch has ended, the configuration of a run was written.
fs::file_time_type time_of(const fs::path& run) {
  std::error_code none;
  const fs::file_time_type model = fs::last_write_time(run / "model.safetensors", none);
  return none ? fs::last_write_time(run / "config.json", none) : model;
}

// Returns the runs in a folder as a message lists them, the newest first: "runs/mine, runs/demo". Returns "" if there
// are none. Runs of the same time have the order of their names.
std::string runs_in(const fs::path& folder) {
  constexpr std::size_t most = 5;
  std::vector<fs::path> found;
  std::error_code none;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, none), end; !none && entry != end;
       entry.increment(none))
    if (entry->is_directory(none) && is_run(entry->path())) found.push_back(folder / entry->path().filename());
  std::sort(found.begin(), found.end());
  std::stable_sort(found.begin(), found.end(),
                   [](const fs::path& a, const fs::path& b) { return time_of(a) > time_of(b); });
  const std::size_t more = found.size() - std::min(most, found.size());
  std::vector<std::string> names;
  for (const fs::path& run : found)
    if (names.size() < most) names.push_back(run.string());
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

// Returns the runs that a message lists: those of the folder, or else those of the folder runs/.
std::string runs_near(const fs::path& folder) {
  std::string runs = runs_in(folder);
  return runs.empty() ? runs_in("runs") : runs;
}

[[noreturn]] void refuse_file(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path().empty() ? fs::path(".") : fs::path(path).parent_path();
  throw data::Error(
      data::ErrorKind::missing_file,
      is_run(parent)
          ? fmt::format("{} is a file, and --run needs its folder: --run {}", path, parent.string())
          : fmt::format("{} is a file, and --run needs the folder that train has written (train --out)", path));
}

}  // namespace

void check_is_run(const std::string& path) {
  if (data::exists(path) && !fs::is_directory(path)) refuse_file(path);
  if (!data::exists(path)) {
    fs::path folder = path;
    if (!folder.has_filename()) folder = folder.parent_path();
    const std::string others = runs_near(folder.parent_path());
    throw data::Error(
        data::ErrorKind::missing_file,
        fmt::format("{}: no such folder. Name a folder that train has written (train --out){}", path,
                    others.empty() ? "" : fmt::format(". Runs that exist, the newest first: {}", others)));
  }
  const RunFolder folder{path};
  if (is_run(path) || data::exists(folder.alignments()) || data::exists(folder.history())) return;
  for (const char* name : {"train.tsv", "valid.tsv", "test.tsv", "train.tsv.gz", "train.txt"})
    if (data::exists(folder.file(name)))
      throw data::Error(
          data::ErrorKind::missing_file,
          fmt::format("{} is a corpus, and --run needs a trained model. Train one with: {} --data {} --out runs/NAME",
                      path, data::command("train"), data::shell_word(path)));
  if (const std::string inside = runs_in(path); !inside.empty())
    throw data::Error(data::ErrorKind::missing_file,
                      fmt::format("{} is not a run, but it contains runs: {}", path, inside));
}

LoadedRun load_run(const std::string& path) {
  const RunFolder folder{path};
  check_is_run(path);
  if (!data::exists(folder.model())) {
    throw data::Error(data::ErrorKind::missing_file,
                      data::exists(folder.last())
                          ? fmt::format("{}: the folder has no model.safetensors, because no epoch of the training has "
                                        "ended. Continue the training with: {} --resume --out {}",
                                        path, data::command("train"), data::shell_word(path))
                          : fmt::format("{}: the folder has no model.safetensors. Either no epoch of the training has "
                                        "ended, or the file was removed",
                                        path));
  }
  std::string config;
  TrainOptions options = read_config(folder, config);
  LoadedRun run = open_run(std::move(options), config, folder);
  check_memory(folder.model(),
               {{"parameters, vocabularies and program", taken_bytes()},
                {"the file as it is read", 2.2 * static_cast<double>(std::filesystem::file_size(folder.model()))}},
               "Use a machine with more memory");
  const models::Checkpoint checkpoint = models::load_checkpoint(folder.model());
  check_config(folder, run.options, checkpoint);
  models::check_vocabularies(checkpoint, run.source.hash(), run.target.hash());
  models::restore(folder.model(), checkpoint.parameters, models::named_arrays(run.params));
  check_finite(folder, checkpoint.parameters);
  if (data::exists(folder.alignment_layer())) {
    run.alignment_layer =
        std::make_shared<const models::AlignmentLayer>(models::AlignmentLayer::load(folder.alignment_layer()));
    run.layer_share = run.alignment_layer->share();
  }
  return run;
}

namespace {

// Returns the first difference in how two runs read and write text, or "". The runs come from these folders.
std::string difference(const LoadedRun& a, const RunFolder& folder_a, const LoadedRun& b, const RunFolder& folder_b) {
  if (a.options.tokenizer != b.options.tokenizer)
    return fmt::format("their tokenisers are \"{}\" and \"{}\"", autograd::name_of(a.options.tokenizer),
                       autograd::name_of(b.options.tokenizer));
  if (a.options.lowercase != b.options.lowercase) return "only one of them converts text to lower case";
  const models::ModelOptions &one = a.options.model, &other = b.options.model;
  if (one.picture_height != other.picture_height || one.picture_width != other.picture_width)
    return fmt::format("their pictures have {} x {} and {} x {} pixels", one.picture_height, one.picture_width,
                       other.picture_height, other.picture_width);
  if (a.source.hash() != b.source.hash()) return "their source vocabularies differ";
  if (a.target.hash() != b.target.hash()) return "their target vocabularies differ";
  const auto differ = [&](const auto& file) {
    return !a.source_segmenter.whole_words() && data::read_bytes(file(folder_a)) != data::read_bytes(file(folder_b));
  };
  if (differ([](const RunFolder& f) { return f.source_subwords(); })) return "their source subwords differ";
  if (differ([](const RunFolder& f) { return f.target_subwords(); })) return "their target subwords differ";
  return "";
}

}  // namespace

models::Table table(MatrixChoice& choice) {
  return {
      {"alignment-by", &choice.by,
       "for a run that was trained with --align: which weights the links and heatmaps show. `layer`: the weights "
       "of the alignment layer; `decoder`: the attention weights of the decoder; `combined`: the product of both, each "
       "to the power of a share that train has chosen (default)"}};
}

void apply(const MatrixChoice& choice, LoadedRun& run, const std::string& name) {
  if (choice.by == MatrixBy::decoder) run.alignment_layer.reset();
  else if (choice.by && !run.alignment_layer)
    throw UsageError(fmt::format(
        "--alignment-by {}: {} has no alignment layer. Train a run with train --align, or remove this option",
        autograd::name_of(*choice.by), name));
  if (choice.by == MatrixBy::layer) run.layer_share = 1;
}

models::Table runs_table(std::vector<std::string>& paths) {
  return {{"run",
           &paths,
           "run folder of a trained model. Several runs form an ensemble",
           {.required = true, .repeated = true}}};
}

std::string advice_on_runs() {
  if (const std::string runs = runs_in("runs"); !runs.empty())
    return fmt::format("Runs that exist, the newest first: {}", runs);
  return fmt::format("The folder runs/ has no run here. Train one: {} --data DIR --out runs/NAME",
                     data::command("train"));
}

LoadedRun load_runs(const std::vector<std::string>& paths) {
  LoadedRun run = load_run(paths.at(0));
  std::vector<std::unique_ptr<models::Seq2Seq>> members;
  members.push_back(std::move(run.model));
  for (std::size_t i = 1; i < paths.size(); ++i) {
    LoadedRun next = load_run(paths[i]);
    const std::string problem = difference(run, {paths[0]}, next, {paths[i]});
    if (!problem.empty())
      throw data::Error(data::ErrorKind::bad_data,
                        fmt::format("--run {} --run {}: {}. Give runs that read and write the same words", paths[0],
                                    paths[i], problem));
    run.options.max_length = std::min(run.options.max_length, next.options.max_length);
    members.push_back(std::move(next.model));
  }
  run.members = members.size();
  run.model = models::make_ensemble(std::move(members));
  return run;
}

data::DecodingMode record_mode(const LoadedRun& run, data::DecodingMode mode) {
  return run.members > 1 ? data::DecodingMode::ensemble : mode;
}

data::DecodingMode search_mode(const LoadedRun& run, std::size_t beam) {
  return record_mode(run, beam == 1 ? data::DecodingMode::greedy : data::DecodingMode::beam);
}

}  // namespace softalign::apps
