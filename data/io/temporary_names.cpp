#include "data/io/temporary_names.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace softalign::data {

namespace {

// A program writes few files at once; a further file is only not removed.
std::array<std::atomic<const char*>, 32> temporary_paths{};
static_assert(std::atomic<const char*>::is_always_lock_free);  // for the handler

void end_by(int signal) {
  remove_temporaries();
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

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
  for (const int number : {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXCPU}) {
    struct sigaction now {};
    if (::sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    now.sa_handler = end_by;
    now.sa_flags = 0;
    ::sigaction(number, &now, nullptr);
  }
}

}  // namespace softalign::data
