#include "apps/python/call_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/common_options.h"

namespace softalign::python {

namespace {

std::string option_of(std::string name) {
  if (name.size() > 1 && name.back() == '_') name.pop_back();
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// Returns the value as text. Throws a Python TypeError if it has another type than an option can have.
std::string text_of(const std::string& name, py::handle value) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::int_>(value) || py::isinstance<py::float_>(value)) return py::repr(value).cast<std::string>();
  if (py::hasattr(value, "__fspath__")) {
    const py::object path = py::module_::import("os").attr("fspath")(value);
    return py::module_::import("os").attr("fsdecode")(path).cast<std::string>();
  }
  if (py::hasattr(value, "item") && py::hasattr(value, "dtype")) return text_of(name, value.attr("item")());
  throw py::type_error(fmt::format("{}: a text, a number, True, False, a path or a list of them is expected, not {}",
                                   name, py::str(py::type::of(value).attr("__name__")).cast<std::string>()));
}

}  // namespace

std::vector<std::string> words_of(const py::dict& options, const apps::CommandLine& line) {
  std::vector<std::string> words;
  for (const auto& [key, value] : options) {
    if (value.is_none()) continue;
    const std::string name = key.cast<std::string>(), spelled = "--" + option_of(name);
    if (PyBool_Check(value.ptr())) {
      if (value.ptr() == Py_True) words.push_back(spelled);
      else if (const std::string no = "--no-" + spelled.substr(2); line.has(no)) words.push_back(no);
      else if (!line.has(spelled)) words.push_back(spelled);  // the parser then says that there is no such option
      continue;
    }
    if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
      for (const py::handle one : value) words.push_back(spelled + "=" + text_of(name, one));
      continue;
    }
    words.push_back(spelled + "=" + text_of(name, value));
  }
  return words;
}

}  // namespace softalign::python
