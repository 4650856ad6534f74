// The program `reproduce` trains the models of a paper on a small corpus, and reports which claims of the paper hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/command_line.h"
#include "apps/experiments/experiment.h"
#include "apps/pages/report/curves.h"
#include "apps/pages/report/page.h"
#include "apps/reproduction/report.h"
#include "apps/reproduction/runner.h"
#include "apps/reproduction/study.h"
#include "apps/run/output_folder.h"
#include "apps/run/train_options.h"
#include "apps/terminal/output.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

using namespace softalign;

namespace {

std::vector<apps::Study> all_studies() {
  return {apps::sutskever_study(), apps::bahdanau_study(), apps::luong_study(), apps::transformer_study(),
          apps::models_study()};
}

// Returns the studies or experiments with this name, or all of them if the name is "all".
template <class Named>
std::vector<Named> named(const std::vector<Named>& all, const std::string& name) {
  std::vector<Named> chosen;
  std::copy_if(all.begin(), all.end(), std::back_inserter(chosen),
               [&](const Named& one) { return name == "all" || one.name == name; });
  return chosen;
}

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

// Throws data::Error for a missing file now, and not after hours of training.
void check_corpus(const std::string& folder) {
  for (const char* name : {"train.tsv", "valid.tsv", "test.tsv"}) {
    if (std::filesystem::exists(folder + "/" + name)) continue;
    throw data::Error(
        data::ErrorKind::missing_file,
        fmt::format("{}/{}: there is no such file. --data needs a folder with train.tsv, valid.tsv and test.tsv. "
                    "Without --data, run reproduce in the project folder, which contains data/toy",
                    folder, name));
  }
}

// Returns true if STUDY.md is a report. A report ends with the commands that made it.
bool is_report(const std::string& file) {
  if (!data::is_there(file)) return false;
  data::check_own_file(file);
  const std::string text = data::read_bytes(file);
  return text.find("\n## Commands\n\n```\n") != std::string::npos ||
         text.find("\n## Command\n\n```\n") != std::string::npos;
}

// Throws data::Error if `reproduce` would replace a file that it did not write. It may replace the reports of an
// earlier call.
void check_ours(const std::string& study, const apps::ReproduceOptions& options) {
  const bool ours = is_report(options.out + "/" + study + ".md");
  for (const char* ending :
       {".md", ".json", ".svg", "-2.svg", "-weights.svg", ".html", "-sentences.tsv", "-alignments.html"}) {
    const std::string file = options.out + "/" + study + ending;
    data::check_own_file(file);
    if (data::is_there(file) && !ours)
      throw data::Error(data::ErrorKind::wrong_usage,
                        fmt::format("--out {}: reproduce did not write {} ({}.md is not a report of reproduce), so it "
                                    "is not replaced. Choose another folder",
                                    options.out, file, study));
  }
  data::check_own_folder(options.out + "/runs");
}

void say_written(const std::string& text, const std::vector<std::string>& names, const std::string& page,
                 const apps::ReproduceOptions& options) {
  apps::show("\n{}\n", text.substr(0, text.find("\n## Command")));
  apps::show("reproduce has written these files to {}: {}. Open {} in a browser\n", options.out, fmt::join(names, ", "),
             page);
}

void write_report(const apps::Study& study, const apps::RunOutcomes& outcomes, const apps::ReproduceOptions& options) {
  const std::string text = report_text(study, outcomes, options);
  std::vector<std::string> names{study.name + ".md", study.name + ".json"};
  data::write_own_file(options.out + "/" + names[0], text);
  data::write_own_file(options.out + "/" + names[1], report_json(study, outcomes));
  if (study.by_length) {
    names.push_back(study.name + ".svg");
    data::write_own_file(options.out + "/" + names.back(), length_figure(study, outcomes));
  }
  const std::vector<std::string> pages = write_report_pages(study, outcomes, options);
  names.insert(names.end(), pages.begin(), pages.end());
  say_written(text, names, pages.front(), options);
}

void write_report(const apps::SmallExperiment& experiment, const apps::ExperimentResult& result,
                  const apps::ReproduceOptions& options) {
  const std::vector<std::string> names = write_files(experiment, result, options.seeds, options.out);
  say_written(report_text(experiment, result, options.seeds, options.out), names, experiment.name + ".html", options);
}

const apps::ProgressReport line_by_line = [](const std::string& text) { apps::show("{}\n", text); };

void create_folders(const apps::ReproduceOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.out + "/runs", error);
  if (error)
    throw data::Error(data::ErrorKind::io_error,
                      fmt::format("--out {}: the folder cannot be created: {}", options.out, error.message()));
}

apps::ExperimentResult result_of(const apps::SmallExperiment& experiment, const apps::ReproduceOptions& options) {
  if (experiment.run) return experiment.run(options.seeds, line_by_line);
  apps::ExperimentResult result = experiment.run_on_files(options, line_by_line);
  result.files = " --data " + data::shell_word(options.data);
  for (const std::string& file : options.gold) result.files += " --gold " + data::shell_word(file);
  if (options.epochs > 0) result.files += fmt::format(" --epochs {}", options.epochs);
  return result;
}

// Checks the files of experiments that need them, and removes such experiments from "all" if the user gives no files.
// Throws UsageError or data::Error if files are missing.
void check_files(std::vector<apps::SmallExperiment>& experiments, const std::string& name,
                 const apps::ReproduceOptions& options) {
  const auto on_files = [](const apps::SmallExperiment& one) { return one.run_on_files != nullptr; };
  if (name == "all" && options.gold.empty()) std::erase_if(experiments, on_files);
  if (std::none_of(experiments.begin(), experiments.end(), on_files)) return;
  if (options.data.empty() || options.gold.empty())
    throw apps::UsageError(
        "alignment-on-real-text needs sentence pairs and gold links, which the project does not contain. Give --data "
        "FOLDER, with train.tsv, valid.tsv and test.tsv (for example pairs of https://www.manythings.org/anki), and "
        "--gold FILE, whose third column has links that people made (for example of the shared task of "
        "Mihalcea and Pedersen 2003). You may give --gold several times");
  check_corpus(options.data);
  for (const std::string& file : options.gold)
    if (!std::filesystem::exists(file))
      throw data::Error(data::ErrorKind::missing_file, fmt::format("--gold {}: there is no such file", file));
}

