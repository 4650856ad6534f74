// Params is the registry of a model's named parameters. One call declares a parameter with its name, its shape and its
// initial value:
//
//   Params p(random);
//   Var W = (p / "encoder" / "forward").declare("W", {E, 4 * H}, glorot);   // its name is "encoder/forward/W"
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::autograd {

// An Initialiser fills a new parameter with its initial value. It receives a random stream of its own, which depends on
// the seed of the model and on the parameter's name.
using Initialiser = std::function<void(Array&, Random&)>;

struct Parameter {
  std::string name;
  Var var;
};

class Params {
 public:
  explicit Params(const Random& random);
  // Returns a registry whose parameters have names and shapes but no numbers. It describes a model before memory is
  // allocated.
  static Params without_numbers();

  Params operator/(const std::string& scope) const;  // the same registry under a longer prefix

  // Throws std::invalid_argument if the name is taken.
  Var declare(const std::string& name, const Shape& shape, const Initialiser& initialise) const;

  const std::vector<Parameter>& all() const;  // in the order of declaration
  std::size_t count() const;                  // how many numbers the parameters have
  void zero_grad() const;

 private:
  struct Registry {
    Random random;
    std::vector<Parameter> parameters;
    bool have_numbers = true;
  };
  std::shared_ptr<Registry> registry_;
  std::string prefix_;
};

}  // namespace softalign::autograd
