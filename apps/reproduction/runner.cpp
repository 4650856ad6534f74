#include "apps/reproduction/runner.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>

#include "apps/reproduction/outcome.h"
#include "apps/reproduction/set_aside.h"
#include "apps/terminal/progress.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace fs = std::filesystem;

namespace {

constexpr int interrupted = 130;  // exit status of a training that Ctrl-C ended

// Runs a step of a job; its output stays in the job's folder.
void run(const Command& command, const std::string& output_file) {
  data::check_own_file(output_file);
  const int status = run_command(command, output_file);
  if (status == interrupted) throw Interrupted();
  if (status != 0)
    throw std::runtime_error(fmt::format("this failed with status {}: {}\n(its output is {}, what it says is above)",
                                         status, as_typed(command), output_file));
}

std::string commands_of(const Job& job) { return as_typed(job.train) + "\n" + as_typed(job.evaluate) + "\n"; }

// Whether what is in a job's folder was begun by the same commands: only then is it gone on with.
bool is_begun(const Job& job) { return commands_of_run(job.folder) == commands_of(job); }

// Whether there is nothing left to do, also because a run that was set aside comes back.
bool is_done(const Job& job) {
  recover_set_aside(job.folder, commands_of(job));
  return is_begun(job) && fs::exists(evaluation_file(job.folder));
}

}  // namespace

Outcome run_job(const Job& job) {
  if (is_done(job)) return read_outcome(job.folder);
  if (!job.corpus.empty()) data::check_own_folder(job.data);
  const bool corpus_made = fs::exists(job.data + "/train.tsv") && fs::exists(job.data + "/valid.tsv");
  if (!job.corpus.empty() && !corpus_made) run(job.corpus, job.folder + ".corpus.log");
  Command train = job.train;
  const bool begun = is_begun(job) && fs::exists(job.folder + "/last.safetensors");
  train.push_back(begun ? "--resume" : "--force");
  if (!begun) {
    if (!is_begun(job)) set_aside(job.folder);
    data::write_own_file(job.folder + ".commands", commands_of(job));
  }
  run(train, job.folder + ".log");
  const std::string scores = job.folder + ".evaluation";  // moved to its place when it is whole
  run(job.evaluate, scores);
  fs::rename(scores, evaluation_file(job.folder));
  forget_set_aside(job.folder);
  return read_outcome(job.folder);
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

}  // namespace softalign::apps
