// Large blocks: what lies free is cut and becomes one again.
#include "autograd/storage/internal/large_blocks.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "autograd/storage/internal/poison.h"
#include "autograd/storage/random.h"
#include "tests/catch.h"

namespace {

using autograd::LargeBlocks;
using autograd::Random;

constexpr std::size_t MB = std::size_t{1} << 20;

}  // namespace

TEST_CASE("large blocks: nothing is there until the system was asked, and then it is huge pages") {
  LargeBlocks blocks;
  CHECK(blocks.take(MB) == nullptr);
  CHECK(blocks.missing(MB) == LargeBlocks::huge_page);
  CHECK(blocks.begin_anew(MB) == LargeBlocks::huge_page);
  auto* const upper = static_cast<std::byte*>(blocks.take(MB));
  auto* const lower = static_cast<std::byte*>(blocks.take(MB));
  CHECK(upper == lower + MB);
  CHECK(reinterpret_cast<std::uintptr_t>(lower) % LargeBlocks::huge_page == 0);
  CHECK(blocks.take(LargeBlocks::grain) == nullptr);
}

TEST_CASE("large blocks: the system is asked for what is missing to what lies free at the end") {
  LargeBlocks blocks;
  blocks.begin_anew(8 * MB);
  REQUIRE(blocks.take(3 * MB) != nullptr);  // 5 MB are left
  REQUIRE(blocks.take(9 * MB) == nullptr);
  CHECK(blocks.missing(9 * MB) == 4 * MB);
}

TEST_CASE("large blocks: the system goes on below what it gave last, unless other memory lies there") {
  LargeBlocks blocks;
  CHECK(blocks.extend(MB) == 0);  // nothing to go on from
  blocks.begin_anew(4 * MB);
  auto* const upper = static_cast<std::byte*>(blocks.take(3 * MB));  // 1 MB is left below it
  std::byte* const lowest = upper - MB;
  void* const other = mmap(lowest - 4096, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  REQUIRE((other == lowest - 4096 || errno == EEXIST));  // or another's memory lies there already
  CHECK(blocks.extend(3 * MB) == 0);
  CHECK(blocks.take(3 * MB) == nullptr);
  if (other == MAP_FAILED) return;
  munmap(other, 4096);
  if (blocks.extend(3 * MB) == 0) return;  // something else lies further down
  CHECK(blocks.take(3 * MB) == lowest - 2 * MB);
}

TEST_CASE("large blocks: neighbours become one once nothing else serves") {
  LargeBlocks blocks;
  blocks.begin_anew(4 * MB);
  void* const d = blocks.take(MB);
  void* const c = blocks.take(MB);
  void* const b = blocks.take(MB);
  void* const a = blocks.take(MB);  // a b c d in memory
  blocks.give(a, MB), blocks.give(c, MB);
  CHECK(blocks.take(2 * MB) == nullptr);
  blocks.give(b, MB);
  CHECK(blocks.take(3 * MB) == a);
  blocks.give(a, 3 * MB), blocks.give(d, MB);
  CHECK(blocks.take(4 * MB) == a);
}

TEST_CASE("large blocks: of the same size rather than cut, and cut where least is left") {
  LargeBlocks blocks;
  blocks.begin_anew(16 * MB);
  void* const e = blocks.take(4 * MB);
  blocks.take(MB);
  void* const c = blocks.take(2 * MB);
  blocks.take(MB);
  void* const a = blocks.take(8 * MB);  // fills the rest: a . c . e
  blocks.give(a, 8 * MB), blocks.give(c, 2 * MB), blocks.give(e, 4 * MB);
  CHECK(blocks.take(4 * MB) == e);
  CHECK(blocks.take(2 * MB) == c);
  blocks.give(c, 2 * MB), blocks.give(e, 4 * MB);
  CHECK(blocks.take(3 * MB) == static_cast<std::byte*>(e) + MB);
  CHECK(blocks.take(8 * MB) == a);

  LargeBlocks neighbours;
  neighbours.begin_anew(8 * MB);
  void* const upper = neighbours.take(2 * MB);
  void* const lower = neighbours.take(6 * MB);
  neighbours.give(upper, 2 * MB), neighbours.give(lower, 6 * MB);
  CHECK(neighbours.take(6 * MB) == lower);
}

TEST_CASE("large blocks: live ones never overlap, and they soon take no more than a quarter beyond what they need") {
  Random random(1);
  struct Block {
    std::byte* data;
    std::size_t size;
    std::byte mark;
  };
  LargeBlocks blocks;
  std::vector<Block> live;
  std::size_t taken = 0, in_use = 0, most = 0;
  const auto grain_by_grain = [](const Block& b, const auto& visit) {
    for (std::size_t i = 0; i < b.size; i += LargeBlocks::grain)
      visit(b.data[i]), visit(b.data[i + LargeBlocks::grain - 1]);
  };
  std::size_t after_half = 0;
  for (int i = 0; i < 4000; ++i) {
    if (i == 2000) after_half = taken;
    if (live.size() < 20 || (live.size() < 60 && random.below(2) == 0)) {
      const std::size_t size = LargeBlocks::rounded((1 + random.below(4)) * MB + random.below(3) * MB / 4);
      void* block = blocks.take(size);
      if (!block) {
        const std::size_t more = blocks.extend(size);
        taken += more ? more : blocks.begin_anew(size);
        block = blocks.take(size);
      }
      REQUIRE(block != nullptr);
      autograd::allow(block, size);
      live.push_back({static_cast<std::byte*>(block), size, static_cast<std::byte>(random.below(256))});
      grain_by_grain(live.back(), [&](std::byte& at) { at = live.back().mark; });
      most = std::max(most, in_use += size);
    } else {
      std::swap(live[random.below(live.size())], live.back());
      const Block b = live.back();
      live.pop_back();
      bool whole = true;
      grain_by_grain(b, [&](std::byte& at) { whole = whole && at == b.mark; });
      REQUIRE(whole);
      autograd::forbid(b.data, b.size);
      blocks.give(b.data, b.size);
      in_use -= b.size;
    }
  }
  CHECK(taken <= most + most / 4);
  CHECK(taken <= after_half + after_half / 10);
}
