// Messages contain commands that the user can copy. This file writes the program of such a command in the form in which
// the user called the running program, so that the shell finds it: build/train if the user typed build/translate.
#pragma once

#include <string>

namespace softalign::data {

// Stores the name by which the user called the running program: "build/translate", "softalign-translate" or "softalign
// translate". `program` is the plain name, "translate".
void set_called(const std::string& program, const std::string& called);

// Returns the name by which the user can call a program, for example "build/train". Returns the plain name if
// set_called was not called, as in a program of another project, or if the user renamed the program.
std::string command(const std::string& program);

// Replaces the placeholder FILE, between spaces, by the name of a file. `word` is the name with the quotes that the
// shell needs (shell_word in data/corpus/layout.h).
std::string with_file(std::string message, const std::string& word);

}  // namespace softalign::data
