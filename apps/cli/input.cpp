#include "apps/cli/input.h"

#include <fmt/format.h>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <utility>

#include "apps/terminal/output.h"
#include "apps/terminal/terminal.h"
#include "data/io/error.h"
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
    end = buffer_.size();  // the last line may have no newline
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
  ::poll(&descriptor, 1, -1);  // after a signal, the caller tries again
}

void LineReader::read_more() {
  buffer_.erase(0, begin_);
  scanned_ -= std::min(scanned_, begin_);
  begin_ = 0;
  char block[1 << 16];
  const ssize_t got = ::read(file_, block, sizeof block);
  if (got < 0 && errno == EINTR) return;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return wait();  // a program made the file non-blocking
  if (got < 0)
    throw data::Error(data::kind_of_errno(errno), fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
  if (got == 0) ended_ = true;
  limit_.add({block, static_cast<std::size_t>(got)});
  buffer_.append(block, static_cast<std::size_t>(got));
}

namespace {

constexpr std::size_t most_remembered = 500;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// libedit decodes bytes as characters of this locale, so the locale must use UTF-8.
void speak_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

std::string state_file(const std::string& name) {
  std::string folder = environment("XDG_STATE_HOME");
  if (folder.empty() && !environment("HOME").empty()) folder = environment("HOME") + "/.local/state";
  return folder.empty() ? "" : folder + "/softalign/" + name;
}

// libedit has the list of lines that the arrow keys recall. The history file has one such line per line, the oldest
// first.
struct Prompt::Editor {
  EditLine* line = nullptr;
  History* list = nullptr;
  HistEvent event{};
  std::string prompt, file;
  std::deque<std::string> lines;

  Editor(std::string text, std::string path) : prompt(std::move(text)), file(std::move(path)) {
    speak_utf8();
    line = el_init("softalign", stdin, stderr, stderr);
    list = history_init();
    if (line == nullptr || list == nullptr) throw std::bad_alloc();
    history(list, &event, H_SETSIZE, static_cast<int>(most_remembered));
    el_set(line, EL_CLIENTDATA, this);
    el_set(
        line, EL_PROMPT, +[](EditLine* its) {
          Editor* self = nullptr;
          el_get(its, EL_CLIENTDATA, &self);
          return self->prompt.data();
        });
    el_set(line, EL_EDITOR, "emacs");
    el_set(line, EL_SIGNAL, 1);  // Ctrl-C restores the settings of the terminal
    el_set(line, EL_HIST, history, list);
    el_source(line, nullptr);  // the user's key bindings in ~/.editrc
    load();
  }

  ~Editor() {
    if (line != nullptr) el_end(line);
    if (list != nullptr) history_end(list);
  }
  Editor(const Editor&) = delete;
  Editor& operator=(const Editor&) = delete;

  void enter(const std::string& text) {
    if (text.empty() || (!lines.empty() && lines.back() == text)) return;
    history(list, &event, H_ENTER, text.c_str());
    lines.push_back(text);
    if (lines.size() > most_remembered) lines.pop_front();
  }

  // If the history file cannot be read or written, its lines are not remembered. This is no reason to stop translating.
  void load() {
    std::error_code error;
    if (file.empty() || !std::filesystem::exists(file, error)) return;
    try {
      for (const std::string& old : data::read_lines(file)) enter(old);
    } catch (const std::exception&) {
    }
  }

  void save() const {
    if (file.empty()) return;
    std::string text;
    for (const std::string& one : lines) text += one + "\n";
    std::error_code error;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path(), error);
    try {
      data::write_file(file, text);
    } catch (const std::exception&) {
    }
  }
};

struct Prompt::Plain {
  std::string prompt;
  LineReader input{STDIN_FILENO, "standard input", LineReader::Form::as_they_are};
};

Prompt::Prompt(const std::string& prompt, const std::string& history_file) {
  if (is_terminal(STDIN_FILENO) && is_terminal(STDERR_FILENO) && !is_dumb_terminal()) {
    editor_ = std::make_unique<Editor>(prompt, history_file);
  } else {
    plain_ = std::make_unique<Plain>(Plain{prompt});
  }
}

Prompt::~Prompt() = default;

std::optional<std::string> Prompt::next() {
  if (plain_) {
    report("{}", plain_->prompt);
    const auto lines = plain_->input.next(1);
    if (lines.empty()) return std::nullopt;
    std::string text = lines.front();
    if (text.ends_with('\n')) text.pop_back();
    return text;
  }
  int length = 0;
  const char* typed = el_gets(editor_->line, &length);
  if (typed == nullptr || length <= 0) return std::nullopt;
  std::string text(typed, static_cast<std::size_t>(length));
  if (text.back() == '\n') text.pop_back();
  try {
    editor_->enter(data::clean_line(text, "standard input", 1));
    editor_->save();
  } catch (const std::exception&) {  // a bad line is not remembered
  }
  return text;
}

}  // namespace softalign::apps
