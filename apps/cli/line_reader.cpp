#include "apps/cli/line_reader.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "data/io/files.h"

namespace softalign::apps {

LineReader::LineReader(int file_descriptor, std::string name, Form form)
    : file_(file_descriptor), name_(std::move(name)), form_(form) {}

std::vector<std::string> LineReader::next(std::size_t most) {
  if (problem_) std::rethrow_exception(problem_);
  std::vector<std::string> lines;
  try {
    while (lines.size() < most && take_more(lines)) {
    }
  } catch (const std::exception&) {
    if (lines.empty()) throw;
    problem_ = std::current_exception();
  }
  return lines;
}

bool LineReader::take_more(std::vector<std::string>& lines) {
  if (take_line(lines)) return true;
  if (ended_ || (!lines.empty() && would_wait())) return false;
  read_more();
  return true;
}

bool LineReader::take_line(std::vector<std::string>& lines) {
  std::size_t end = buffer_.find('\n', std::max(begin_, scanned_));
  const bool unfinished = end == std::string::npos;
  if (unfinished) {
    scanned_ = buffer_.size();
    if (!ended_ || begin_ == buffer_.size()) return false;
    end = buffer_.size();  // the last line may lack its end
  }
  if (form_ == Form::as_they_are) lines.push_back(buffer_.substr(begin_, end + 1 - begin_));
  else lines.push_back(data::clean_line(buffer_.substr(begin_, end - begin_), name_, ++number_, !unfinished));
  begin_ = std::min(end + 1, buffer_.size());
  return true;
}

bool LineReader::would_wait() const {
  pollfd descriptor{.fd = file_, .events = POLLIN, .revents = 0};
  return ::poll(&descriptor, 1, 0) == 0;
}

void LineReader::wait() const {
  pollfd descriptor{.fd = file_, .events = POLLIN, .revents = 0};
  ::poll(&descriptor, 1, -1);  // what a signal interrupts is tried again
}

void LineReader::read_more() {
  buffer_.erase(0, begin_);
  scanned_ -= std::min(scanned_, begin_);
  begin_ = 0;
  char block[1 << 16];
  const ssize_t got = ::read(file_, block, sizeof block);
  if (got < 0 && errno == EINTR) return;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return wait();  // somebody has made it non-blocking
  if (got < 0) throw std::runtime_error(fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
  if (got == 0) ended_ = true;
  limit_.add({block, static_cast<std::size_t>(got)});
  buffer_.append(block, static_cast<std::size_t>(got));
}

}  // namespace softalign::apps
