// The one header that includes xtensor. Ops see an Array as an xtensor expression through flat() and view(); both are
// views of the Array's own memory (7 ns to make), so writing through them writes the Array.
//
// Elementwise operations, broadcasting and sums are xtensor expressions. Some primitives are loops because xtensor
// 0.24.3 is slower there; the comment at each loop has a figure.
//
// Three habits keep xtensor fast and right. Assign through xt::noalias; otherwise it allocates a temporary. Store every
// reduction in a named Array before using it in another expression: xt::exp(x - xt::amax(x, {last}, xt::keep_dims))
// silently gives wrong numbers at -O1 and above. Sum immediately, over axes known when compiled (with_axes): a lazy sum
// is 12 times slower, and an immediate one over a view of any rank reads outside of it.
#pragma once

#include <xsimd/xsimd.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xreducer.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace softalign::autograd {

// All elements in one row: the fast form for elementwise work on arrays of equal shape.
template <class Array>
auto flat(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(), std::array<std::size_t, 1>{a.size()});
}

// `size` elements from `first` on.
template <class Array>
auto part(Array& a, std::size_t first, std::size_t size) {
  return xt::adapt(a.data() + first, size, xt::no_ownership(), std::array<std::size_t, 1>{size});
}

// With these axes, whose product is its size.
template <class Array, class... Axes>
auto with_axes(Array& a, Axes... axes) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(), std::array<std::size_t, sizeof...(axes)>{axes...});
}

// With its own axes, for broadcasting.
template <class Array>
auto view(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(),
                   std::vector<std::size_t>(a.shape().begin(), a.shape().end()));
}

}  // namespace softalign::autograd
