#include "apps/reproduction/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>

#include "apps/cli/verbs.h"
#include "data/io/commands.h"
#include "data/io/error.h"

extern char** environ;

namespace softalign::apps {

std::string as_typed(const Command& command) { return fmt::format("{}", fmt::join(command, " ")); }

namespace {

// While a child process runs, this process ignores Ctrl-C. The child process saves its state, and its exit status shows
// that it was interrupted.
class LeaveInterruptsToChild {
 public:
  LeaveInterruptsToChild() : before_(std::signal(SIGINT, SIG_IGN)) {}
  ~LeaveInterruptsToChild() { std::signal(SIGINT, before_); }
  LeaveInterruptsToChild(const LeaveInterruptsToChild&) = delete;
  LeaveInterruptsToChild& operator=(const LeaveInterruptsToChild&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace

int run_command(const Command& command, const std::string& output_file) {
  const std::string program = sibling(command.front()).string();
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  posix_spawnattr_setsigdefault(&attributes, &interrupts);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

  const LeaveInterruptsToChild leave;
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw data::Error(data::ErrorKind::io_error, fmt::format("{} cannot be started ({}, with output to {}). Build this "
                                                             "program again, so that both are in the same folder",
                                                             program, std::strerror(error), output_file));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

namespace fs = std::filesystem;

namespace {

constexpr const char* toy = "data/toy";

// Returns the command that generates pairs of at most `longest` words. The number of pairs is the same for every limit.
// No pair is in a test set.
Command corpus_command(std::size_t longest, const std::string& folder) {
  return {"make_corpus",
          "--grammar",
          fmt::format("{}/en-fr.grammar", toy),
          "--split",
          "train=12000,valid=500",
          "--max-length",
          std::to_string(longest),
          "--spread",
          "--seed",
          std::to_string(longest),
          "--exclude",
          fmt::format("{0}/test.tsv,{0}/long.tsv", toy),
          "--out",
          folder,
          "--force"};
}

}  // namespace

std::string corpus_folder(const ReproduceOptions& o) { return o.data.empty() ? toy : o.data; }

std::string test_file(const Study& study, const ReproduceOptions& o) {
  const std::string long_test = corpus_folder(o) + "/long.tsv";
  return study.by_length && fs::exists(long_test) ? long_test : corpus_folder(o) + "/test.tsv";
}

std::vector<Job> jobs_of(const Study& study, const ReproduceOptions& o) {
  const std::string test = test_file(study, o);
  std::vector<Job> jobs;
  for (const Experiment& e : study.experiments) {
    for (std::size_t seed = 1; seed <= o.seeds; ++seed) {
      Job job{e.name,      fmt::format("{}/runs/{}-seed{}", o.out, e.name, seed), corpus_folder(o), {}, {"train"},
              {"evaluate"}};
      std::string& data = job.data;
      if (e.longest > 0 && o.data.empty()) {
        data = fmt::format("{}/data/up-to-{}", o.out, e.longest);
        job.corpus = corpus_command(e.longest, data);
      } else if (e.longest > 0) {
        job.train.insert(job.train.end(), {"--max-length", std::to_string(e.longest)});
      }
      job.train.insert(job.train.end(), {"--data", data, "--seed", std::to_string(seed), "--out", job.folder});
      job.train.insert(job.train.end(), e.options.begin(), e.options.end());
      if (o.epochs > 0) job.train.insert(job.train.end(), {"--epochs", std::to_string(o.epochs)});
      job.evaluate.insert(job.evaluate.end(), {"--run", job.folder, "--data", test, "--json"});
      if (e.longest > 0) job.evaluate.insert(job.evaluate.end(), {"--max-length", "1000"});
      if (o.threads > 0) {
        for (Command* command : {&job.train, &job.evaluate})
          command->insert(command->end(), {"--threads", std::to_string(o.threads)});
      }
      jobs.push_back(job);
    }
  }
  return jobs;
}

std::string commands_text(const Study& study, const ReproduceOptions& options) {
  std::set<std::string> said;
  std::string text;
  const auto say = [&](const Command& command) {
    std::string line = "build/" + command.front();
    for (std::size_t i = 1; i < command.size(); ++i) line += " " + data::shell_word(command[i]);
    if (said.insert(line).second) text += line + "\n";
  };
  for (const Job& job : jobs_of(study, options)) {
    if (!job.corpus.empty()) say(job.corpus);
    say(job.train);
    say(job.evaluate);
  }
  return text;
}

}  // namespace softalign::apps
