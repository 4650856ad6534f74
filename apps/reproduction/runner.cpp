#include "apps/reproduction/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/run/run_folder.h"
#include "apps/terminal/progress.h"
#include "autograd/stopwatch.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/own_files.h"
#include "data/io/safetensors.h"

namespace softalign::apps {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

namespace {

json json_of(const std::string& text, const std::string& path) try {
  return data::parse_json(text);
} catch (const std::runtime_error& problem) {
  throw data::Error(data::ErrorKind::damaged_file,
                    fmt::format("{}: {}. Delete the folder, and start reproduce again", path, problem.what()));
}

// Returns nothing if the evaluation lacks the links, as evaluations of earlier builds may.
std::optional<double> aer_of(const json& scores, const char* links = "alignment") {
  const auto found = scores.find(links);
  if (found == scores.end() || found->is_null()) return {};
  return 100 * found->at("aer").get<double>();
}

Parts parts_of(const json& scores) {
  Parts parts;
  for (const auto& [name, part] : scores.items()) parts[name] = {part.at("pairs"), part.at("bleu"), aer_of(part)};
  return parts;
}

void read_timing(const std::string& file, RunOutcome& outcome) {
  const std::vector<std::string> epochs = data::read_lines(file);
  for (const std::string& line : epochs) {
    const json epoch = json_of(line, file);
    outcome.words_per_second += epoch.at("words_per_second").get<double>() / static_cast<double>(epochs.size());
    outcome.seconds += epoch.at("seconds").get<double>();
  }
}

std::size_t count_parameters(const std::string& model) {
  std::size_t count = 0;
  for (const data::TensorView& tensor : data::read_safetensors(model).tensors)
    if (tensor.dtype == data::Dtype::f32) count += tensor.bytes.size() / sizeof(float);
  return count;
}

}  // namespace

std::string evaluation_file(const std::string& run) { return run + "/evaluation.json"; }

RunOutcome read_outcome(const std::string& run) try {
  const RunFolder folder{run};
  const json scores = json_of(data::read_bytes(evaluation_file(run)), evaluation_file(run));
  const json& all = scores.at("all");
  RunOutcome outcome;
  outcome.perplexity = all.at("perplexity");
  outcome.bleu = all.at("bleu");
  outcome.exact_match = all.at("exact_match");
  outcome.aer = aer_of(all);
  outcome.em_aer = aer_of(all, "alignment_of_em");
  outcome.attends = !all.at("entropy").is_null();
  outcome.by_length = parts_of(scores.at("by_length"));
  outcome.by_tag = parts_of(scores.at("by_tag"));
  outcome.curve = read_curve(folder.metrics());
  read_timing(folder.timing(), outcome);
  outcome.parameters = count_parameters(folder.model());
  return outcome;
} catch (const json::exception&) {
  throw data::Error(data::ErrorKind::damaged_file,
                    run + ": evaluation.json or timing.jsonl is damaged. Delete the folder, and start reproduce again");
}

using data::exists;
using data::is_there;

namespace {

std::string away(const std::string& folder) { return folder + ".replaced"; }
std::string moving(const std::string& folder) { return folder + ".replaced.part"; }
std::string commands_file(const std::string& folder) { return folder + ".commands"; }

std::string text_of(const std::string& path) { return exists(path) ? data::read_bytes(path) : ""; }

}  // namespace

std::string commands_of_run(const std::string& folder) { return text_of(commands_file(folder)); }

namespace {

// Returns true if `reproduce` made the folder. The folder is marked, or an earlier build left it with only the commands
// and the run.
bool is_ours(const std::string& place) {
  if (data::is_marked_folder(place)) return true;
  if (!fs::is_directory(fs::symlink_status(place)) || !exists(place + "/commands")) return false;
  return std::all_of(fs::directory_iterator(place), {}, [](const fs::directory_entry& entry) {
    return entry.path().filename() == "commands" || entry.path().filename() == "run";
  });
}

void remove_place(const std::string& place) {
  if (is_ours(place)) fs::remove_all(place);
}

void check_free(const std::string& place) {
  if (is_there(place) && !is_ours(place))
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("{} already exists and reproduce did not write it, so reproduce does not overwrite "
                                  "it. Move it to another place, or name another --out",
                                  place));
}

}  // namespace

