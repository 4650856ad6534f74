// Golden reads one file of tests/golden: inputs, outputs and gradients of PyTorch (see tests/golden/make_golden.py).
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace golden {

using namespace autograd;

// The files have ten significant digits, but float32 rounds even the inputs.
inline const double tolerance = sizeof(Real) == 8 ? 1e-8 : 1e-5;

// The names of the cases in a file that has several.
std::vector<std::string> cases(const std::string& name);

class Golden {
 public:
  explicit Golden(const std::string& name);
  Golden(const std::string& name, const std::string& one);

  template <class T>
  T fact(const std::string& name) const;  // for the types that golden.cpp instantiates
  bool has(const std::string& name) const;
  Array array(const std::string& kind, const std::string& name) const;
  Array fact_array(const std::string& name) const;

  // An input as a leaf. Every call with the same name returns the same leaf.
  Var operator()(const std::string& name);
  // Every parameter takes the values of the input with its name, and replaces this input from now on.
  void adopt(const Params& params);
  // Compares every output, and the gradient of every input, with the file.
  void check(const std::vector<std::pair<std::string, Var>>& outputs) const;

 private:
  struct File;
  std::shared_ptr<const File> file_;
  std::map<std::string, Var> inputs_;
};

}  // namespace golden
