// The one header that includes xtensor. Ops see an Array as an xtensor expression through flat() and view(); both are
// views of the Array's own memory (7 ns to make), so writing through them writes the Array.
//
// Two habits keep xtensor fast and right: assign through xt::noalias (otherwise it allocates a temporary), and store
// every reduction in a named Array before using it in another expression. With xtensor 0.24.3,
// xt::exp(x - xt::amax(x, {last}, xt::keep_dims)) silently gives wrong numbers at -O1 and above.
#pragma once

#include <xsimd/xsimd.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace softalign::autograd {

// All elements in one row: the fast form for elementwise work on arrays of equal shape.
template <class Array>
auto flat(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(), std::array<std::size_t, 1>{a.size()});
}

// With its own axes, for broadcasting.
template <class Array>
auto view(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(),
                   std::vector<std::size_t>(a.shape().begin(), a.shape().end()));
}

}  // namespace softalign::autograd