// Repeats the studies and the experiments, and writes a report of each. Returns the exit status.
int run_all(const std::vector<apps::Study>& trained, const std::vector<apps::SmallExperiment>& experiments,
            const apps::ReproduceOptions& options, const apps::FolderLock& lock) {
  try {
    for (const apps::Study& study : trained) {
      apps::show("{}\n", study.title);
      const apps::RunOutcomes outcomes = run_study(study, options, line_by_line);
      lock.check_held();
      write_report(study, outcomes, options);
    }
    for (const apps::SmallExperiment& experiment : experiments) {
      apps::show("{}\n", experiment.title);
      write_report(experiment, result_of(experiment, options), options);
    }
  } catch (const apps::Interrupted&) {
    apps::show("reproduce has stopped. The same command continues from here\n");
    return 130;
  }
  return 0;
}

void declare_study(apps::CommandLine& line, std::string& name, std::vector<std::string> names,
                   const std::vector<std::string>& small) {
  names.insert(names.end(), small.begin(), small.end());
  names.emplace_back("all");
  line.add_word(
      "study", &name,
      fmt::format("what to repeat. Experiments of a paper: `bahdanau`, `luong`, `sutskever` or `transformer`; "
                  "`models`: a comparison of all models; `all`: everything. Experiments on generated data, or, for "
                  "alignment-on-real-text, on your files: `{}`",
                  fmt::join(small, "`, `")),
      apps::one_of(names));
  line.advise("study", {{"vaswani", "for Vaswani et al. 2017, use transformer"},
                        {"attention", "for Vaswani et al. 2017, use transformer"},
                        {"xu", "Xu et al. 2015 is captioning"},
                        {"show", "Xu et al. 2015 is captioning"},
                        {"sukhbaatar", "Sukhbaatar et al. 2015 is memory-network"},
                        {"parikh", "Parikh et al. 2016 is entailment"},
                        {"cheng", "Cheng et al. 2016 is intra-attention"},
                        {"graves", "Graves et al. 2014 is turing-machine, Graves et al. 2016 is dnc"},
                        {"schmidhuber", "Schmidhuber 1992 is fast-weights"},
                        {"dao", "FlashAttention is flash"},
                        {"seq", "Sutskever et al. 2014 is sutskever"}});
}

void declare(apps::CommandLine& line, apps::ReproduceOptions& options) {
  line.add_here("seeds", &options.seeds, "number of trainings per model, with seeds 1 to N", apps::between(1, 100));
  line.add_here("data", &options.data, "corpus folder, with train.tsv, valid.tsv and test.tsv. Default: data/toy");
  line.add_here("gold", &options.gold,
                "for alignment-on-real-text: TSV file of sentence pairs, with gold links in the third column");
  line.add_here(
      "epochs", &options.epochs,
      "number of epochs of every training; 0: the default of the program `train`, and 4 for alignment-on-real-text",
      apps::between(0, models::many));
  line.add_here("out", &options.out,
                "folder for the reports (STUDY.html, STUDY.md, STUDY.json) and for the run folders");
}

}  // namespace

int main(int argc, char** argv) {
  apps::CommonOptions common;
  apps::ReproduceOptions options;
  std::string name = "all";
  options.out = "runs/reproduce";
  apps::CommandLine line(
      "reproduce",
      "Repeats the experiments of a paper on a small corpus, or small experiments on generated data, and reports which "
      "claims hold. Finished trainings are kept, so the same command continues after Ctrl-C.",
      {"reproduce bahdanau", "reproduce --seeds 3 --out runs/papers          all of them",
       "reproduce luong --data my/corpus --epochs 8", "reproduce three-ways --seeds 3",
       "reproduce alignment-on-real-text --data my/corpus --gold gold.tsv"},
      common);
  const std::vector<apps::Study> studies = all_studies();
  const std::vector<apps::SmallExperiment> small_experiments = apps::small_experiments();
  line.pass_over(apps::training_names());
  declare_study(line, name, names_of(studies), names_of(small_experiments));
  declare(line, options);
  return line.run(argc, argv, [&] {
    options.threads = line.given("threads") ? static_cast<std::size_t>(common.threads) : 0;
    const std::vector<apps::Study> trained = named(studies, name);
    std::vector<apps::SmallExperiment> experiments = named(small_experiments, name);
    check_files(experiments, name, options);
    if (!trained.empty()) check_corpus(corpus_folder(options));
    const bool reads_files = !experiments.empty() && experiments.back().run_on_files;
    if (!reads_files && line.given("gold"))
      apps::report("note: --gold has no effect, because only alignment-on-real-text reads gold links\n");
    for (const char* unused : {"data", "epochs"})
      if (trained.empty() && !reads_files && line.given(unused))
        apps::report("note: --{} has no effect, because {} generates its own data\n", unused, name);
    for (const apps::Study& study : trained) check_ours(study.name, options);
    for (const apps::SmallExperiment& experiment : experiments) check_ours(experiment.name, options);
    create_folders(options);
    const apps::FolderLock lock(apps::RunFolder{options.out});
    data::remove_leftovers(options.out);
    data::remove_leftovers(options.out + "/runs");
    return run_all(trained, experiments, options, lock);
  });
}
