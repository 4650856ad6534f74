// Exceptions of the engine become exceptions of the package (softalign/errors.py), with the same messages.
#include <filesystem>
#include <new>
#include <string>

#include "apps/python/bindings.h"
#include "autograd/memory.h"
#include "data/io/error.h"
#include "models/training/step.h"

namespace softalign::python {

namespace py = pybind11;

namespace {

const char* name_of(data::ErrorKind kind) {
  switch (kind) {
    case data::ErrorKind::bad_data:
      return "DataError";
    case data::ErrorKind::wrong_usage:
      return "UsageError";
    case data::ErrorKind::missing_file:
      return "MissingFileError";
    case data::ErrorKind::damaged_file:
      return "DamagedFileError";
    case data::ErrorKind::unsupported_format:
      return "UnsupportedFormatError";
    case data::ErrorKind::io_error:
      return "FileAccessError";
    case data::ErrorKind::out_of_memory:
      return "OutOfMemoryError";
  }
  return "Error";
}

// A message may have the bytes of a file that is not UTF-8.
void raise(const char* name, const std::string& message) {
  const py::object type = py::module_::import("softalign.errors").attr(name);
  PyObject* const text = PyUnicode_DecodeUTF8(message.data(), static_cast<py::ssize_t>(message.size()), "replace");
  PyErr_SetObject(type.ptr(), text);
  Py_XDECREF(text);
}

}  // namespace

void add_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const data::Error& error) {
      raise(name_of(error.kind()), error.what());
    } catch (const models::Diverged& error) {
      raise("DivergedError", error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      raise(name_of(data::kind_of(error)), error.what());
    } catch (const std::bad_alloc& error) {
      raise("OutOfMemoryError", autograd::describe_refusal(error));
    }
  });
}

}  // namespace softalign::python
