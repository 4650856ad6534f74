#include "autograd/weight_products.h"

#include <algorithm>
#include <span>

#include "autograd/linalg/packed_weights.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd {
namespace {

// (.., K) -> (N, K)
Array as_rows(const Array& x) { return x.reshaped({matrix(x).rows, matrix(x).columns}); }

constexpr std::size_t most_joined = std::size_t{1} << 22;  // numbers copied for one product: far more gains nothing

// These columns of all slabs, one below the other.
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
      const Matrix right = count == 1 ? autograd::columns(matrix(dy), begin, end) : matrix(dy);
      gemm(t(matrix(x)), right, dW.data() + begin, N, fresh && whole && first == 0 ? Into::overwrite : Into::add);
      first = s + 1;
      rows = 0;
    }
  }
}

}  // namespace softalign::autograd
