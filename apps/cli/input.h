// Reads lines from a pipe or terminal, and returns all lines that have arrived. Therefore a person gets an answer to
// each line, and a file is read in large pieces.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/io/files.h"
#include "data/io/line_limit.h"

namespace softalign::apps {

class LineReader {
 public:
  // `name` is the name of the input in messages.
  enum class Form { cleaned, as_they_are };  // as_they_are: unchecked, and each with its "\n" if it has one
  LineReader(int file_descriptor, std::string name, Form form = Form::cleaned);

  // Waits for the next line, then adds the lines that have arrived already, up to `most` lines. The result is empty at
  // the end of the input. Lines have no line ends. data::Error ("NAME:LINE: ...") for a line that data::clean_line
  // refuses or that is too long (data/io/files.h), after the lines before it have been returned.
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

// Reads the lines that a person types. On a terminal, libedit edits them, with arrow keys and the history of this and
// earlier sessions.

// The path of NAME in softalign's state folder: in $XDG_STATE_HOME, or in ~/.local/state; "" if neither exists.
std::string state_file(const std::string& name);

// Prompts on standard error and reads standard input. Unless both are terminals, lines are read without editing.
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
