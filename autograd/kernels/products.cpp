#include "autograd/kernels/products.h"

#include <algorithm>
#include <span>

#include "autograd/kernels.h"
#include "autograd/kernels/gemm.h"
#include "autograd/kernels/int8_weights.h"
#include "autograd/kernels/internal/packed_gemm.h"
#include "autograd/kernels/internal/shared_weights.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {

bool by_integers() { return int8() && !recording(); }

Factor factor_of(const Var& W, const MatrixView& b, std::size_t rows) {
  const Node& node = *W.node();
  if (!node.needs_grad || !is_leaf(node)) return {b, {}};
  const std::uint64_t version = 2 * node.version + recording();
  if (by_integers() && (b.transposed ? b.columns : b.rows) <= Int8Weights::most_terms)
    return packed_weights().integers_of(node.value, version, b);
  if (const auto shared = shared_factor(W, b, rows)) return *shared;
  // A training step multiplies by most weights several times, so it packs a weight at once. In a decoder, a product of
  // few rows reads W unpacked, because the threads share this product. With one thread, packing must pay within the
  // products of a sentence, so it waits for 64 rows. It waits only if both ways give the same rounding, because results
  // must not depend on what the process has computed before.
  const bool few = rows <= few_rows && !recording();
  if (few && threads() > 1 && !in_parallel()) return {b, {}};
  const std::size_t pack_after = few && better_unpacked(b, rows) ? 64 : 0;
  return packed_weights().of(node.value, version, b, rows, pack_after);
}

void multiply(const Var& x, const Var& W, Array& y, Into into) {
  const MatrixView rows = matrix(x.value());
  gemm(rows, factor_of(W, matrix(W.value()), rows.rows), y, into);
}

void add_product_gradients(const Var& x, const Var& W, const Array& dy) {
  if (x.needs_grad()) {
    const MatrixView rows = matrix(dy);
    const auto [dx, fresh] = x.grad_slot();
    gemm(rows, factor_of(W, t(matrix(W.value())), rows.rows), dx, fresh ? Into::overwrite : Into::add);
  }
  add_product_grad(W, x.value(), dy);
}

namespace {

// as_rows reshapes (.., K) to (N, K).
Array as_rows(const Array& x) { return x.reshaped({matrix(x).rows, matrix(x).columns}); }

constexpr std::size_t most_joined = std::size_t{1} << 22;  // numbers copied for one product; more would gain nothing

// joined_rows returns the given columns of all slabs, one slab below the other.
Array joined_rows(std::span<const Array> slabs, Columns columns) {
  const std::size_t width = columns.end - columns.begin;
  std::vector<std::size_t> first_row(slabs.size() + 1);
  for (std::size_t s = 0; s < slabs.size(); ++s) first_row[s + 1] = first_row[s] + slabs[s].dim(0);
  Array joined({first_row.back(), width});
  constexpr std::size_t worth_threads = std::size_t{1} << 18;
  parallel_for(0, slabs.size(), joined.size() >= worth_threads, [&](std::size_t s) {
    for (std::size_t i = 0; i < slabs[s].dim(0); ++i)
      std::copy_n(slabs[s].data() + i * slabs[s].dim(1) + columns.begin, width,
                  joined.data() + (first_row[s] + i) * width);
  });
  return joined;
}

}  // namespace

void WeightProducts::add(const Array& x, const Array& dy, Columns columns) {
  const auto same = [&](const Group& g) { return g.columns.begin == columns.begin && g.columns.end == columns.end; };
  auto group = std::find_if(groups_.begin(), groups_.end(), same);
  if (group == groups_.end()) group = groups_.insert(group, {columns, {}, {}});
  group->xs.push_back(as_rows(x));
  group->dys.push_back(as_rows(dy));
}

void WeightProducts::make_room() const { packed_weights().forget(W_); }

void WeightProducts::add_into(Slot slot) const {
  const auto [dW, fresh] = slot;
  const std::size_t K = dW.dim(0), N = dW.dim(1);
  const bool whole = groups_.size() == 1 && groups_.front().columns.begin == 0 && groups_.front().columns.end == N;
  if (fresh && !whole) dW.fill(0);
  for (const auto& [columns, xs, dys] : groups_) {
    const auto [begin, end] = columns;
    std::size_t rows = 0;
    for (std::size_t first = 0, s = 0; s < xs.size(); ++s) {
      rows += xs[s].dim(0);
      if (s + 1 < xs.size() && (rows + xs[s + 1].dim(0)) * std::max(K, end - begin) <= most_joined) continue;
      const std::size_t count = s + 1 - first;
      const Array x = count == 1 ? xs[s] : joined_rows(std::span(xs).subspan(first, count), {0, K}),
                  dy = count == 1 ? dys[s] : joined_rows(std::span(dys).subspan(first, count), columns);
      const MatrixView right = count == 1 ? autograd::columns(matrix(dy), begin, end) : matrix(dy);
      gemm(t(matrix(x)), right, dW.data() + begin, N, fresh && whole && first == 0 ? Into::overwrite : Into::add);
      first = s + 1;
      rows = 0;
    }
  }
}

void add_product_grad(const Var& W, const Array& x, const Array& dy, std::size_t begin, std::size_t end) {
  if (!W.needs_grad()) return;
  if (!is_leaf(*W.node())) {
    WeightProducts product(W.value());
    product.add(x, dy, {begin, end});
    return product.add_into(W.grad_slot());
  }
  own_gradient(*W.node()).deferred<WeightProducts>(W.value()).add(x, dy, {begin, end});
}

const Products kernel_products{
    .gemm = [](const MatrixView& a, const MatrixView& b, Real* c, std::size_t c_stride,
               Into into) { gemm(a, b, c, c_stride, into); },
    .gemm_by_weight = [](const MatrixView& a, const Var& W, const MatrixView& b, Array& c,
                         Into into) { gemm(a, factor_of(W, b, a.rows), c, into); },
    .add_weight_gradient = [](const Var& W, const Array& x, const Array& dy) { add_product_grad(W, x, dy); },
};

}  // namespace softalign::autograd
