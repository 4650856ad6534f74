#include "apps/training/interrupts.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <ctime>
#include <utility>

#include "data/io/temporary_names.h"

namespace softalign::apps {

namespace {

constexpr int least_wait = 30;       // seconds for a step to end
constexpr double same_signal = 0.2;  // seconds: timeout(1) sends its signal to the process and then to its group

volatile std::sig_atomic_t is_interrupted = 0;
volatile std::sig_atomic_t wait_seconds = least_wait;
timespec first_signal{};

// A text that a handler may print, because it is complete before the signal arrives.
struct Text {
  char bytes[512];
  std::size_t size = 0;

  void set(const std::string& text) { size = text.copy(bytes, sizeof bytes); }
  void print() const { [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, bytes, size); }
};
Text farewell, note_of_sigterm;
std::chrono::steady_clock::time_point last_call;
thread_local std::function<bool()> source;  // empty: signals

double seconds_since(const timespec& then) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - then.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - then.tv_nsec);
}

// The handlers call only functions that POSIX allows in a handler.
void remember(int signal) {
  if (is_interrupted == 0) {
    clock_gettime(CLOCK_MONOTONIC, &first_signal);
    is_interrupted = 1;
    alarm(static_cast<unsigned>(wait_seconds));
    if (signal == SIGTERM) note_of_sigterm.print();
  } else if (seconds_since(first_signal) >= same_signal) {
    data::remove_temporaries();
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
}

void give_up(int) {
  data::remove_temporaries();
  farewell.print();
  _exit(130);
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // an interrupted write continues
  sigaction(signal, &action, nullptr);
}

}  // namespace

void listen_for_interrupts(const std::string& resume_command, bool speaks_for_others) {
  if (source) return;
  const std::string continues = resume_command + " continues from the last saved state\n";
  farewell.set("\nerror: the step did not end in time after the signal, so the program ends without saving it; " +
               continues);
  if (speaks_for_others)
    note_of_sigterm.set(
        "\nnote: mpirun or the system has sent SIGTERM to this training. If nobody wanted to end it, "
        "another process or its machine has failed. Repair it, and then " +
        continues);
  last_call = std::chrono::steady_clock::now();
  handle(SIGALRM, give_up);
  handle(SIGINT, remember);
  handle(SIGTERM, remember);
}

bool interrupted() {
  if (source) return source();
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - last_call).count();
  last_call = now;
  if (is_interrupted != 0) {
    alarm(0);
    return true;
  }
  wait_seconds =
      static_cast<std::sig_atomic_t>(std::max<double>(wait_seconds, std::min(std::ceil(3 * seconds), 3600.)));
  return false;
}

InterruptSource::InterruptSource(std::function<bool()> interrupted) { source = std::move(interrupted); }
InterruptSource::~InterruptSource() { source = nullptr; }

}  // namespace softalign::apps
