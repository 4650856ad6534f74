// A program run as a child of this one.
#pragma once

#include <string>
#include <vector>

namespace softalign::apps {

// One command as it is run: program and arguments. The program stands beside this one.
using Command = std::vector<std::string>;
std::string as_typed(const Command& command);  // "train --model luong --out runs/x"

// Runs a command to its end, its standard output in a file; progress lines still reach the terminal. Returns its exit
// status, 128 + n if a signal n ended it. std::runtime_error if it cannot be started.
int run_command(const Command& command, const std::string& output_file);

}  // namespace softalign::apps
