// Messages contain commands that the user can copy. This file writes the parts of such commands. A program is written
// in the form in which the user called the running program, so that the shell finds it: build/train if the user typed
// build/translate. The path of a file gets the quotes that the shell needs.
#pragma once

#include <string>

namespace softalign::data {

// Stores the name by which the user called the running program: "build/translate", "softalign-translate" or "softalign
// translate". `program` is the plain name, "translate".
void set_called(const std::string& program, const std::string& called);

// Returns the name by which the user can call a program, for example "build/train". Returns the plain name if
// set_called was not called, as in a program of another project, or if the user renamed the program.
std::string command(const std::string& program);

// Returns the path in the form that a shell's command line needs, with quotes if they are necessary.
std::string shell_word(const std::string& path);

// Replaces the first word FILE of a message by the path of a file. A space must precede the word, and a space or the
// end of a line must follow it. Returns the message unchanged if the path is empty.
std::string with_file(std::string message, const std::string& path);

}  // namespace softalign::data
