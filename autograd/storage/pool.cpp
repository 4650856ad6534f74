#include "autograd/storage/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "autograd/storage/internal/large_blocks.h"
#include "autograd/storage/internal/poison.h"
#include "autograd/storage/memory_limit.h"
#include "autograd/storage/profile.h"

namespace autograd {
namespace {

constexpr std::size_t smallest_block = 64;
constexpr std::size_t largest_small = std::size_t{3} << 19;
constexpr std::size_t classes = 4 * 16;                   // up to that, and a little beyond
constexpr std::size_t most_free = std::size_t{64} << 20;  // of a thread's own; what is more is everybody's

// Small sizes grow as 4, 5, 6, 7 quarters of a power of two, so that at most a fifth of a block is wasted.
struct SizeClass {  // larger sizes have larger indices
  std::size_t index, bytes;
};
SizeClass size_class(std::size_t bytes) {
  if (bytes <= smallest_block) return {0, smallest_block};
  const std::size_t doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes
  const std::size_t quarter = std::max(smallest_block, (std::size_t{1} << doubling) / 4);
  const std::size_t quarters = (bytes + quarter - 1) / quarter;
  return {4 * (doubling - 5) + ((quarters - 1) & 3), quarters * quarter};
}

// What a thread took and gave of small blocks: its own free blocks come first, since fetching what another core wrote
// costs more than fetching it from the memory, and nobody waits for a lock that nobody else wants. A store outlives its
// thread; the next thread goes on with it. Counts are this thread's: it may give what others took, but keeps no more
// blocks of a class than it took, or those of a thread that only takes would pile up here, step by step.
struct Store {
  std::mutex mutex;
  std::array<std::vector<void*>, classes> free;
  std::array<std::size_t, classes> owed{};  // blocks taken and not yet kept
  std::size_t free_bytes = 0;
  std::ptrdiff_t in_use = 0, asked = 0, most_asked = 0;

  // These three are called with the mutex locked.
  void* take_free(SizeClass c) {
    if (free[c.index].empty()) return nullptr;
    void* const block = free[c.index].back();
    free[c.index].pop_back();
    free_bytes -= c.bytes;
    return block;
  }
  void give_free(void* block, SizeClass c) {
    free[c.index].push_back(block);
    free_bytes += c.bytes;
  }
  bool keep(void* block, SizeClass c) {
    if (owed[c.index] == 0 || free_bytes > most_free) return false;
    --owed[c.index];
    give_free(block, c);
    return true;
  }
  void count(std::size_t block, std::size_t bytes, std::ptrdiff_t sign) {
    in_use += sign * static_cast<std::ptrdiff_t>(block);
    asked += sign * static_cast<std::ptrdiff_t>(bytes);
    most_asked = std::max(most_asked, asked);
  }
};

struct Pool {
  Store common;      // what a thread has too much of
  std::mutex mutex;  // of all that follows
  LargeBlocks large_blocks;
  std::vector<Store*> stores{&common}, without_thread;
  std::size_t system_bytes = 0, system_calls = 0;

