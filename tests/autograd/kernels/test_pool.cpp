// The memory pool of arrays reuses large blocks, and bounds the unused memory that it keeps.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "autograd/array.h"
#include "autograd/kernels/pool.h"
#include "autograd/memory.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/random.h"
#include "autograd/var.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace autograd;

// Uses arrays of large blocks, unless the batch is small.
void training_step(std::size_t batch, std::size_t steps) {
  Var h = variable(Array({batch, 98304}, Real(0.1)));
  for (std::size_t t = 0; t < steps; ++t) h = tanh(h);
  backward(sum(h));
}

}  // namespace

TEST_CASE("pool: after a warm-up over all lengths, steps allocate no system memory") {
  Random random(1);
  constexpr std::size_t longest = 6, most = 6;
  training_step(most, 5 * longest);  // raises the bound, so that the pool keeps the blocks of all lengths
  for (std::size_t batch = 1; batch <= most; ++batch)
    for (std::size_t steps = 1; steps <= longest; ++steps) training_step(batch, steps);
  const PoolStatistics before = pool_statistics();
  const std::size_t arrays = array_bytes().now;
  for (int i = 0; i < 200; ++i) training_step(1 + random.below(most), 1 + random.below(longest));
  const PoolStatistics after = pool_statistics();
  CHECK(after.system_calls == before.system_calls);
  CHECK(after.large_bytes == before.large_bytes);
  CHECK(array_bytes().now == arrays);
}