void recover_set_aside(const std::string& folder, const std::string& wanted) {
  check_free(moving(folder));
  check_free(away(folder));
  data::check_own_folder(folder);
  if (exists(moving(folder) + "/run")) fs::rename(moving(folder), away(folder));
  remove_place(moving(folder));
  if (!exists(away(folder))) return;
  if (exists(evaluation_file(folder))) return forget_set_aside(folder);
  const std::string commands = text_of(away(folder) + "/commands");
  if (commands != wanted) return;
  if (exists(away(folder) + "/run")) {
    fs::remove_all(folder);
    data::write_own_file(commands_file(folder), commands);
    fs::rename(away(folder) + "/run", folder);
  }
  forget_set_aside(folder);
}

void set_aside(const std::string& folder) {
  if (!exists(folder)) return;
  if (!exists(commands_file(folder)))
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("{}: reproduce did not write this folder, because there is no {} next to it. "
                                  "Therefore it is not replaced. Move the folder, or name another --out",
                                  folder, fs::path(commands_file(folder)).filename().string()));
  if (exists(away(folder))) {
    fs::remove_all(folder);
    return;
  }
  data::make_marked_folder(moving(folder));
  data::write_own_file(moving(folder) + "/commands", commands_of_run(folder));
  fs::rename(folder, moving(folder) + "/run");
  fs::rename(moving(folder), away(folder));
}

void forget_set_aside(const std::string& folder) {
  // The run is removed first. If the removal is interrupted later, the old run is not restored.
  if (exists(away(folder))) fs::rename(away(folder), moving(folder));
  fs::remove_all(moving(folder) + "/run");
  remove_place(moving(folder));
}

void run_or_throw(const Command& command, const std::string& output_file) {
  constexpr int interrupted = 130;  // exit status of a training that Ctrl-C ended
  data::check_own_file(output_file);
  const int status = run_command(command, output_file);
  if (status == interrupted) throw Interrupted();
  if (status != 0)
    throw std::runtime_error(
        fmt::format("this command failed with status {}: {}\n({} has its output, and its messages are above)", status,
                    as_typed(command), output_file));
}

namespace {

std::string commands_of(const Job& job) { return as_typed(job.train) + "\n" + as_typed(job.evaluate) + "\n"; }

// Returns true if the run in the job's folder was started with the same commands. Only such a run is continued.
bool is_begun(const Job& job) { return commands_of_run(job.folder) == commands_of(job); }

// Returns true if nothing is left to do. The function may restore a complete run that was set aside.
bool is_done(const Job& job) {
  recover_set_aside(job.folder, commands_of(job));
  return is_begun(job) && fs::exists(evaluation_file(job.folder));
}

}  // namespace

RunOutcome run_job(const Job& job) {
  if (is_done(job)) return read_outcome(job.folder);
  if (!job.corpus.empty()) data::check_own_folder(job.data);
  const bool corpus_made = fs::exists(job.data + "/train.tsv") && fs::exists(job.data + "/valid.tsv");
  if (!job.corpus.empty() && !corpus_made) run_or_throw(job.corpus, job.folder + ".corpus.log");
  Command train = job.train;
  const bool begun = is_begun(job) && fs::exists(job.folder + "/last.safetensors");
  train.push_back(begun ? "--resume" : "--force");
  if (!begun) {
    if (!is_begun(job)) set_aside(job.folder);
    data::write_own_file(job.folder + ".commands", commands_of(job));
  }
  run_or_throw(train, job.folder + ".log");
  const std::string scores = job.folder + ".evaluation";  // gets its final name when it is complete
  run_or_throw(job.evaluate, scores);
  fs::rename(scores, evaluation_file(job.folder));
  forget_set_aside(job.folder);
  return read_outcome(job.folder);
}

RunOutcomes run_study(const Study& study, const ReproduceOptions& options,
                      const std::function<void(const std::string&)>& report) {
  const std::vector<Job> jobs = jobs_of(study, options);
  RunOutcomes outcomes;
  double seconds = 0;
  std::size_t timed = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool done = is_done(jobs[i]);
    const double left = timed > 0 ? seconds / static_cast<double>(timed) * static_cast<double>(jobs.size() - i) : 0;
    report(fmt::format("[{}/{}] {}{}{}", i + 1, jobs.size(), fs::path(jobs[i].folder).filename().string(),
                       done ? ": done before" : "",
                       timed > 0 && !done ? ", about " + format_duration(left) + " left" : ""));
    const autograd::Stopwatch watch;
    outcomes[jobs[i].name].push_back(run_job(jobs[i]));
    if (done) continue;
    seconds += watch.seconds();
    ++timed;
  }
  return outcomes;
}

}  // namespace softalign::apps
