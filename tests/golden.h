// Golden: one file of tests/golden, PyTorch's inputs, outputs and gradients (see tests/golden/make_golden.py).
#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "tests/catch.h"
#include "tests/compare.h"

namespace golden {

using namespace autograd;

// The files hold ten significant digits; float32 rounds its inputs already.
inline const double tolerance = sizeof(Real) == 8 ? 1e-8 : 1e-5;

inline nlohmann::json parsed(const std::string& name) {
  std::ifstream file(std::string(SOURCE_FOLDER) + "/tests/golden/" + name + ".json");
  REQUIRE(file.good());
  return nlohmann::json::parse(file);
}

// Of a file that holds several cases, their names.
inline std::vector<std::string> cases(const std::string& name) {
  std::vector<std::string> result;
  const nlohmann::json all = parsed(name);
  for (const auto& item : all.items()) result.push_back(item.key());
  return result;
}

class Golden {
 public:
  explicit Golden(const std::string& name) : json_(parsed(name)) {}
  Golden(const std::string& name, const std::string& one) : json_(parsed(name).at(one)) {}

  template <class T>
  T fact(const std::string& name) const {
    return json_.at(name).get<T>();
  }
  bool has(const std::string& name) const { return json_.contains(name); }
  Array array(const std::string& kind, const std::string& name) const { return read(json_.at(kind).at(name)); }

  Array fact_array(const std::string& name) const { return read(json_.at(name)); }

  // An input as a leaf; the same one each time.
  Var operator()(const std::string& name) {
    Var& x = inputs_[name];
    if (!x.defined()) x = variable(array("inputs", name));
    return x;
  }

  // Every parameter takes the values of the input of its name, and is that input from now on.
  void adopt(const Params& params) {
    for (const Parameter& p : params.all()) {
      INFO(p.name);
      const Array values = array("inputs", p.name);
      REQUIRE(p.var.shape() == values.shape());
      std::copy_n(values.data(), values.size(), p.var.mutable_value().data());
      inputs_[p.name] = p.var;
    }
  }

  // Every output, and the gradient by every input, against the file's.
  void check(const std::vector<std::pair<std::string, Var>>& outputs) const {
    REQUIRE(outputs.size() == json_.at("outputs").size());
    REQUIRE(inputs_.size() == json_.at("inputs").size());
    Var loss;
    for (const auto& [name, y] : outputs) {
      INFO("output " << name);
      CHECK(compare::relative_error(y.value(), array("outputs", name)) < tolerance);
      const Var part = sum(y * constant(array("upstream", name)));
      loss = loss.defined() ? loss + part : part;
    }
    backward(loss);
    for (const auto& [name, x] : inputs_) {
      INFO("gradient by " << name);
      CHECK(compare::relative_error(compare::gradient(x), array("gradients", name)) < tolerance);
      x.zero_grad();
    }
  }

 private:
  // Nested lists, equally long: a scalar, or up to three axes.
  static Array read(const nlohmann::json& nested) {
    std::vector<std::size_t> dims;
    for (const nlohmann::json* level = &nested; level->is_array(); level = &level->at(0)) dims.push_back(level->size());
    std::vector<Real> values;
    collect(nested, values);
    return Array(Shape(dims), values);
  }
  static void collect(const nlohmann::json& nested, std::vector<Real>& values) {
    if (!nested.is_array()) return values.push_back(nested.get<Real>());
    for (const auto& part : nested) collect(part, values);
  }

  nlohmann::json json_;
  std::map<std::string, Var> inputs_;
};

}  // namespace golden