TEST_CASE("pool: blocks are aligned, and a large one serves the next array of about its size") {
  for (std::size_t bytes = 1; bytes < (std::size_t{1} << 26); bytes += bytes / 7 + 1) {
    const PoolStatistics before = pool_statistics();
    const std::size_t arrays = array_bytes().now;
    void* block = pool_take(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
    CHECK(array_bytes().now - arrays == bytes);
    CHECK(pool_statistics().large_bytes <= before.large_bytes + bytes + bytes / 4);
    std::fill_n(static_cast<char*>(block), bytes, '\1');
    pool_give(block, bytes);
    // Sanitized builds have no large blocks.
    if (bytes < (std::size_t{3} << 19) || pool_statistics().large_bytes == 0) continue;
    const std::size_t calls = pool_statistics().system_calls;
    void* again = pool_take(bytes - bytes / 1000);
    CHECK(
        // The block comes from the same size class or from the next smaller one.
        (again == block || pool_statistics().system_calls == calls + 1));
    pool_give(again, bytes - bytes / 1000);
    again = pool_take(bytes);
    CHECK(again == block);
    pool_give(again, bytes);
    CHECK(array_bytes().now == arrays);
  }
}

// Other tests have used a part of the bound, so this test checks only the memory above it. Sanitized builds have no
// large blocks.
TEST_CASE("pool: arrays of changing sizes leave little unused memory") {
  constexpr std::size_t MB = std::size_t{1} << 20, large = 600 * MB;
  pool_give(pool_take(large), large);  // the largest amount in use at once in this test
  for (std::size_t bytes = 20 * MB; bytes < 200 * MB; bytes += 7 * MB) {
    void* const first = pool_take(bytes);
    void* const second = pool_take(bytes + bytes / 3);
    pool_give(first, bytes);
    pool_give(second, bytes + bytes / 3);
    CHECK(pool_statistics().large_bytes <= 5 * large / 4 + 16 * MB);
  }
}

TEST_CASE("pool: live blocks never overlap") {
  Random random(2);
  struct Block {
    unsigned char* data;
    std::size_t bytes;
    unsigned char mark;
  };
  std::vector<Block> live;
  for (int i = 0; i < 3000; ++i) {
    if (live.size() < 50 || random.below(2) == 0) {
      const std::size_t bytes = 1 + random.below(5000);
      const auto mark = static_cast<unsigned char>(random.below(256));
      live.push_back({static_cast<unsigned char*>(pool_take(bytes)), bytes, mark});
      std::fill_n(live.back().data, bytes, mark);
    } else {
      std::swap(live[random.below(live.size())], live.back());
      const Block b = live.back();
      live.pop_back();
      REQUIRE(std::all_of(b.data, b.data + b.bytes, [&](unsigned char c) { return c == b.mark; }));
      pool_give(b.data, b.bytes);
    }
  }
  for (const Block& b : live) pool_give(b.data, b.bytes);
}

TEST_CASE("pool: threads may allocate and free at the same time", "[threads]") {
  const std::size_t before = array_bytes().now;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      Random random(static_cast<std::uint64_t>(t));
      for (int i = 0; i < 2000; ++i) {
        const std::size_t large = i % 10 == 0 ? 500000 : 0;  // elements
        const Array a({large + 1 + random.below(3000)}, static_cast<Real>(t));
        if (a[a.size() - 1] != static_cast<Real>(t) || a[a.size() / 2] != static_cast<Real>(t)) std::terminate();
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(array_bytes().now == before);
}

TEST_CASE("pool: blocks that one thread allocates and another frees do not accumulate", "[threads]") {
  constexpr std::size_t bytes = std::size_t{1} << 21;
  const PoolStatistics before = pool_statistics();
  const std::size_t arrays = array_bytes().now;
  for (int i = 0; i < 30; ++i) {
    void* block = nullptr;
    std::thread([&] { block = pool_take(bytes); }).join();
    pool_give(pool_take(bytes), bytes);
    pool_give(block, bytes);
  }
  CHECK(pool_statistics().large_bytes <= before.large_bytes + 3 * bytes);
  CHECK(array_bytes().now == arrays);
}

TEST_CASE("pool: a request beyond the machine's memory is refused by name and changes nothing") {
  const std::size_t before = pool_statistics().large_bytes;
  constexpr bool wide = sizeof(std::size_t) == 8;  // 64-bit, not 32-bit
  for (const std::size_t bytes :
       {std::size_t{3} << (wide ? 44 : 30), std::size_t{7} << (wide ? 56 : 29), ~std::size_t{0}}) {
    CHECK_THROWS_AS(pool_take(bytes), NotEnoughMemory);
    CHECK_THROWS_WITH(pool_take(bytes), Catch::Contains(fmt::format("more are needed, and {} has", memory_limit().of)));
  }
  CHECK(pool_statistics().large_bytes == before);
}

// Runs in a process of its own. The first block is never written, so it takes address space only.
TEST_CASE("pool: allocated memory counts towards the limit", "[processes]") {
  const std::size_t most = std::size_t{1} << (sizeof(std::size_t) == 8 ? 47 : 31);
  const std::size_t half = std::min(memory_limit().bytes, most) / 2 + 1;
  const pid_t child = fork();
  if (child == 0) {
    bool first = false;
    try {
      pool_take(half);
      first = true;
      pool_take(half);
    } catch (const NotEnoughMemory&) {
      _exit(first ? 0 : 2);
    } catch (...) {
      _exit(3);
    }
    _exit(1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("pool: the peak is kept until it is reset") {
  const Array kept({1000}, 1);
  forget_most_array_bytes();
  const std::size_t before = array_bytes().now;
  CHECK(array_bytes().most == before);
  { const Array large({100000}, 1); }
  CHECK(array_bytes().now == before);
  CHECK(array_bytes().most == before + 100000 * sizeof(Real));
  { const Array small({10}, 1); }
  CHECK(array_bytes().most == before + 100000 * sizeof(Real));
  forget_most_array_bytes();
  CHECK(array_bytes().most == before);
}

TEST_CASE("array: a shape that is too large for any memory is refused by name") {
  constexpr bool wide = sizeof(std::size_t) == 8;  // 64-bit, not 32-bit
  const std::size_t half = std::size_t{1} << (wide ? 32 : 16), at_most = half >> (wide ? 8 : 4);
  CHECK_THROWS_WITH(Shape({half, half}).size(), Catch::Contains(fmt::format("{0}, {0}", half)));
  CHECK_THROWS_AS(Array({half, half, 0}), std::length_error);
  CHECK(Shape({half, 0}).size() == 0);
  CHECK(Shape({half, at_most}).size() == half * at_most);
  // The size does not overflow, but its number of bytes does.
  CHECK_THROWS_AS(Shape({half, 2 * at_most}).size(), std::length_error);
}

TEST_CASE("array: copies share their numbers, and clones do not") {
  Array a({3, 2}, {1, 2, 3, 4, 5, 6});
  const Array same = a, copy = a.clone(), middle = a.rows(1, 2), flat = a.reshaped({6});
  a[2] = 30;
  CHECK(same[2] == 30);
  CHECK(copy[2] == 3);
  CHECK(middle[0] == 30);
  CHECK(flat[2] == 30);
  CHECK(middle.shares_memory_with(a));
  CHECK_FALSE(copy.shares_memory_with(a));
  CHECK_FALSE(Array().shares_memory_with(Array()));
  CHECK_FALSE(a.sole_owner());
  CHECK(copy.sole_owner());
  CHECK_THROWS_WITH(a.rows(2, 4), Catch::Contains("[2, 4)") && Catch::Contains("(3, 2)"));
  CHECK_THROWS_WITH(a.rows(2, 1), Catch::Contains("[2, 1)") && Catch::Contains("(3, 2)"));
  CHECK_THROWS_WITH(Array::scalar(4).rows(0, 0), Catch::Contains("[0, 0)") && Catch::Contains("()"));
  CHECK_THROWS_WITH(a.item(), Catch::Contains("(3, 2)"));
  CHECK(Array::scalar(4).item() == 4);
  CHECK_FALSE(Array().defined());
  CHECK(Array({0, 3}, 1).defined());
}
