// softalign.train
#include "apps/training/training_call.h"

#include <fmt/format.h>
#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "apps/python/bindings.h"
#include "apps/python/call_options.h"
#include "apps/python/engine_call.h"
#include "apps/training/interrupts.h"

namespace softalign::python {

namespace {

// A Callback calls a Python function after each epoch. An exception of this function, or Ctrl-C, stops the training
// after the current step. The training then saves its state, and the exception continues.
class Callback {
 public:
  explicit Callback(py::object function) : function_(std::move(function)) {}

  void epoch(const apps::EpochReport& report, const apps::TrainingTask& task) {
    if (!call_) return;
    run([&] {
      nlohmann::ordered_json line = nlohmann::ordered_json::parse(report.metrics(task));
      line["best"] = report.best;
      line["seconds"] = report.seconds;
      line["words_per_second"] = report.words_per_second;
      function_(py::module_::import("json").attr("loads")(line.dump()));
    });
  }

  // Returns true if the training must stop.
  bool stopped() {
    EngineLock::let_others();
    run([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
    return problem_ != nullptr;
  }

  void rethrow() const {
    if (problem_) std::rethrow_exception(problem_);
  }

 private:
  void run(const std::function<void()>& work) {
    const py::gil_scoped_acquire gil;
    try {
      work();
    } catch (...) {
      if (!problem_) problem_ = std::current_exception();
    }
  }

  py::object function_;
  bool call_ = !function_.is_none();
  std::exception_ptr problem_;  // holds a Python object, so it is released while Python's lock is held
};

// Trains as the program does. Returns what the program prints on standard output.
std::string train(const py::dict& options, const py::object& function) {
  Callback callback(function);
  std::string printed;
  const auto start = [&](apps::CommandLine& line, const std::function<int()>& body) {
    std::vector<std::string> words;
    {
      const py::gil_scoped_acquire gil;
      words = words_of(options, line);
    }
    return line.call(words, body);
  };
  in_engine([&] {
    const apps::OutputCapture capture([&](apps::Stream stream, const std::string& text) {
      if (stream == apps::Stream::output) printed += text;
      log(stream, text);
    });
    const apps::InterruptSource interrupts([&] { return callback.stopped(); });
    const auto epoch = [&](const auto& report, const auto& task) { callback.epoch(report, task); };
    return apps::train(start, {epoch}, apps::Communicator());
  });
  callback.rethrow();
  return printed;
}

}  // namespace

void add_training(py::module_& m) { m.def("train", train); }

}  // namespace softalign::python
