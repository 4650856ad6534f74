#include "autograd/threads/shards.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "autograd/profile.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/openmp.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd {
namespace {

constinit WeightSharing sharing;

class OwnShard {
 public:
  OwnShard(std::size_t shard, const void* weights) {
    context().shard = shard;
    if (sharing.use) sharing.use(weights);
  }
  ~OwnShard() {
    context().shard = 0;
    if (sharing.use) sharing.use(nullptr);
  }
  OwnShard(const OwnShard&) = delete;
  OwnShard& operator=(const OwnShard&) = delete;
};

// Addition is a part of a dense gradient, and the same part of the shards' gradients that are added to it. Parts are
// small, so that every thread has work and the sum stays in the cache. Results do not depend on which thread adds a
// part.
struct Addition {
  Real* to;
  const std::vector<const Real*>* from;
  std::size_t begin, size;
};
constexpr std::size_t largest_addition = 1 << 14;

void add(const Addition& a) {
  Real* __restrict const to = a.to + a.begin;
  for (const Real* const all : *a.from) {
    const Real* __restrict const from = all + a.begin;
    for (std::size_t i = 0; i < a.size; ++i) to[i] += from[i];
  }
}

// merge adds the gradients of the shards, in the order of the shards. All dense additions share one parallel loop,
// because with one loop per parameter, threads would wait for longer than they add.
void merge(const Params& params) {
  std::vector<std::vector<const Real*>> dense(params.all().size());
  std::vector<Addition> additions;
  for (std::size_t p = 0; p < dense.size(); ++p) {
    const Var& var = params.all()[p].var;
    Node& node = *var.node();
    for (Gradient& left : node.shard_grads) {
      if (!left.defined()) continue;
      if (left.sparse())  // copies, because the shard's thread frees its own arrays
        for (const SparseRows::Part& part : left.rows().parts()) node.grad.add_rows({part.ids, part.sums.clone()});
      else if (!node.grad.defined()) std::swap(node.grad, left);
      else dense[p].push_back(left.dense(node.value.shape()).data());
    }
    if (dense[p].empty()) continue;
    Array& sum = var.grad_slot().array;
    for (std::size_t begin = 0; begin < sum.size(); begin += largest_addition)
      additions.push_back({sum.data(), &dense[p], begin, std::min(largest_addition, sum.size() - begin)});
  }
  parallel_for(0, additions.size(), additions.size() > 32, [&](std::size_t i) { add(additions[i]); });
}

}  // namespace

bool set_weight_sharing(WeightSharing other) {
  sharing = other;
  return true;
}

std::size_t worthwhile_shards(const Params& params, int threads) {
  constexpr std::size_t in_caches = std::size_t{8} << 20;  // parameters
  return params.count() <= in_caches ? static_cast<std::size_t>(std::max(threads, 1)) : 1;
}

// A shard with fewer sentences than least_sentences takes about as long, so more shards would save no time. However,
// two threads and all processes always get a part of the batch, because none of them should wait.
std::size_t parts_of_batch(std::size_t sentences, std::size_t shards, std::size_t slices) {
  return std::min(shards * slices, std::max({std::size_t{2}, slices, sentences / least_sentences}));
}

void run_workers(std::size_t workers, const std::function<void(std::size_t)>& work) {
  if (workers <= 1) return work(0);
  std::vector<std::exception_ptr> failures(workers);
  [[maybe_unused]] const int at_once = std::min(static_cast<int>(workers), omp_get_max_threads());
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
    merge(params);
    run_workers(shards, [&](std::size_t shard) {  // each thread frees its own gradients, to reuse their memory
      if (shard == 0) return;
      for (const Parameter& p : params.all()) p.var.node()->shard_grads[shard - 1].clear();
    });
    Profile::add_time("shards");  // time to wait for the slowest shard, and to merge
  };
  const void* const weights = sharing.prepare ? sharing.prepare() : nullptr;
  try {
    run_workers(shards, [&](std::size_t shard) {
      const OwnShard own(shard, weights);
      work(shard);
    });
  } catch (...) {
    merge_all();
    throw;
  }
  merge_all();
}

}  // namespace softalign::autograd
