// Golden: one file of tests/golden, PyTorch's inputs, outputs and gradients (see tests/golden/make_golden.py).
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

// The files hold ten significant digits; float32 rounds its inputs already.
inline const double tolerance = sizeof(Real) == 8 ? 1e-8 : 1e-5;

// Of a file that holds several cases, their names.
std::vector<std::string> cases(const std::string& name);

class Golden {
 public:
  explicit Golden(const std::string& name);
  Golden(const std::string& name, const std::string& one);

  template <class T>
  T fact(const std::string& name) const;  // for the types that golden.cpp names
  bool has(const std::string& name) const;
  Array array(const std::string& kind, const std::string& name) const;
  Array fact_array(const std::string& name) const;

  // An input as a leaf; the same one each time.
  Var operator()(const std::string& name);
  // Every parameter takes the values of the input of its name, and is that input from now on.
  void adopt(const Params& params);
  // Every output, and the gradient by every input, against the file's.
  void check(const std::vector<std::pair<std::string, Var>>& outputs) const;

 private:
  struct File;
  std::shared_ptr<const File> file_;
  std::map<std::string, Var> inputs_;
};

}  // namespace golden
