// The class Found, and drawings of records.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/pages/matrix.h"
#include "apps/python/bindings.h"
#include "apps/python/engine_call.h"
#include "apps/python/found.h"
#include "data/alignment/record_json.h"

namespace softalign::python {

namespace {

py::array_t<float> as_array(const data::Matrix& matrix, std::size_t columns) {
  py::array_t<float> array({matrix.size(), matrix.empty() ? columns : matrix.front().size()});
  float* to = array.mutable_data();
  for (const std::vector<float>& row : matrix) to = std::copy(row.begin(), row.end(), to);
  return array;
}

py::array_t<float> as_array(const std::vector<float>& numbers) {
  return py::array_t<float>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

py::list as_list(const data::Links& links) {
  py::list list;
  for (const data::Link& link : links) list.append(py::make_tuple(link.source, link.target));
  return list;
}

py::list heads_of(const Found& found) {
  py::list list;
  for (const data::Head& head : found.record.weights.heads)
    list.append(py::make_tuple(head.layer, head.head, autograd::name_of(head.kind), as_array(head.matrix, 0)));
  return list;
}

double log_probability(const data::Record& record) {
  return std::accumulate(record.logprob.begin(), record.logprob.end(), 0.0);
}

// Returns a drawing of the records, one below the other.
std::string drawing(const std::vector<Found>& all) {
  return in_engine([&] {
    apps::Sheet sheet;
    for (const Found& found : all) sheet.add(found.record);
    return sheet.svg();
  });
}

// Returns a record of weights that any program computed, for a drawing.
Found record_of(const data::Tokens& source, const data::Tokens& target, const py::array_t<float>& weights,
                const std::optional<std::vector<std::pair<std::size_t, std::size_t>>>& gold) {
  Found found;
  found.record.source = source, found.record.target = target;
  const auto view = weights.unchecked<2>();
  for (py::ssize_t t = 0; t < view.shape(0); ++t) {
    found.record.weights.matrix.emplace_back();
    for (py::ssize_t s = 0; s < view.shape(1); ++s) found.record.weights.matrix.back().push_back(view(t, s));
  }
  if (gold) {
    found.record.gold.emplace();
    for (const auto& [s, t] : *gold) found.record.gold->sure.push_back({s, t});
  }
  return found;
}

}  // namespace

void add_records(py::module_& m) {
  py::class_<Found>(m, "Found")
      .def_property_readonly("text", [](const Found& f) { return f.text; })
      .def_property_readonly("score", [](const Found& f) { return f.score; })
      .def_property_readonly("id", [](const Found& f) { return f.record.id; })
      .def_property_readonly("rank", [](const Found& f) { return f.record.rank; })
      .def_property_readonly("source", [](const Found& f) { return f.record.source; })
      .def_property_readonly("target", [](const Found& f) { return f.record.target; })
      .def_property_readonly("source_kind", [](const Found& f) { return autograd::name_of(f.record.source_kind); })
      .def_property_readonly("question", [](const Found& f) { return f.record.question; })
      .def_property_readonly(
          "unknown_source",
          [](const Found& f) { return f.record.unknown ? f.record.unknown->source : std::vector<std::size_t>{}; })
      .def_property_readonly("tags", [](const Found& f) { return f.record.tags; })
      .def_property_readonly("complete", [](const Found& f) { return f.record.target_eos; })
      .def_property_readonly("mode", [](const Found& f) { return autograd::name_of(f.record.mode); })
      .def_property_readonly("links", [](const Found& f) { return as_list(f.record.links); })
      .def_property_readonly("gold",
                             [](const Found& f) -> py::object {
                               if (!f.record.gold) return py::none();
                               return py::make_tuple(as_list(f.record.gold->sure), as_list(f.record.gold->possible));
                             })
      .def_property_readonly("matrix",
                             [](const Found& f) {
                               return as_array(f.record.weights.matrix, f.record.source.size() + f.record.source_eos);
                             })
      .def_property_readonly("heads", heads_of)
      .def_property_readonly("entropy", [](const Found& f) { return as_array(f.record.entropy); })
      .def_property_readonly("log_probabilities", [](const Found& f) { return as_array(f.record.logprob); })
      .def_property_readonly("log_probability",
                             [](const Found& f) -> std::optional<double> {
                               if (f.record.logprob.empty()) return std::nullopt;
                               return log_probability(f.record);
                             })
      .def("json", [](const Found& f) { return data::to_json(f.record); });
  m.def("record_of", record_of);
  m.def("drawing", drawing);
}

}  // namespace softalign::python
