// An experiment that was run with other commands makes room: its run waits in FOLDER.replaced until the new one is
// trained and evaluated, and comes back if its own commands are wanted again before that.
#pragma once

#include <string>

namespace softalign::apps {

// The commands that FOLDER was made by: FOLDER.commands; "" where there is none.
std::string commands_of_run(const std::string& folder);

// Ends or undoes what a program that was killed began. Afterwards a run that waits has other commands than `wanted`,
// and FOLDER is not whole.
void recover_set_aside(const std::string& folder, const std::string& wanted);

// Whatever is in FOLDER waits from here on; of two, the one that was whole. std::runtime_error if it was not made by
// reproduce.
void set_aside(const std::string& folder);

// The new run is whole: the old one goes.
void forget_set_aside(const std::string& folder);

}  // namespace softalign::apps
