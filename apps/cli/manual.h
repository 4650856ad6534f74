// Manual is the description of a program. It collects the options while the program declares them. --help, the manual
// page and the shell completions are generated from it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/option_table.h"

namespace softalign::apps {

// Entry describes one option of the program. --help lists the option under the heading option.group.
struct Entry {
  models::Option option;
  std::string preset = {};  // value of the option if the user does not give it
  bool is_word = false;     // PROGRAM VALUE, without a name before it
  bool is_pair = false;     // two flags, --NAME and --no-NAME
};

struct Manual {
  std::string program;  // "train"
  std::string called;   // the name by which the user called it: "build/train", "softalign-train", "softalign train"
  std::string description;
  std::vector<std::string> examples;    // complete command lines; a comment follows after two or more spaces
  std::string arguments = "[OPTIONS]";  // text after the name of the program in the usage line
  std::vector<std::string> notes = {};
  std::vector<Entry> entries = {};
  std::vector<std::string> first = {};  // names of the options that --help shows; empty: all options

  std::string usage() const { return "usage: " + called + " " + arguments; }
};

// These functions list the options under their headings. The headings follow the order in which the program declares
// the first option of each heading. The general options come last.
constexpr const char* general = "General";
using Group = std::pair<std::string, std::vector<Entry>>;
std::vector<Group> groups(const Manual& manual);

bool is_flag(const Entry& entry);
bool is_list(const Entry& entry);
// Returns the placeholder for the value of an option: N for an integer, X for a number, NAME for one of several names,
// or LIST. Returns "" for a flag.
std::string value_name(const Entry& entry);
// Returns the help text of an option, with its default in brackets. The function adds the allowed names if the help
// text does not mention them. With `range`, it also adds the smallest and the largest allowed number.
std::string about(const Entry& entry, bool range);
// Returns the spellings of an option: "--lr", and with `others` also "--learning-rate". A pair of flags has "--scale"
// and "--no-scale". A positional argument has no spelling, so the result is empty.
std::vector<std::string> spellings(const Entry& entry, bool others);

// Returns a positional argument as the usage line shows it: "PICTURE...", in brackets if it is optional.
std::string usage_of(const Entry& word);

// Splits an example into the command and its comment. The command begins with the name by which the user called the
// program.
struct Example {
  std::string command, comment;
};
Example example_of(const Manual& manual, const std::string& text);

// The next function writes the text of --help.

// Returns the text of --help: the usage, the options under their headings, the examples and the notes. Lines have at
// most `columns` characters, unless a word is longer. With `all`, the function lists every option with the range of its
// numbers (--help-all). Without `all`, it lists the options that manual.first names (all options if it names none) and
// the general options. A line then says how many more options --help-all lists.
std::string help_text(const Manual& manual, bool all, std::size_t columns);

// The next function writes the manual page of a program in the man macros of troff. `man ./softalign-train.1` shows it.

// Returns the manual page, with every option under its heading. manual.called is the name of the program.
std::string man_page(const Manual& manual);

// The next functions write shell completions of a program. They complete the names of its options and the values of
// options with fixed names. For all other values, they complete file names.

// Each function returns the content of a completion file. CALLED is the name of the program (Manual::called). A shell
// finds the file by its name: bash-completion finds completions/CALLED, zsh finds site-functions/_CALLED, and fish
// finds vendor_completions.d/CALLED.fish.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

// Returns the text as one word of a fish script.
std::string quoted_for_fish(const std::string& text);

// The user calls a program with --generate man, bash, zsh or fish to get its manual page or a completion file. The text
// names the program as it is called after installation, for example softalign-train.

const std::vector<std::string>& generated_forms();  // man, bash, zsh, fish

// Returns the content of the manual page or completion file. `form` is one of generated_forms(). Throws
// std::invalid_argument for any other form.
std::string generate(const Manual& manual, const std::string& form);

}  // namespace softalign::apps
