// A state is what a layer or a decoder passes from one step to the next, for R rows. It is a struct that names its
// parts:
//
//   struct State {
//     Var h, c;  // (R, H)
//     template <class Visit>
//     void each(Visit&& visit) { visit("h", h), visit("c", c); }
//   };
//
// A part is a Var with one row per sentence or hypothesis, another struct of this kind, or a vector of parts. The layer
// decides the other axes. For example, a cache (R, t, A) has A numbers for each of t steps, and grows with t. An
// undefined Var is a missing part.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "autograd/ops/gather.h"
#include "autograd/ops/shape.h"
#include "layers/types.h"

namespace softalign::layers {

// Calls visit(name, Var&) for every defined Var in a state. A name is for example "cell/h", or "cells/0/h" in a vector.
template <class Part, class Visit>
void each_var(const std::string& name, Part& part, const Visit& visit) {
  if constexpr (std::is_same_v<Part, Var>) {
    if (part.defined()) visit(name, part);
  } else if constexpr (requires { part.size(); }) {
    for (std::size_t i = 0; i < part.size(); ++i) each_var(name + "/" + std::to_string(i), part[i], visit);
  } else {
    part.each(
        [&](const std::string& own, auto& inner) { each_var(name.empty() ? own : name + "/" + own, inner, visit); });
  }
}

// Returns a state in which row r is row rows[r] of the given state. The row numbers may repeat.
template <class State>
State select(State state, const Ids& rows) {
  each_var("", state, [&](const std::string&, Var& part) { part = gather(part, rows); });
  return state;
}

}  // namespace softalign::layers
