// State: what a decoder carries from step to step, seen from outside: rows that can be chosen.
#pragma once

#include <any>
#include <functional>
#include <string>
#include <utility>

#include "layers/state.h"
#include "models/parts.h"

namespace softalign::models {

using autograd::Id;
using autograd::Ids;
using autograd::Var;

// R rows, one per hypothesis. Search reorders them and never asks what they mean.
class State {
 public:
  using Visit = std::function<void(const std::string& name, Var& part)>;

  State() = default;
  // `parts`: a struct of the decoder's own that names its Vars, as in layers/state.h.
  template <class Parts>
  State(Parts parts, Ids sentences)
      : sentence(std::move(sentences)),
        parts_(std::move(parts)),
        each_([](std::any& all, const Visit& visit) { layers::each_var("", std::any_cast<Parts&>(all), visit); }) {}

  Ids sentence;  // (R) the entry of the memory that each row looks at

  template <class Parts>
  const Parts& as() const {
    return own<Parts>(parts_);
  }
  void each(const Visit& visit) {
    if (each_) each_(parts_, visit);
  }

 private:
  std::any parts_;
  void (*each_)(std::any&, const Visit&) = nullptr;
};

// Row r is row rows[r] of `state`; rows may repeat.
State select(State state, const Ids& rows);

}  // namespace softalign::models
