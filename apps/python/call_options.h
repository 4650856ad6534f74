// This file turns the keyword arguments of a Python call into the words of a command line, so that Python and the
// programs have the same options, defaults, checks and messages.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "apps/cli/command_line.h"

namespace softalign::python {

namespace py = pybind11;

// Returns {"--beam=5", "--no-lowercase"} for {"beam": 5, "lowercase": False}. A name has underscores instead of
// hyphens, and may end with one (`from_`). A list gives its option once per element, and None leaves the option out.
// Throws a Python TypeError for a value that is not a text, number, bool, path or list of them.
std::vector<std::string> words_of(const py::dict& options, const apps::CommandLine& line);

}  // namespace softalign::python
