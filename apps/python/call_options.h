// This file turns the keyword arguments of a Python call into the words of a command line, so that Python and the
// programs have the same options, defaults, checks and messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "apps/cli/command_line.h"

namespace softalign::python {

namespace py = pybind11;

// Returns {"--beam=5", "--no-lowercase"} for {"beam": 5, "lowercase": False}. In Python, the name of an option has
// underscores instead of hyphens. It may also end with an underscore (`from_`), because `from` is a keyword. For a
// list, the result has the option once per element. For None, the result does not have the option. Throws a Python
// TypeError for a value that is not a text, number, bool, path or list of them.
std::vector<std::string> words_of(const py::dict& options, const apps::CommandLine& line);

}  // namespace softalign::python
