#include "data/io/temporary_names.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>

#include "data/io/fields.h"

namespace softalign::data {

namespace {

// A program writes only a few files at once. If there are more files than slots, a signal leaves the other files
// behind.
std::array<std::atomic<const char*>, 32> temporary_paths{};
static_assert(std::atomic<const char*>::is_always_lock_free);  // the signal handler needs this

bool error_on_terminal = false;  // a terminal shows ^C, so the message begins on the next line

// say_stopped prints "stopped; FILE was not written". It uses only calls that POSIX allows in a signal handler.
void say_stopped() {
  const auto put = [](std::string_view text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  std::string_view first;
  std::size_t files = 0;
  for (const std::atomic<const char*>& slot : temporary_paths)
    if (const char* path = slot) {
      if (++files == 1) first = path;
    }
  first = first.substr(0, first.rfind(temporary_mark));
  put(error_on_terminal ? "\nstopped" : "stopped");
  if (files > 0) put("; "), put(first), put(files == 1 ? " was not written" : " and other files were not written");
  put("\n");
}

void end_by(int signal) {
  if (signal == SIGINT) say_stopped();
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

std::optional<int> process_of_leftover(std::string_view name) {
  const std::size_t mark = name.rfind(temporary_mark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(mark + temporary_mark.size());
  const std::size_t dash = std::min(rest.find('-'), rest.size());
  const auto process = number<unsigned>(rest.substr(0, dash));
  std::string_view count = rest.substr(std::min(dash + 1, rest.size()));
  if (count.starts_with('f')) count.remove_prefix(1);  // f marks a folder (data/io/own_files.h)
  if (!process || !number<unsigned>(count)) return std::nullopt;
  return static_cast<int>(*process);
}

void register_temporary(const char* path) {
  for (std::atomic<const char*>& slot : temporary_paths)
    if (const char* none = nullptr; slot.compare_exchange_strong(none, path)) return;
}

void forget_temporary(const char* path) {
  for (std::atomic<const char*>& slot : temporary_paths)
    if (const char* own = path; slot.compare_exchange_strong(own, nullptr)) return;
}

void remove_temporaries() {
  for (const std::atomic<const char*>& slot : temporary_paths)
    if (const char* path = slot) ::unlink(path);
}

void remove_temporaries_on_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  error_on_terminal = ::isatty(STDERR_FILENO) == 1;
  for (const int number : {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU}) {
    struct sigaction now {};
    ::sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_DFL) continue;
    now.sa_handler = end_by;
    now.sa_flags = 0;
    ::sigaction(number, &now, nullptr);
  }
}

}  // namespace softalign::data
