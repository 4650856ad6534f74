#include "apps/terminal/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"

namespace softalign::apps {

std::string format_rate(double r) {
  if (r >= 999950) return fmt::format("{:.1f}M", r / 1e6);
  if (r >= 999.5) return fmt::format("{:.1f}k", r / 1e3);
  return fmt::format("{:.0f}", r);
}

std::string format_duration(double seconds) {
  const auto s = static_cast<std::size_t>(std::isfinite(seconds) ? std::clamp(seconds, 0., 3.6e8) : 3.6e8);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string format_count(std::size_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t end = digits.size(); end > 3; end -= 3) digits.insert(end - 3, 1, ',');
  return digits;
}

std::string progress_line(const Progress& p, std::size_t columns) {
  const double done = std::clamp(p.done, 0., 1.);
  const std::string before = fmt::format("epoch {}/{} ", p.epoch, p.epochs);
  const std::string after = fmt::format("{:3.0f}%  loss {:.2f}  {} tok/s  ETA {}", std::floor(100 * done), p.loss,
                                        format_rate(p.words_per_second), format_duration(p.seconds_left));
  const std::size_t room = columns > before.size() + after.size() + 4 ? columns - before.size() - after.size() - 4 : 0;
  const std::size_t width = std::min<std::size_t>(room, 24);
  if (width < 4) return (before + after).substr(0, columns > 0 ? columns - 1 : 0);
  const auto filled = static_cast<std::size_t>(done * static_cast<double>(width));
  std::string bar(filled, '=');
  if (filled < width) bar += '>';
  bar.resize(width, ' ');
  return before + "[" + bar + "] " + after;
}

ProgressLine::ProgressLine() : terminal_(is_terminal(STDERR_FILENO) && !is_dumb_terminal()) {}

void ProgressLine::show(const Progress& progress) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  // The line starts with a carriage return. The escape sequence at its end erases the rest of the old line.
  const std::size_t columns = terminal_columns(STDERR_FILENO);
  const std::size_t echo = std::min<std::size_t>(columns, 3);  // space for the ^C of a user who stops the program
  draw_aside(fmt::format("\r{}\x1b[K", progress_line(progress, columns - echo)));
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!shown_) return;
  shown_ = false;
  draw_aside("\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace softalign::apps
