#include "autograd/parallel/shards.h"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <vector>

#include "autograd/internal/context.h"
#include "autograd/internal/node.h"
#include "autograd/linalg/blas.h"
#include "autograd/storage/parallel_for.h"
#include "autograd/storage/profile.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

class OwnShard {
 public:
  explicit OwnShard(std::size_t shard) {
    context().shard = shard;
    context().packed = {};  // what an earlier shard of this thread multiplied by must not choose this one's products
  }
  ~OwnShard() { context().shard = 0; }
  OwnShard(const OwnShard&) = delete;
  OwnShard& operator=(const OwnShard&) = delete;
};

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

// Adds what shard number `part` left. All dense additions share one parallel loop: a loop for each parameter would cost
// more in waiting than in adding.
void merge(const Params& params, std::size_t part) {
  std::vector<Addition> additions;
  for (const Parameter& p : params.all()) {
    Node& node = *p.var.node();
    Gradient& left = node.shard_grads[part];
    if (!left.defined()) continue;
    if (left.sparse()) {
      node.grad.add_rows(left.rows());
    } else if (!node.grad.defined()) {
      std::swap(node.grad, left);
    } else {
      Array& sum = p.var.grad_slot().array;
      const Real* const from = left.dense(node.value.shape()).data();
      for (std::size_t i = 0; i < sum.size(); i += largest_addition)
        additions.push_back({sum.data() + i, from + i, std::min(largest_addition, sum.size() - i)});
    }
  }
  parallel_for(0, additions.size(), additions.size() > 16,
               [&](std::size_t i) { add(additions[i].to, additions[i].from, additions[i].size); });
}

}  // namespace

std::size_t worthwhile_shards(const Params& params, int threads) {
  constexpr std::size_t in_caches = std::size_t{8} << 20;  // parameters
  return params.count() <= in_caches ? static_cast<std::size_t>(std::max(threads, 1)) : 1;
}

void run_workers(std::size_t workers, const std::function<void(std::size_t)>& work) {
  if (workers <= 1) return work(0);
  std::vector<std::exception_ptr> failures(workers);
  const int at_once = std::min(static_cast<int>(workers), omp_get_max_threads());
#pragma omp parallel for schedule(static, 1) num_threads(at_once)
  for (std::size_t i = 0; i < workers; ++i) {
    try {
      const InParallel part;
      work(i);
    } catch (...) {
      failures[i] = std::current_exception();
    }
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

void run_shards(const Params& params, std::size_t shards, const std::function<void(std::size_t)>& work) {
  if (shards <= 1) {
    const AllThreads sharing_products;
    return work(0);
  }
  for (const Parameter& p : params.all()) p.var.node()->shard_grads.resize(shards - 1);
  const auto merge_all = [&] {
    for (std::size_t part = 0; part + 1 < shards; ++part) merge(params, part);
    run_workers(shards, [&](std::size_t shard) {  // each its own, whose memory it will want again
      for (const Parameter& p : params.all())
        if (shard > 0) p.var.node()->shard_grads[shard - 1].clear();
    });
    Profile::charge("shards");  // waiting for the slowest, and adding up
  };
  try {
    run_workers(shards, [&](std::size_t shard) {
      const OwnShard own(shard);
      work(shard);
    });
  } catch (...) {
    merge_all();
    throw;
  }
  merge_all();
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
