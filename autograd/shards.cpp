#include "autograd/shards.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "autograd/node.h"
#include "autograd/profile.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

thread_local std::size_t shard_of_thread = 0;

// A part of a dense gradient to be added: cut small, so that every thread has its share. Which thread adds what changes
// no number.
struct Addition {
  Real* to;
  const Real* from;
  std::size_t size;
};
constexpr std::size_t largest_addition = 1 << 15;

void add(Real* __restrict to, const Real* __restrict from, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
}

// Moves the rows that a shard touched into the total, and leaves its table zero for the next time.
void add_rows(const Var& total, Gradient& part) {
  const Ids rows = part.touched_rows();
  part.touched.clear();
  const std::size_t width = part.sum.size() / part.sum.dim(0);
  Array values({rows.size(), width});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Real* row = part.sum.data() + static_cast<std::size_t>(rows[i]) * width;
    std::copy_n(row, width, values.data() + i * width);
    std::fill_n(row, width, Real(0));
  }
  total.add_row_grad(rows, values);
}

// Adds what shard number `part` left. All dense additions share one parallel loop: a loop for each parameter would cost
// more in waiting than in adding.
void merge(const Params& params, std::size_t part) {
  std::vector<Addition> additions;
  for (const Parameter& p : params.all()) {
    Node& node = *p.var.node();
    Gradient& left = node.shard_grads[part];
    if (!left.sum.defined()) continue;
    if (left.sparse) {
      add_rows(p.var, left);
    } else if (!node.grad.sum.defined()) {
      std::swap(node.grad, left);
    } else {
      Array& sum = p.var.grad_slot().array;
      for (std::size_t i = 0; i < sum.size(); i += largest_addition)
        additions.push_back({sum.data() + i, left.sum.data() + i, std::min(largest_addition, sum.size() - i)});
    }
  }
#pragma omp parallel for schedule(static) if (additions.size() > 16)
  for (const Addition& a : additions) add(a.to, a.from, a.size);
  for (const Parameter& p : params.all()) {
    Gradient& left = p.var.node()->shard_grads[part];
    if (!left.sparse) left = Gradient();
  }
}

}  // namespace

std::size_t current_shard() { return shard_of_thread; }

void run_shards(const Params& params, std::size_t shards, const std::function<void(std::size_t)>& work) {
  if (shards <= 1) return work(0);
  for (const Parameter& p : params.all()) p.var.node()->shard_grads.resize(shards - 1);
  std::vector<std::exception_ptr> failures(shards);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast<int>(shards))
  for (std::size_t shard = 0; shard < shards; ++shard) {
    shard_of_thread = shard;
    try {
      work(shard);
    } catch (...) {
      failures[shard] = std::current_exception();
    }
    shard_of_thread = 0;
  }
  for (std::size_t part = 0; part + 1 < shards; ++part) merge(params, part);
  Profile::charge("shards");  // waiting for the slowest, and adding up
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
