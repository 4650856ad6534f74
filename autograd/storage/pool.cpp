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

struct Pool {
  std::mutex mutex;
  std::array<std::vector<void*>, classes> free;
  std::map<void*, SizeClass> large_blocks;  // what each was made as
  PoolStatistics statistics;
};
// Never destroyed: arrays with static lifetime may give their blocks back after main.
Pool& pool() {
  static Pool* instance = new Pool;
  return *instance;
}

void count_taken(PoolStatistics& statistics, std::size_t bytes, std::size_t block) {
  statistics.in_use_bytes += block;
  statistics.asked_bytes += bytes;
  statistics.most_asked_bytes = std::max(statistics.most_asked_bytes, statistics.asked_bytes);
}

// The class of a block that was asked for with so many bytes.
SizeClass made_as(const Pool& p, void* block, std::size_t bytes) {
  const SizeClass asked = size_class(bytes);
  return asked.bytes >= large ? p.large_blocks.at(block) : asked;
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

}  // namespace

void* pool_take(std::size_t bytes) {
  const Profile::Part part("allocate");
  check_fits(0, bytes);  // so that there is a class for it
  const SizeClass wanted = size_class(bytes);
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  const std::size_t beyond = wanted.index + (wanted.bytes >= large ? 5 : 1);
  const auto first = p.free.begin() + static_cast<std::ptrdiff_t>(wanted.index);
  const auto last = p.free.begin() + static_cast<std::ptrdiff_t>(std::min(beyond, classes));
  const auto free = std::find_if(first, last, [](const std::vector<void*>& blocks) { return !blocks.empty(); });
  if (free == last) {
    check_fits(p.statistics.system_bytes, wanted.bytes);
    void* const block = from_system(wanted.bytes);
    p.statistics.system_bytes += wanted.bytes;
    p.statistics.system_calls += 1;
    count_taken(p.statistics, bytes, wanted.bytes);
    if (wanted.bytes >= large) p.large_blocks[block] = wanted;
    return block;
  }
  void* const block = free->back();
  free->pop_back();
  const SizeClass c = made_as(p, block, bytes);
  count_taken(p.statistics, bytes, c.bytes);
#ifdef SOFTALIGN_ASAN
  ASAN_UNPOISON_MEMORY_REGION(block, c.bytes);
#endif
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const Profile::Part part("allocate");
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  const SizeClass c = made_as(p, block, bytes);
#ifndef NDEBUG
  std::memset(block, 0xff, c.bytes);  // all ones is a NaN in float and in double
#endif
#ifdef SOFTALIGN_ASAN
  ASAN_POISON_MEMORY_REGION(block, c.bytes);
#endif
  p.statistics.in_use_bytes -= c.bytes;
  p.statistics.asked_bytes -= bytes;
  p.free[c.index].push_back(block);
}

void pool_forget_most() {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  p.statistics.most_asked_bytes = p.statistics.asked_bytes;
}

PoolStatistics pool_statistics() {
  Pool& p = pool();
  const std::lock_guard lock(p.mutex);
  return p.statistics;
}

}  // namespace autograd
