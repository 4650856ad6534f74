// int8 quantisation for a test or a benchmark.
#pragma once

#include "autograd/kernels.h"

// While one lives, products with weights are made by 8-bit integers.
struct Int8InForce {
  Int8InForce() { softalign::autograd::set_int8(true); }
  ~Int8InForce() { softalign::autograd::set_int8(false); }
  Int8InForce(const Int8InForce&) = delete;
  Int8InForce& operator=(const Int8InForce&) = delete;
};
