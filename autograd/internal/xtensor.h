// Only this header includes the library xtensor. Ops use an Array as an xtensor expression through flat() and view().
// Such an expression is a view of the Array's memory, so writing to it changes the Array. Making a view takes 7 ns.
//
// Elementwise operations, broadcasting and sums are xtensor expressions. Some simple ops are loops, because xtensor
// 0.24.3 is slower there; the comment at each loop gives the measured times.
//
// Four rules keep code with xtensor fast and correct. Assign through xt::noalias, or xtensor allocates a temporary
// array. Store each sum or maximum in a named Array before you use it in an expression: xt::exp(x - xt::amax(x, {last},
// xt::keep_dims)) gives wrong numbers at -O1 and above. Compute sums immediately, because lazy sums are 12 times
// slower. For a sum, use with_axes, so that the compiler knows the number of axes: an immediate sum over a view() reads
// outside the array.
#pragma once

#include <xsimd/xsimd.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xreducer.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

namespace softalign::autograd {

// flat returns all elements as one row. This is the fastest form for elementwise ops on arrays of equal shape.
template <class Array>
auto flat(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(), std::array<std::size_t, 1>{a.size()});
}

// part returns `size` elements, beginning with element number `first`.
template <class Array>
auto part(Array& a, std::size_t first, std::size_t size) {
  return xt::adapt(a.data() + first, size, xt::no_ownership(), std::array<std::size_t, 1>{size});
}

// with_axes(a, 2, 3) returns the array as an expression of 2 rows and 3 columns. The product of the given sizes must be
// the number of elements.
template <class Array, class... Axes>
auto with_axes(Array& a, Axes... axes) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(), std::array<std::size_t, sizeof...(axes)>{axes...});
}

// view returns the array as an expression with the array's own axes, which broadcasting needs.
template <class Array>
auto view(Array& a) {
  return xt::adapt(a.data(), a.size(), xt::no_ownership(),
                   std::vector<std::size_t>(a.shape().begin(), a.shape().end()));
}

}  // namespace softalign::autograd
