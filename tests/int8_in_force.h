// Switches on int8 quantisation in a test or a benchmark.
#pragma once

#include "autograd/kernels.h"

// While an object lives, products with weights use 8-bit integers.
struct Int8InForce {
  Int8InForce() { softalign::autograd::set_int8(true); }
  ~Int8InForce() { softalign::autograd::set_int8(false); }
  Int8InForce(const Int8InForce&) = delete;
  Int8InForce& operator=(const Int8InForce&) = delete;
};
