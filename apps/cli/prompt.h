// What a person types, line by line, on a terminal edited with libedit: the arrows move, earlier lines come back, also
// those of earlier days.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace softalign::apps {

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
