#include "apps/terminal/background.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace softalign::apps {

namespace {

// Reads COLORFGBG, for example "15;default;0". The last field is the number of the background in a palette of 16
// colours. The colours 7 and 9 to 15 are light.
std::optional<bool> from_environment() {
  const char* value = std::getenv("COLORFGBG");
  if (value == nullptr) return std::nullopt;
  const std::string text = value;
  const std::string last = text.substr(text.rfind(';') + 1);
  if (last.empty() || last.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const int colour = std::atoi(last.c_str());
  return colour == 7 || (colour > 8 && colour < 16);
}

// RawTerminal turns off line editing and echo in the terminal of standard output, as long as the object exists.
class RawTerminal {
 public:
  RawTerminal() {
    const char* const name = ttyname(STDOUT_FILENO);
    if (name != nullptr) file_ = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    // The system would stop a background process that changes its terminal.
    if (file_ < 0 || tcgetpgrp(file_) != getpgrp() || tcgetattr(file_, &before_) != 0) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    raw_ = tcsetattr(file_, TCSANOW, &raw) == 0;
  }
  ~RawTerminal() {
    if (raw_) tcsetattr(file_, TCSANOW, &before_);
    if (file_ >= 0) close(file_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

  explicit operator bool() const { return raw_; }

  // Keys that somebody has typed ahead are not an answer, and must not be read.
  bool has_input() const {
    int bytes = 0;
    return ioctl(file_, FIONREAD, &bytes) != 0 || bytes > 0;
  }

  bool write(const std::string& text) const {
    return ::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

  // Returns the bytes that arrive within this time, up to the end of the DA1 answer, which names the kind of the
  // terminal.
  std::string read_answers(int milliseconds) const {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
    std::string text;
    while (text.find("\x1b[?") == std::string::npos || text.back() != 'c') {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
      pollfd waiting{file_, POLLIN, 0};
      char byte = 0;
      if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0 || ::read(file_, &byte, 1) != 1) break;
      text += byte;
    }
    return text;
  }

 private:
  int file_ = -1;
  bool raw_ = false;
  termios before_{};
};

// Reads red, green and blue from an answer such as "\x1b]11;rgb:ffff/ffff/dddd\x1b\\". Returns true if the colour is
// light.
std::optional<bool> light_in(const std::string& answer) {
  const std::size_t begin = answer.find("rgb:");
  if (begin == std::string::npos) return std::nullopt;
  std::vector<double> channels;
  std::size_t at = begin + 4;
  while (channels.size() < 3) {
    const std::size_t end = answer.find_first_not_of("0123456789abcdefABCDEF", at);
    const std::size_t digits = (end == std::string::npos ? answer.size() : end) - at;
    if (digits == 0 || digits > 4) return std::nullopt;
    const double most = static_cast<double>((1UL << (4 * digits)) - 1);
    channels.push_back(static_cast<double>(std::stoul(answer.substr(at, digits), nullptr, 16)) / most);
    at += digits + 1;
  }
  return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2] > 0.5;
}

// The first request asks for the background, and the second one (DA1) for the kind of the terminal. Every terminal
// answers DA1 with "\x1b[?..c". Therefore the function does not wait if a terminal ignores the first request.
std::optional<bool> from_terminal() {
  const char* kind = std::getenv("TERM");
  if (kind == nullptr || std::string(kind) == "dumb" || std::string(kind) == "linux") return std::nullopt;
  const RawTerminal terminal;
  if (!terminal || terminal.has_input() || !terminal.write("\x1b]11;?\x1b\\\x1b[c")) return std::nullopt;
  return light_in(terminal.read_answers(200));
}

}  // namespace

bool has_light_background() {
  static const bool light = [] {
    if (const auto told = from_environment()) return *told;
    return from_terminal().value_or(false);
  }();
  return light;
}

}  // namespace softalign::apps