  void count_system(std::size_t bytes) { system_bytes += bytes, ++system_calls; }
};
// Never destroyed: arrays with static lifetime may give their blocks back after main.
Pool& pool() {
  static Pool* instance = new Pool;
  return *instance;
}

constinit thread_local Store* own_store = nullptr;

struct OwnStore {
  OwnStore() {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    if (p.without_thread.empty()) {
      p.stores.push_back(own_store = new Store);
    } else {
      own_store = p.without_thread.back();
      p.without_thread.pop_back();
    }
  }
  ~OwnStore() {
    Pool& p = pool();
    const std::lock_guard lock(p.mutex);
    p.without_thread.push_back(std::exchange(own_store, &p.common));  // what this thread gives from here on
  }
};

Store& store() {
  if (!own_store) thread_local const OwnStore own;
  return *own_store;
}

void check_fits(std::size_t taken, std::size_t bytes) {
  constexpr std::size_t largest = std::size_t{1} << 47;  // addresses that there are, whatever the limit
  const MemoryLimit& limit = memory_limit();
  const std::size_t most = std::min(limit.bytes, largest);
  if (bytes <= most && taken <= most - bytes) return;
  const auto text = [](std::size_t size) { return format_bytes(static_cast<double>(size)); };
  throw NotEnoughMemory(fmt::format("not enough memory: {} are taken, {} more are needed, and {} has {}", text(taken),
                                    text(bytes), limit.of, text(most)));
}

void* take_from_common(SizeClass c) {
  Store& common = pool().common;
  const std::lock_guard lock(common.mutex);
  return common.take_free(c);
}

void* new_small(SizeClass c) {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  check_fits(p.system_bytes, c.bytes);
  void* const block = std::aligned_alloc(smallest_block, c.bytes);
  if (!block) throw std::bad_alloc();
  p.count_system(c.bytes);
  return block;
}

void* take_small(std::size_t bytes) {
  const SizeClass c = size_class(bytes);
  Store& own = store();
  std::unique_lock lock(own.mutex);
  void* block = own.take_free(c);
  if (!block) {
    lock.unlock();
    block = take_from_common(c);
    if (!block) block = new_small(c);
    lock.lock();
  }
  own.count(c.bytes, bytes, 1);
  ++own.owed[c.index];
  return block;
}

void give_small(void* block, std::size_t bytes) {
  const SizeClass c = size_class(bytes);
  Store& own = store();
  {
    const std::lock_guard lock(own.mutex);
    own.count(c.bytes, bytes, -1);
    if (own.keep(block, c)) return;
  }
  Store& common = pool().common;
  const std::lock_guard lock(common.mutex);
  common.give_free(block, c);
}

void count_large(std::size_t bytes, std::ptrdiff_t sign) {
  Store& own = store();
  const std::lock_guard lock(own.mutex);
  own.count(LargeBlocks::rounded(bytes), bytes, sign);
}

// The system is asked for what is missing, and where other memory lies in between for all of it.
void ask_system(Pool& p, std::size_t size) {
  check_fits(p.system_bytes, p.large_blocks.missing(size));
  std::size_t more = p.large_blocks.extend(size);
  if (more == 0) {
    check_fits(p.system_bytes, LargeBlocks::in_huge_pages(size));
    more = p.large_blocks.begin_anew(size);
  }
  p.count_system(more);
}

void* take_large(std::size_t bytes) {
  const std::size_t size = LargeBlocks::rounded(bytes);
  Pool& p = pool();
  std::unique_lock lock(p.mutex);
  void* block = p.large_blocks.take(size);
  if (!block) {
    ask_system(p, size);
    block = p.large_blocks.take(size);
  }
  lock.unlock();
  count_large(bytes, 1);
  return block;
}

void give_large(void* block, std::size_t bytes) {
  count_large(bytes, -1);
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  p.large_blocks.give(block, LargeBlocks::rounded(bytes));
}

std::vector<Store*> all_stores() {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  return p.stores;
}

}  // namespace

void* pool_take(std::size_t bytes) {
  const Profile::Part part("allocate");
  check_fits(0, bytes);
  void* const block = bytes > largest_small ? take_large(bytes) : take_small(bytes);
  allow(block, bytes);
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const Profile::Part part("allocate");
#ifndef NDEBUG
  std::memset(block, 0xff, bytes);  // all ones is a NaN in float and in double
#endif
  forbid(block, bytes);
  bytes > largest_small ? give_large(block, bytes) : give_small(block, bytes);
}

void pool_forget_most() {
  for (Store* s : all_stores()) {
    const std::lock_guard lock(s->mutex);
    s->most_asked = s->asked;
  }
}

PoolStatistics pool_statistics() {
  std::ptrdiff_t in_use = 0, asked = 0, most = 0;
  for (Store* s : all_stores()) {
    const std::lock_guard lock(s->mutex);
    in_use += s->in_use;
    asked += s->asked;
    most += s->most_asked;
  }
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  const auto bytes = [](std::ptrdiff_t n) { return static_cast<std::size_t>(n); };
  return {p.system_bytes, bytes(in_use), p.system_calls, bytes(asked), bytes(most)};
}

}  // namespace autograd
