#include "autograd/kernels/gemm.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <stdexcept>

#include "autograd/hooks.h"
#include "autograd/kernels/int8_weights.h"
#include "autograd/kernels/internal/packed_gemm.h"
#include "autograd/kernels/pool.h"
#include "autograd/threads/blas.h"

#ifndef SOFTALIGN_WITHOUT_BLAS
// This file calls cxxblas, which is part of xtensor-blas. xlinalg does not suit, because it always allocates its result
// and cannot add to an existing matrix.
#define HAVE_CBLAS
#include "xflens/cxxblas/cxxblas.cxx"
#endif

namespace softalign::autograd {

// Every program that uses these products also uses the pool for its arrays. This reference makes linkers keep pool.cpp.
[[maybe_unused]] const bool arrays_use_the_pool = use_pool();

MatrixView columns(const MatrixView& a, std::size_t begin, std::size_t end) {
  return {a.data + begin, a.rows, end - begin, a.stride, a.transposed};
}

MatrixView rows(const MatrixView& a, std::size_t begin, std::size_t end) {
  return {a.data + begin * a.stride, end - begin, a.columns, a.stride, a.transposed};
}

namespace {

// sizes_into returns the sizes of the product a b. It throws std::invalid_argument unless the product has the size of
// c.
ProductSizes sizes_into(const MatrixView& a, const MatrixView& b, const Array& c) {
  const auto [m, n, k] = product_sizes(a, b);
  const MatrixView out = matrix(c);
  if (out.rows != m || out.columns != n)
    throw std::invalid_argument(fmt::format("gemm: the product is ({}, {}), its place {}", m, n, to_string(c.shape())));
  return {m, n, k};
}

// walks_along_rows is true if a has one row and b is so large that it comes from main memory. A smaller b is multiplied
// faster column by column, with sums in registers.
bool walks_along_rows(const MatrixView& b, const ProductSizes& z) {
  constexpr std::size_t least_b = std::size_t{1} << 18;
  return !b.transposed && z.m == 1 && z.n * z.k >= least_b;
}

// pays_at_once is true if packing b for this one product takes less time than BLAS loses on small products.
bool pays_at_once(const ProductSizes& z) {
  constexpr std::size_t least_rows = 32, largest_b = std::size_t{1} << 18;
  return z.m >= least_rows && z.n * z.k <= largest_b;
}

// threads_share is true if the threads share a large product without BLAS. OpenBLAS is as fast on one and two cores,
// but slower on 16 cores. The user's number of threads decides, and not the number of cores, so that all machines
// compute the same results.
bool threads_share(const ProductSizes& z) {
  constexpr int least_threads = 4;
  constexpr double worth = 1 << 20;  // multiplications
  return threads() >= least_threads && !in_parallel() && z.m > 1 &&
         static_cast<double>(z.m) * static_cast<double>(z.n * z.k) >= worth;
}

#ifdef SOFTALIGN_WITHOUT_BLAS
void blas_gemm(const MatrixView& a, const MatrixView& b, const ProductSizes&, Real* c, std::size_t c_stride,
               Into into) {
  multiply_in_parts(a, b, c, c_stride, into);
}
#else
void blas_gemm(const MatrixView& a, const MatrixView& b, const ProductSizes& z, Real* c, std::size_t c_stride,
               Into into) {
  const Real beta = into == Into::add ? Real(1) : Real(0);
  const auto form = [](bool transposed) { return transposed ? cxxblas::Trans : cxxblas::NoTrans; };
  const int a_stride = static_cast<int>(a.stride), b_stride = static_cast<int>(b.stride);
  if (z.m == 1 && (a.transposed ? a.stride == 1 : true)) {  // y = x B: GEMV reads B once, but GEMM would copy B first
    cxxblas::gemv<int>(cxxblas::RowMajor, form(!b.transposed), static_cast<int>(b.rows), static_cast<int>(b.columns),
                       Real(1), b.data, b_stride, a.data, 1, beta, c, 1);
    return;
  }
  cxxblas::gemm<int>(cxxblas::RowMajor, form(a.transposed), form(b.transposed), static_cast<int>(z.m),
                     static_cast<int>(z.n), static_cast<int>(z.k), Real(1), a.data, a_stride, b.data, b_stride, beta, c,
                     static_cast<int>(c_stride));
}
#endif

// multiply computes c (+)= a b in the fastest way. `panels` is the packed b, or undefined.
void multiply(const MatrixView& a, const MatrixView& b, const Array& panels, const ProductSizes& z, Real* c,
              std::size_t c_stride, Into into) {
  const Span span("gemm", 2.0 * static_cast<double>(z.m) * static_cast<double>(z.n * z.k));
  if (z.m == 0 || z.n == 0) return;
  if (z.k == 0) {
    for (std::size_t i = 0; i < z.m && into == Into::overwrite; ++i) std::fill_n(c + i * c_stride, z.n, Real(0));
  } else if (panels.defined() && z.m > 1) {
    multiply_panels(a, panels, z.n, c, c_stride, into);
  } else if (walks_along_rows(b, z)) {
    multiply_one_row(a, b, c, into);
  } else if (better_unpacked(b, z.m)) {
    multiply_few_rows(a, b, c, c_stride, into);
  } else if (pays_at_once(z)) {
    multiply_panels(a, pack_panels(b), z.n, c, c_stride, into);
  } else if (threads_share(z)) {
    multiply_large(a, b, c, c_stride, into);
  } else {
    blas_gemm(a, b, z, c, c_stride, into);
  }
}

}  // namespace

void gemm(const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride, Into into) {
  multiply(a, b, {}, product_sizes(a, b), c, c_stride, into);
}

void gemm(const MatrixView& a, const MatrixView& b, Array& c, Into into) {
  multiply(a, b, {}, sizes_into(a, b, c), c.data(), matrix(c).stride, into);
}

Factor factor(const MatrixView& b, std::size_t rows) {
  const Span span("panels");
  const bool pays = rows > 1 && b.rows > 0 && b.columns > 0;
  return {b, pays ? pack_panels(b) : Array()};
}

void gemm(const MatrixView& a, const Factor& b, Real* c, std::size_t c_stride, Into into) {
  if (b.integers) b.integers->multiply(a, c, c_stride, into);
  else multiply(a, b.b, b.panels, product_sizes(a, b.b), c, c_stride, into);
}

void gemm(const Pieces& a, const Factor& b, Real* c, std::size_t c_stride, Into into) {
  const std::size_t k = a.count * a.width;
  const ProductSizes z = product_sizes({nullptr, a.rows, k, k}, b.b);
  if (z.n * z.k > 0 && !b.panels.defined())
    throw std::invalid_argument("gemm: rows in pieces are multiplied by factors that are laid out");
  const Span span("gemm", 2.0 * static_cast<double>(z.m) * static_cast<double>(z.n * z.k));
  multiply_panels(a, b.panels, z.n, c, c_stride, into);
}

void gemm(const MatrixView& a, const Factor& b, Array& c, Into into) {
  sizes_into(a, b.b, c);
  gemm(a, b, c.data(), matrix(c).stride, into);
}

namespace {

bool same(const std::weak_ptr<const void>& a, const std::weak_ptr<const void>& b) {
  return !a.owner_before(b) && !b.owner_before(a);
}

}  // namespace

void PackedWeights::forget(const Array& weights) {
  if (weights.size() <= large_weights) return;
  std::erase_if(known_, [memory = weights.memory()](const Known& k) { return same(k.memory, memory); });
}

void PackedWeights::forget_large() {
  std::erase_if(known_, [](const Known& k) { return k.numbers > large_weights; });
}

PackedWeights::Known& PackedWeights::find(const Array& weights, std::uint64_t version, const MatrixView& b) {
  const std::weak_ptr<const void> memory = weights.memory();
  std::erase_if(known_, [](const Known& k) { return k.memory.expired(); });
  Known* found = nullptr;
  for (Known& k : known_) {
    if (!same(k.memory, memory)) continue;
    const MatrixView& other = k.factor.b;
    if (other == b) found = &k;
    else if (other.transposed != b.transposed && weights.size() > large_weights) k.factor.panels = {};
  }
  if (!found) found = &known_.emplace_back(Known{memory, version, weights.size(), {b, {}}});
  if (found->version != version) *found = {memory, version, weights.size(), {b, {}}};
  return *found;
}

Factor PackedWeights::of(const Array& weights, std::uint64_t version, const MatrixView& b, std::size_t rows,
                         std::size_t pack_after) {
  if (rows < 2 || rows > most_packed_rows) return {b, {}};
  Known& known = find(weights, version, b);
  if (!known.factor.panels.defined() && known.rows >= pack_after) known.factor = factor(b, rows);
  known.rows += rows;
  return known.factor;
}

Factor PackedWeights::integers_of(const Array& weights, std::uint64_t version, const MatrixView& b) {
  Factor& factor = find(weights, version, b).factor;
  if (!factor.integers) factor.integers = std::make_shared<const Int8Weights>(b);
  return factor;
}

PackedWeights& packed_weights() {
  thread_local PackedWeights own;
  return own;
}

}  // namespace softalign::autograd
