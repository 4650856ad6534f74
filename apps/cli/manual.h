// What a program says of itself: one description, made from the tables of options as they are declared, of which --help
// (help.h), the manual page (man_page.h) and the completions of shells (completion.h) are drawn.
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

// The options under their headings, those in the order of their first option, what every program has last.
constexpr const char* general = "General";
using Group = std::pair<std::string, std::vector<Entry>>;
std::vector<Group> groups(const Manual& manual);

bool is_flag(const Entry& entry);
bool is_list(const Entry& entry);
// What stands for its value: N, X (a number), NAME (one of a few), LIST; "" for flags.
std::string value_name(const Entry& entry);
// Its help as a sentence goes on: with the names that it may have, unless the help says them, and the preset in
// brackets; `range` adds which numbers it may be.
std::string about(const Entry& entry, bool range);
// "--lr", and with `others` "--learning-rate"; "--scale", "--no-scale"; none for a word.
std::vector<std::string> spellings(const Entry& entry, bool others);

// A word as the usage line has it: "PICTURE...", in brackets where it may be left out.
std::string usage_of(const Entry& word);

// An example apart: the command as the program was called, and the comment.
struct Example {
  std::string command, comment;
};
Example example_of(const Manual& manual, const std::string& text);

}  // namespace softalign::apps
