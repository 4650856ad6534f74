#include "apps/cli/prompt.h"

#include <fmt/format.h>
#include <histedit.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <filesystem>

#include "apps/cli/line_reader.h"
#include "apps/terminal/tell.h"
#include "apps/terminal/terminal.h"
#include "data/io/files.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_remembered = 500;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// libedit takes bytes for letters of this locale.
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

// The lines that come back are in libedit's list; what is kept of them on the disk is a line each, oldest first.
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
    el_set(line, EL_SIGNAL, 1);  // Ctrl-C leaves the terminal as it was
    el_set(line, EL_HIST, history, list);
    el_source(line, nullptr);  // the person's own keys, ~/.editrc
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

  // What cannot be read or written is not remembered: no reason to stop translating.
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
    tell("{}", plain_->prompt);
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
