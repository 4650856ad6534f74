// Manual: the description of a program. It collects the options as they are declared. --help, the manual page and the
// shell completions are generated from it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "models/option_table.h"

namespace softalign::apps {

// An option of the program, with its heading in option.group.
struct Entry {
  models::Option option;
  std::string preset = {};  // the value that it has if it is not given
  bool is_word = false;     // PROGRAM VALUE, without a name before it
  bool is_pair = false;     // two flags, --NAME and --no-NAME
};

struct Manual {
  std::string program;  // "train"
  std::string called;   // "build/train", "softalign-train", "softalign train": what a person types
  std::string description;
  std::vector<std::string> examples;    // whole command lines, a comment after two spaces or more
  std::string arguments = "[OPTIONS]";  // what follows its name
  std::vector<std::string> notes = {};
  std::vector<Entry> entries = {};
  std::vector<std::string> first = {};  // those that --help shows, by name; empty: all

  std::string usage() const { return "usage: " + called + " " + arguments; }
};

// The options under their headings. Headings are in the order of their first option, and the general options are last.
constexpr const char* general = "General";
using Group = std::pair<std::string, std::vector<Entry>>;
std::vector<Group> groups(const Manual& manual);

bool is_flag(const Entry& entry);
bool is_list(const Entry& entry);
// The placeholder of its value: N, X (a number), NAME (an enumerated option), LIST; "" for flags.
std::string value_name(const Entry& entry);
// Its help text with its legal names, unless the help has them already, and its default in brackets. `range` adds the
// legal numbers.
std::string about(const Entry& entry, bool range);
// The spellings of an option: "--lr", and with `others` "--learning-rate"; "--scale", "--no-scale"; none for a
// positional word. Other names of a flag that take a word (Rule::words) are not included.
std::vector<std::string> spellings(const Entry& entry, bool others);

// A positional word in the usage line: "PICTURE...", in brackets if it is optional.
std::string usage_of(const Entry& word);

// Splits an example into the command, with the name by which the program was called, and the comment.
struct Example {
  std::string command, comment;
};
Example example_of(const Manual& manual, const std::string& text);

// --help, as a terminal shows it.

// Usage, options under their headings, examples and notes, in lines of at most `columns` if words are short enough.
// With `all`, it has every option with its legal numbers (--help-all). Otherwise it has the options in manual.first,
// and the number of the others.
std::string help_text(const Manual& manual, bool all, std::size_t columns);

// The manual page of a program, in the man macros of troff: man ./softalign-train.1

// Every option under its heading. manual.called is the name of the program.
std::string man_page(const Manual& manual);

// Shell completions of a program: the names of its options, the values of enumerated options, and files otherwise.

// Each is a file that the shell finds by itself: bash-completion's completions/CALLED, zsh's site-functions/_CALLED,
// fish's vendor_completions.d/CALLED.fish.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

// Text as one word of a fish script.
std::string quoted_for_fish(const std::string& text);

// PROGRAM --generate FORM describes the installed program, softalign-NAME, for other tools.

const std::vector<std::string>& generated_forms();  // man, bash, zsh, fish

// The file in this form. std::invalid_argument for any other.
std::string generate(const Manual& manual, const std::string& form);

}  // namespace softalign::apps
