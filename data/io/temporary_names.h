// This file defines the names of temporary files. It also stores the names of the temporary files that this process
// writes now. If a signal ends the program, the handler of the signal removes these files.
#pragma once

#include <optional>
#include <string_view>

namespace softalign::data {

// The programs name their temporary files NAME.tmp-softalign-PID-N. No other program uses such names. Therefore a
// program may remove such a file if the process PID has ended. process_of_leftover returns PID, or nothing for other
// names.
inline constexpr std::string_view temporary_mark = ".tmp-softalign-";
std::optional<int> process_of_leftover(std::string_view name);

// Registers the name of a temporary file, until forget_temporary is called with the same pointer. In the meantime, the
// string at `path` must exist and must not change.
void register_temporary(const char* path);
void forget_temporary(const char* path);

// Removes the files with registered names. A signal handler may call this function.
void remove_temporaries();

// Sets what signals do to a program that writes files:
//   - SIGHUP, SIGINT, SIGPIPE, SIGTERM and SIGXCPU remove the temporary files, and then end the program as usual. A
//     signal that the program ignores stays ignored (nohup). SIGINT (Ctrl-C) also prints which file was not written.
//   - SIGXFSZ is ignored. Therefore a write beyond the limit of `ulimit -f` fails with an error message.
void remove_temporaries_on_signals();

}  // namespace softalign::data
