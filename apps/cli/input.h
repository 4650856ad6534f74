// This file reads lines from a pipe or a terminal. It returns a line as soon as the line arrives, together with all
// other lines that have arrived. So a person gets an answer to each line, and a program reads a file many lines at a
// time.
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
  // `name` is the name of the input in messages. With Form::cleaned, the reader checks each line and removes its line
  // end.
  enum class Form { cleaned, as_they_are };  // as_they_are: not checked, each line with its newline
  LineReader(int file_descriptor, std::string name, Form form = Form::cleaned);

  // Waits for the next line. Then adds the lines that have already arrived, up to `most` lines. The result is empty at
  // the end of the input. Throws data::Error ("NAME:LINE: ...") if a line is too long (data/io/files.h), or if
  // data::clean_line finds an error in it. If correct lines precede such a line, this call returns them, and the next
  // call throws.
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
  std::size_t begin_ = 0;    // start of the next line in the buffer
  std::size_t scanned_ = 0;  // no newline occurs before this position
  std::size_t number_ = 0;   // number of lines returned so far
  bool ended_ = false;
  std::exception_ptr problem_;  // thrown if the caller asks for the next line
};

// The class Prompt reads the lines that a person types. On a terminal, the library libedit lets the person edit them.
// The arrow keys recall lines of this session and of earlier ones.

// Returns the path of the file NAME in softalign's state folder. This folder is $XDG_STATE_HOME/softalign, or
// ~/.local/state/softalign if XDG_STATE_HOME is not set. Returns "" if neither XDG_STATE_HOME nor HOME is set.
std::string state_file(const std::string& name);

// Prompt prints the prompt on standard error and reads standard input. If one of them is not a terminal, it reads lines
// without editing.
class Prompt {
 public:
  // The history file stores the last 500 lines. "" means that no file stores them.
  Prompt(const std::string& prompt, const std::string& history_file);
  ~Prompt();

  // Returns the next line without its end. The line is not checked. Returns nothing at the end of the input (Ctrl-D).
  std::optional<std::string> next();

 private:
  struct Editor;
  struct Plain;
  std::unique_ptr<Editor> editor_;  // either the editor or `plain_` exists
  std::unique_ptr<Plain> plain_;
};

}  // namespace softalign::apps
