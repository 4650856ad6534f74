#include "tests/golden.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "tests/folders.h"

namespace golden {

namespace {

nlohmann::json parsed(const std::string& name) {
  std::ifstream file(testing::source_folder() + "/tests/golden/" + name + ".json");
  REQUIRE(file.good());
  return nlohmann::json::parse(file);
}

void collect(const nlohmann::json& nested, std::vector<Real>& values) {
  if (!nested.is_array()) return values.push_back(nested.get<Real>());
  for (const auto& part : nested) collect(part, values);
}

// Reads nested lists of equal lengths: a scalar, or an array of up to three axes.
Array read(const nlohmann::json& nested) {
  std::vector<std::size_t> dims;
  for (const nlohmann::json* level = &nested; level->is_array(); level = &level->at(0)) dims.push_back(level->size());
  std::vector<Real> values;
  collect(nested, values);
  return Array(Shape(dims), values);
}

}  // namespace

struct Golden::File {
  nlohmann::json json;
};

std::vector<std::string> cases(const std::string& name) {
  std::vector<std::string> result;
  const nlohmann::json all = parsed(name);
  for (const auto& item : all.items()) result.push_back(item.key());
  return result;
}

Golden::Golden(const std::string& name) : file_(new File{parsed(name)}) {}
Golden::Golden(const std::string& name, const std::string& one) : file_(new File{parsed(name).at(one)}) {}

template <class T>
T Golden::fact(const std::string& name) const {
  return file_->json.at(name).get<T>();
}
template bool Golden::fact(const std::string&) const;
template Real Golden::fact(const std::string&) const;
template std::size_t Golden::fact(const std::string&) const;
template std::string Golden::fact(const std::string&) const;
template std::vector<std::size_t> Golden::fact(const std::string&) const;
template Ids Golden::fact(const std::string&) const;
template std::vector<Ids> Golden::fact(const std::string&) const;
template nlohmann::json Golden::fact(const std::string&) const;

bool Golden::has(const std::string& name) const { return file_->json.contains(name); }
Array Golden::array(const std::string& kind, const std::string& name) const {
  return read(file_->json.at(kind).at(name));
}
Array Golden::fact_array(const std::string& name) const { return read(file_->json.at(name)); }

Var Golden::operator()(const std::string& name) {
  Var& x = inputs_[name];
  if (!x.defined()) x = variable(array("inputs", name));
  return x;
}

void Golden::adopt(const Params& params) {
  for (const Parameter& p : params.all()) {
    INFO(p.name);
    const Array values = array("inputs", p.name);
    REQUIRE(p.var.shape() == values.shape());
    std::copy_n(values.data(), values.size(), p.var.mutable_value().data());
    inputs_[p.name] = p.var;
  }
}

void Golden::check(const std::vector<std::pair<std::string, Var>>& outputs) const {
  REQUIRE(outputs.size() == file_->json.at("outputs").size());
  REQUIRE(inputs_.size() == file_->json.at("inputs").size());
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

}  // namespace golden
