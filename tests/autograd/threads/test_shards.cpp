// Shards hold the gradients of several threads, which are added in a fixed order.
#include "autograd/ops/gather.h"
#include "autograd/threads/shards.h"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/openmp.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"
#include "tests/catch.h"

using namespace softalign;
using namespace autograd;

namespace {

Initialiser random_values() {
  return [](Array& w, Random& random) {
    for (Real& v : w.span()) v = static_cast<Real>(random.normal());
  };
}

// W has dense gradients and E sparse ones. Shard i uses rows of its own and one row that all shards share.
struct Model {
  Params params{Random(7)};
  Var W = params.declare("W", {3, 2}, random_values());
  Var E = params.declare("E", {6, 3}, random_values());
  void work(std::size_t shard) const {
    const Ids ids{0, static_cast<Id>(1 + shard), static_cast<Id>(1 + shard)};
    backward(sum(square(matmul(gather(E, ids), W))));
  }
};

std::vector<Real> values(const Array& a) { return {a.data(), a.data() + a.size()}; }

}  // namespace

TEST_CASE("shards give the same gradient as sequential computation", "[shards]") {
  const std::size_t shards = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{3});
  Model serial, parallel;
  for (std::size_t i = 0; i < shards; ++i) serial.work(i);
  run_shards(parallel.params, shards, [&](std::size_t i) { parallel.work(i); });
  CHECK(grad_is_sparse(parallel.E));
  CHECK(touched_rows(parallel.E) == touched_rows(serial.E));
  for (std::size_t p = 0; p < 2; ++p) {
    const Array a = serial.params.all()[p].var.grad(), b = parallel.params.all()[p].var.grad();
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == Approx(a[i]).epsilon(1e-5));
  }
}

TEST_CASE("nothing from the shards of one step remains for the next", "[shards]") {
  Model once, twice;
  run_shards(once.params, 2, [&](std::size_t i) { once.work(i); });
  for (int step = 0; step < 2; ++step) {
    twice.params.zero_grad();
    run_shards(twice.params, 2, [&](std::size_t i) { twice.work(i); });
  }
  for (std::size_t p = 0; p < 2; ++p)
    CHECK(values(once.params.all()[p].var.grad()) == values(twice.params.all()[p].var.grad()));
}

TEST_CASE("no array of another shard remains in a sparse gradient, because the shard's thread must free it", "[shards]") {
  const Model m;
  std::vector<Array> given(2, zeros({1, 3}));
  run_shards(m.params, 2, [&](std::size_t shard) {
    given[shard] = zeros({1, 3});
    add_row_grad(m.E, {0}, given[shard]);
  });
  REQUIRE(grad_is_sparse(m.E));
  CHECK(given[1].sole_owner());
}

TEST_CASE("a gradient from before the shards is kept", "[shards]") {
  Model m;
  m.work(0);
  const std::vector<Real> before = values(m.W.grad());
  run_shards(m.params, 2, [](std::size_t) {});
  CHECK(values(m.W.grad()) == before);
}

TEST_CASE("all workers run, and then the exception of the lowest one is thrown") {
  std::vector<int> done(3);
  run_workers(3, [&](std::size_t i) { done[i] = 1; });
  CHECK(done == std::vector<int>{1, 1, 1});
  const std::thread::id here = std::this_thread::get_id();
  run_workers(1, [&](std::size_t i) { done[i] = std::this_thread::get_id() == here ? 2 : 3; });
  CHECK(done[0] == 2);
  done = {0, 0, 0};
  const auto failing = [&](std::size_t i) {
    done[i] = 1;
    if (i > 0) throw std::out_of_range(i == 1 ? "one" : "two");
  };
  CHECK_THROWS_WITH(run_workers(3, failing), "one");
  CHECK(done == std::vector<int>{1, 1, 1});
}

TEST_CASE("a loop within a worker runs on this worker only") {
  const int before = threads();
  set_threads(2);
  std::vector<std::vector<std::thread::id>> ran(2, std::vector<std::thread::id>(8));
  run_workers(2, [&](std::size_t w) {
    parallel_for(0, 8, true, [&](std::size_t i) { ran[w][i] = std::this_thread::get_id(); });
  });
  for (const auto& of_worker : ran) CHECK(std::count(of_worker.begin(), of_worker.end(), of_worker[0]) == 8);
  set_threads(before);
}

TEST_CASE("fewer threads than workers run several workers each, as parts of a parallel loop") {
  const int before = threads();
  set_threads(2);
  {
    const ThreadLimit alone(1);
    std::vector<std::size_t> done;
    run_workers(3, [&](std::size_t i) {
      CHECK(in_parallel());
      done.push_back(i);
    });
    CHECK(done == std::vector<std::size_t>{0, 1, 2});
    CHECK_FALSE(in_parallel());
    CHECK(worthwhile_shards(Model().params, threads()) == 2);
  }
  set_threads(before);
}

TEST_CASE("a batch with one shard uses all threads for its products", "[shards][threads]") {
  const int before = threads();
  set_threads(2);
  {
    const ThreadLimit alone(1);
    run_shards(Model().params, 1, [](std::size_t) { CHECK(omp_get_max_threads() == 2); });
    CHECK(omp_get_max_threads() == 1);
  }
  CHECK(omp_get_max_threads() == 2);
  set_threads(before);
}

TEST_CASE("a large model has one shard for any number of threads") {
  const Params params{Random(1)};
  params.declare("W", {4, 4}, random_values());
  CHECK(worthwhile_shards(params, 2) == 2);
  CHECK(worthwhile_shards(params, 0) == 1);
  params.declare("large", {4096, 4096}, [](Array&, Random&) {});
  CHECK(worthwhile_shards(params, 2) == 1);
}

TEST_CASE("a shard's exception is thrown after all shards have ended", "[shards]") {
  Model m;
  CHECK_THROWS_AS(run_shards(m.params, 2,
                             [&](std::size_t i) {
                               if (i == 1) throw std::out_of_range("shard 1");
                               m.work(i);
                             }),
                  std::out_of_range);
  CHECK(m.W.grad().defined());
}

TEST_CASE("a shard's exception in the middle of its backward pass is thrown too", "[shards]") {
  Model m;
  CHECK_THROWS_WITH(
      run_shards(m.params, 2,
                 [&](std::size_t i) {
                   if (i == 0) return m.work(i);
                   const Var h = matmul(constant(Array({1, m.W.dim(0)}, 1)), m.W);
                   const Var bad("bad", h.value(), {h}, [](const Array&) { throw std::runtime_error("bad"); });
                   backward(sum(square(bad)) + sum(square(matmul(constant(Array({1, m.W.dim(0)}, 1)), m.W))));
                 }),
      "bad");
}
