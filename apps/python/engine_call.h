// Every call from Python into the engine goes through the functions of this file.
//
// A call releases Python's global lock (GIL), so that other Python threads run. Only one thread at a time computes in
// the engine, because a computation already uses all cores. Text that the programs print goes to Python's logging.
#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <mutex>
#include <optional>

#include "apps/terminal/output.h"

namespace softalign::python {

namespace py = pybind11;

// EngineLock lets one thread at a time into the engine. A thread may take it again, for example in a callback.
class EngineLock {
 public:
  EngineLock();
  ~EngineLock();
  EngineLock(const EngineLock&) = delete;
  EngineLock& operator=(const EngineLock&) = delete;

  // If other threads wait for the engine, lets one of them use it. A training calls this function between steps.
  static void let_others();
};

// A call into the engine may change settings of the process: the treatment of tiny numbers (denormals) by this thread,
// the number of threads, and int8 quantisation. EngineState restores these settings when it is destroyed, at the end of
// the call.
class EngineState {
 public:
  EngineState();
  ~EngineState();
  EngineState(const EngineState&) = delete;
  EngineState& operator=(const EngineState&) = delete;

 private:
  unsigned control_;
  int threads_;
};

// Sends text of a program to the logger "softalign". The caller need not hold the GIL.
void log(apps::Stream stream, const std::string& text);

// Calls work() in the engine, without the GIL. `work` must not touch Python objects.
template <class Work>
auto in_engine(const Work& work) {
  const py::gil_scoped_release without_gil;
  const EngineLock lock;
  const EngineState state;
  const apps::OutputCapture capture(log);
  return work();
}

// Throws a Python exception if a signal handler has raised one, for example KeyboardInterrupt after Ctrl-C. The caller
// need not hold the GIL.
void check_signals();

}  // namespace softalign::python
