#include "autograd/storage/pool.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>
#include <vector>

#include "autograd/storage/memory_limit.h"
#include "autograd/storage/profile.h"

#if defined(__SANITIZE_ADDRESS__)
#define SOFTALIGN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SOFTALIGN_ASAN 1
#endif
#endif
#ifdef SOFTALIGN_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace autograd {
namespace {

constexpr std::size_t smallest_block = 64;
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t large = 2 * huge_page;
constexpr std::size_t classes = 4 * 48;
constexpr std::size_t most_free = std::size_t{64} << 20;  // of a thread's own; what is more is everybody's

// Sizes grow as 4, 5, 6, 7 quarters of a power of two, so that at most a fifth of a block is wasted.
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

// What a thread took and gave: its own free blocks come first, since fetching what another core wrote costs more than
// fetching it from the memory, and nobody waits for a lock that nobody else wants. A store outlives its thread; the
// next thread goes on with it. Counts are this thread's: it may give what others took, but keeps no more blocks of a
// class than it took, or those of a thread that only takes would pile up here, step by step.
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
    if (c.bytes >= large || owed[c.index] == 0 || free_bytes > most_free) return false;
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
  Store common;                             // large blocks, and what a thread has too much of
  std::mutex mutex;                         // of all that follows
  std::map<void*, SizeClass> large_blocks;  // what each was made as
  std::vector<Store*> stores{&common}, without_thread;
  std::size_t system_bytes = 0, system_calls = 0;
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

// The class of a block that was asked for with so many bytes.
SizeClass made_as(void* block, SizeClass asked) {
  if (asked.bytes < large) return asked;
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  return p.large_blocks.at(block);
}

void check_fits(std::size_t taken, std::size_t bytes) {
  constexpr std::size_t largest = std::size_t{1} << 47;  // that there is a class for, whatever the limit
  const MemoryLimit& limit = memory_limit();
  const std::size_t most = std::min(limit.bytes, largest);
  if (bytes <= most && taken <= most - bytes) return;
  const auto text = [](std::size_t size) { return format_bytes(static_cast<double>(size)); };
  throw NotEnoughMemory(fmt::format("not enough memory: {} are taken, {} more are needed, and {} has {}", text(taken),
                                    text(bytes), limit.of, text(most)));
}

void* from_system(std::size_t bytes) {
  const std::size_t alignment = bytes >= large ? huge_page : smallest_block;
  void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!block) throw std::bad_alloc();
  if (bytes >= large) madvise(block, bytes, MADV_HUGEPAGE);  // a hint: failing is harmless
  return block;
}

std::pair<void*, SizeClass> take_from_common(SizeClass wanted) {
  Store& common = pool().common;
  const std::lock_guard lock(common.mutex);
  const std::size_t beyond = wanted.index + (wanted.bytes >= large ? 5 : 1);
  const auto first = common.free.begin() + static_cast<std::ptrdiff_t>(wanted.index);
  const auto last = common.free.begin() + static_cast<std::ptrdiff_t>(std::min(beyond, classes));
  const auto found = std::find_if(first, last, [](const std::vector<void*>& blocks) { return !blocks.empty(); });
  if (found == last) return {nullptr, wanted};
  void* const block = found->back();
  found->pop_back();
  const SizeClass c = made_as(block, wanted);
  common.free_bytes -= c.bytes;
  return {block, c};
}

void* new_block(SizeClass c) {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  check_fits(p.system_bytes, c.bytes);
  void* const block = from_system(c.bytes);
  p.system_bytes += c.bytes;
  p.system_calls += 1;
  if (c.bytes >= large) p.large_blocks[block] = c;
  return block;
}

std::vector<Store*> all_stores() {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  return p.stores;
}

}  // namespace

void* pool_take(std::size_t bytes) {
  const Profile::Part part("allocate");
  check_fits(0, bytes);  // so that there is a class for it
  SizeClass c = size_class(bytes);
  Store& own = store();
  std::unique_lock lock(own.mutex);
  void* block = own.take_free(c);
  if (!block) {
    lock.unlock();
    std::tie(block, c) = take_from_common(c);
    if (!block) block = new_block(c);
    lock.lock();
  }
  own.count(c.bytes, bytes, 1);
  ++own.owed[c.index];
#ifdef SOFTALIGN_ASAN
  ASAN_UNPOISON_MEMORY_REGION(block, c.bytes);
#endif
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const Profile::Part part("allocate");
  const SizeClass c = made_as(block, size_class(bytes));
#ifndef NDEBUG
  std::memset(block, 0xff, c.bytes);  // all ones is a NaN in float and in double
#endif
#ifdef SOFTALIGN_ASAN
  ASAN_POISON_MEMORY_REGION(block, c.bytes);
#endif
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
