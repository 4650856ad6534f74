#include "apps/reproduction/runner.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/support/progress.h"
#include "data/files.h"

namespace apps {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int interrupted = 130;  // exit status of a training that Ctrl-C ended

json read_json(const std::string& path) {
  const json value = json::parse(data::read_bytes(path), nullptr, false);
  if (value.is_discarded()) throw std::runtime_error(path + ": not JSON; delete it and start again");
  return value;
}

// Runs a step of a job; its output stays in the job's folder.
void run(const Command& command, const std::string& output_file) {
  const int status = run_command(command, output_file);
  if (status == interrupted) throw Interrupted();
  if (status != 0)
    throw std::runtime_error(fmt::format("this failed with status {}: {}\n(its output is {}, what it says is above)",
                                         status, as_typed(command), output_file));
}

std::string evaluation_of(const Job& job) { return job.folder + "/evaluation.json"; }

Outcome read_outcome(const Job& job) {
  const json scores = read_json(evaluation_of(job));
  Outcome outcome;
  const json& all = scores.at("all");
  outcome.perplexity = all.at("perplexity");
  outcome.bleu = all.at("bleu");
  outcome.exact_match = all.at("exact_match");
  if (!all.at("alignment").is_null()) outcome.aer = 100 * all.at("alignment").at("aer").get<double>();
  for (const auto& [bin, part] : scores.at("by_length").items()) outcome.by_length[bin] = part.at("bleu");
  const std::vector<std::string> timing = data::read_lines(job.folder + "/timing.jsonl");
  for (const std::string& line : timing)
    outcome.words_per_second +=
        json::parse(line).at("words_per_second").get<double>() / static_cast<double>(timing.size());
  return outcome;
}

std::string commands_of(const Job& job) { return as_typed(job.train) + "\n" + as_typed(job.evaluate) + "\n"; }

// Whether what is in a job's folder was begun by the same commands: only then is it gone on with.
bool is_begun(const Job& job) {
  const std::string file = job.folder + ".commands";
  return fs::exists(file) && data::read_bytes(file) == commands_of(job);
}

bool is_done(const Job& job) { return is_begun(job) && fs::exists(evaluation_of(job)); }

}  // namespace

Outcome run_job(const Job& job) {
  if (is_done(job)) return read_outcome(job);
  const bool corpus_made = fs::exists(job.data + "/train.tsv") && fs::exists(job.data + "/valid.tsv");
  if (!job.corpus.empty() && !corpus_made) run(job.corpus, job.folder + ".corpus.log");
  Command train = job.train;
  const bool begun = is_begun(job) && fs::exists(job.folder + "/last.safetensors");
  train.push_back(begun ? "--resume" : "--force");
  if (!begun) {
    fs::remove(evaluation_of(job));
    data::write_file(job.folder + ".commands", commands_of(job));
  }
  run(train, job.folder + ".log");
  const std::string scores = job.folder + ".evaluation";  // moved to its place when it is whole
  run(job.evaluate, scores);
  fs::rename(scores, evaluation_of(job));
  return read_outcome(job);
}

Outcomes run_study(const Study& study, const ReproduceOptions& options,
                   const std::function<void(const std::string&)>& tell) {
  const std::vector<Job> jobs = jobs_of(study, options);
  Outcomes outcomes;
  double seconds = 0;
  std::size_t timed = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const bool done = is_done(jobs[i]);
    const double left = timed > 0 ? seconds / static_cast<double>(timed) * static_cast<double>(jobs.size() - i) : 0;
    tell(fmt::format("[{}/{}] {}{}{}", i + 1, jobs.size(), fs::path(jobs[i].folder).filename().string(),
                     done ? ": done before" : "",
                     timed > 0 && !done ? ", about " + format_duration(left) + " left" : ""));
    const auto start = std::chrono::steady_clock::now();
    outcomes[jobs[i].name].push_back(run_job(jobs[i]));
    if (done) continue;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ++timed;
  }
  return outcomes;
}

}  // namespace apps
