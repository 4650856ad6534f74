// Lines from a pipe or terminal, as many at a time as are there already: a person gets an answer to each line, a file
// is read in large pieces.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/io/files.h"

namespace softalign::apps {

class LineReader {
 public:
  // `name` stands for the input in messages.
  enum class Form { cleaned, as_they_are };  // as_they_are: unchecked, and each with its "\n" if it has one
  LineReader(int file_descriptor, std::string name, Form form = Form::cleaned);

  // Waits for the next line, then adds what has arrived already, up to `most` lines. None at the end of the input.
  // Lines come without their ends; data::Error ("NAME:LINE: ...") for one that data::clean_line refuses or
  // that is too long (data/io/files.h), once the lines before it have been given.
  std::vector<std::string> next(std::size_t most);

 private:
  bool take_more(std::vector<std::string>& lines);  // false: no line is there
  bool take_line(std::vector<std::string>& lines);
  bool would_wait() const;
  void wait() const;
  void read_more();

  int file_;
  std::string name_;
  Form form_;
  data::LineLimit limit_{name_};
  std::string buffer_;
  std::size_t begin_ = 0;    // of the next line in the buffer
  std::size_t scanned_ = 0;  // no line ends before
  std::size_t number_ = 0;   // lines taken
  bool ended_ = false;
  std::exception_ptr problem_;  // with the next line
};

// The lines that a person types. On a terminal libedit edits them: the arrow keys move, and earlier lines come back,
// those of earlier sessions too.

// NAME in softalign's folder for what programs remember: $XDG_STATE_HOME, else ~/.local/state. "" if neither is there.
std::string state_file(const std::string& name);

// Prompts on standard error and reads standard input. Without a terminal on both, lines are read as they come.
class Prompt {
 public:
  // Lines are remembered in the file, the last 500 of them; "": nowhere.
  Prompt(const std::string& prompt, const std::string& history_file);
  ~Prompt();

  // The next line without its end, unchecked; nothing at the end of the input (Ctrl-D).
  std::optional<std::string> next();

 private:
  struct Editor;
  struct Plain;
  std::unique_ptr<Editor> editor_;  // one of the two
  std::unique_ptr<Plain> plain_;
};

}  // namespace softalign::apps
