// This file declares the parts of the Python module `_softalign`. Each function adds the classes and functions of one
// part to the module `m`. The comment after it names the source file of the part.
#pragma once

#include <pybind11/pybind11.h>

namespace softalign::python {

void add_errors(pybind11::module_& m);      // errors.cpp
void add_records(pybind11::module_& m);     // records.cpp
void add_run(pybind11::module_& m);         // run.cpp
void add_alignments(pybind11::module_& m);  // alignments.cpp
void add_training(pybind11::module_& m);    // training.cpp
void add_autograd(pybind11::module_& m);    // variables.cpp

}  // namespace softalign::python
