#include "apps/reproduction/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "apps/cli/verbs.h"

extern char** environ;

namespace softalign::apps {

std::string as_typed(const Command& command) { return fmt::format("{}", fmt::join(command, " ")); }

namespace {

// While a child runs, Ctrl-C is for the child alone: it saves its state, and its exit status tells.
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
    throw std::runtime_error(fmt::format("{} cannot be started ({}, output to {}); it is built beside this program",
                                         program, std::strerror(error), output_file));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace softalign::apps
