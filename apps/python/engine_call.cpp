#include "apps/python/engine_call.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "apps/terminal/address_space.h"
#include "autograd/kernels.h"
#include "autograd/threads/blas.h"

namespace softalign::python {

namespace {

std::recursive_mutex engine;
std::atomic<int> waiting = 0;

unsigned control_register() {
#if defined(__x86_64__)
  return _mm_getcsr();
#else
  return 0;
#endif
}

}  // namespace

EngineLock::EngineLock() {
  ++waiting;
  engine.lock();
  --waiting;
}
EngineLock::~EngineLock() { engine.unlock(); }

void EngineLock::let_others() {
  if (waiting == 0) return;
  engine.unlock();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a mutex is not fair
  engine.lock();
}

EngineState::EngineState() : control_(control_register()), threads_(autograd::threads()) {
  // The threads of OpenMP keep this setting, and new ones inherit it. A parallel loop in every call would be slower.
  thread_local bool workers_flush = false;
  if (!std::exchange(workers_flush, true)) autograd::flush_denormals();
#if defined(__x86_64__)
  constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  _mm_setcsr(control_ | flush_to_zero | denormals_are_zero);
#endif
}

EngineState::~EngineState() {
  if (autograd::threads() != threads_) autograd::set_threads(threads_);
  autograd::set_int8(false);
#if defined(__x86_64__)
  _mm_setcsr(control_);
#endif
}

void log(apps::Stream stream, const std::string& text) {
  if (text.empty()) return;
  const py::gil_scoped_acquire gil;
  try {
    const py::bytes bytes(text);
    py::module_::import("softalign._messages").attr("receive")(stream == apps::Stream::error, bytes);
  } catch (py::error_already_set& error) {
    if (error.matches(PyExc_KeyboardInterrupt)) PyErr_SetInterrupt();  // Ctrl-C arrived here; the caller handles it
    else error.discard_as_unraisable("softalign: logging");
  }
}

void check_signals() {
  const py::gil_scoped_acquire gil;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace softalign::python

// A program checks its address space before any library starts. A library cannot do this, so the linker takes this
// function instead of the one in apps/terminal/address_space.cpp.
void softalign::apps::check_address_space_first() {}
