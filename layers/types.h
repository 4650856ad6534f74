// This file imports the names of softalign::autograd that every layer uses, for example Var. docs/notation.md explains
// B, S, T, R and the other sizes.
#pragma once

#include <vector>

#include "autograd/params.h"
#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::layers {

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Initialiser;
using autograd::Params;
using autograd::Random;
using autograd::Real;
using autograd::Shape;
using autograd::Var;

}  // namespace softalign::layers
