#include "autograd/ops/deferred.h"

#include <algorithm>

#include "autograd/internal/node.h"
#include "autograd/linalg/gemm.h"
#include "autograd/linalg/internal/packed_gemm.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// (.., K) -> (N, K)
Array as_rows(const Array& x) { return x.reshaped({matrix(x).rows, matrix(x).columns}); }

// Columns [begin, end) of all slabs, one below the other.
Array joined_rows(const std::vector<Array>& slabs, std::size_t begin, std::size_t end) {
  if (slabs.size() == 1 && end - begin == slabs.front().dim(1)) return slabs.front();
  std::size_t rows = 0;
  for (const Array& slab : slabs) rows += slab.dim(0);
  Array joined({rows, end - begin});
  std::vector<std::size_t> first_row(slabs.size());
  for (std::size_t s = 1; s < slabs.size(); ++s) first_row[s] = first_row[s - 1] + slabs[s - 1].dim(0);
  constexpr std::size_t worth_threads = std::size_t{1} << 18;
#pragma omp parallel for schedule(static) if (joined.size() >= worth_threads)
  for (std::size_t s = 0; s < slabs.size(); ++s)
    for (std::size_t i = 0; i < slabs[s].dim(0); ++i)
      std::copy_n(slabs[s].data() + i * slabs[s].dim(1) + begin, end - begin,
                  joined.data() + (first_row[s] + i) * (end - begin));
  return joined;
}

}  // namespace

void DeferredProducts::add(const Array& x, const Array& dy) { add(x, dy, 0, dy.shape().back()); }

void DeferredProducts::add(const Array& x, const Array& dy, std::size_t begin, std::size_t end) {
  Group& group = groups_[{begin, end}];
  group.xs.push_back(as_rows(x));
  group.dys.push_back(as_rows(dy));
}

void DeferredProducts::multiply_into(const Var& W) {
  for (const auto& [columns, group] : groups_) {
    const auto [begin, end] = columns;
    const Array x = joined_rows(group.xs, 0, W.dim(0)), dy = joined_rows(group.dys, begin, end);
    Var::GradSlot dW = W.grad_slot();
    const bool whole = end - begin == W.dim(1);
    if (dW.fresh && !whole) dW.array.fill(0);
    gemm(t(matrix(x)), matrix(dy), dW.array.data() + begin, W.dim(1), dW.fresh && whole ? Into::overwrite : Into::add);
  }
  groups_.clear();
}

Factor Factors::of(const Matrix& b, std::size_t rows, std::size_t patience) {
  const auto same = [&](const Known& k) {
    const Matrix& other = k.factor.b;
    return other.data == b.data && other.columns == b.columns && other.transposed == b.transposed;
  };
  auto known = std::find_if(known_.begin(), known_.end(), same);
  if (known == known_.end()) known = known_.insert(known, {{b, {}}, 0});
  known->rows += rows;
  if (!known->factor.panels.defined() && known->rows > patience) known->factor = factor(b, rows);
  return known->factor;
}

// Forward steps multiply by W, backward ones by its transpose, and none comes after those.
Factor DeferredProducts::factor_of(const Matrix& b, std::size_t rows) {
  if (b.transposed != backwards_) factors_.forget();
  backwards_ = b.transposed;
  return factors_.of(b, rows);
}

namespace {

thread_local Factors* fixed_weights = nullptr;

}  // namespace

FixedWeights::FixedWeights() : before_(fixed_weights) { fixed_weights = &factors_; }
FixedWeights::~FixedWeights() { fixed_weights = before_; }

Factor factor_of(const Var& W, const Matrix& b, std::size_t rows) {
  if (DeferredProducts* const loop = W.deferred_products()) return loop->factor_of(b, rows);
  constexpr std::size_t most = 256;  // rows; BLAS, which works in blocks, is the better one for more
  const std::size_t patience = rows <= few_rows ? 64 : 0;  // rows; one sentence's few products would not pay for it
  const bool parameter = W.node()->needs_grad && !W.node()->rule;
  return fixed_weights && parameter && rows <= most ? fixed_weights->of(b, rows, patience) : Factor{b, {}};
}

Var deferred(const Var& W) {
  // Not only products may use it: a tied weight that is read directly sends its gradient the ordinary way.
  auto products = std::make_shared<DeferredProducts>();
  Var late("deferred", W.value(), {W}, [W, products](const Array& dy, const Array&) {
    if (dy.defined()) W.add_grad(dy);
    products->multiply_into(W);
  });
  late.node()->products = products;
  return late;
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
