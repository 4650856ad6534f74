#include "autograd/kernels/pool.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "autograd/array.h"
#include "autograd/hooks.h"
#include "autograd/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace softalign::autograd {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

constexpr std::size_t alignment = 64;
// A thread keeps freed blocks below this size for its own next arrays, because another core would have to fetch them.
constexpr std::size_t smallest_large = std::size_t{3} << 19;
constexpr std::size_t huge_page = std::size_t{2} << 20;

void check_fits(std::size_t taken, std::size_t bytes) {
  constexpr std::size_t largest = std::size_t{1}
                                  << (sizeof(std::size_t) == 8 ? 47 : 31);  // bytes of addresses, whatever the limit is
  const MemoryLimit& limit = memory_limit();
  const std::size_t most = std::min(limit.bytes, largest);
  if (bytes <= most && taken <= most - bytes) return;
  const auto text = [](std::size_t size) { return format_bytes(static_cast<double>(size)); };
  throw NotEnoughMemory(fmt::format("not enough memory: {} are taken, {} more are needed, and {} has {}", text(taken),
                                    text(bytes), limit.of, text(most)));
}

// Block sizes are 4, 5, 6 or 7 quarters of a power of two. A block is therefore at most a quarter larger than its
// array.
struct SizeClass {
  std::size_t index, bytes;
};
constexpr std::size_t class_bytes(std::size_t index) { return (5 + index % 4) * ((std::size_t{1} << (index / 4)) / 4); }
constexpr SizeClass size_class(std::size_t bytes) {
  const auto doubling = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes
  const std::size_t quarter = (std::size_t{1} << doubling) / 4;
  const std::size_t index = 4 * doubling + (bytes + quarter - 1) / quarter - 5;
  return {index, class_bytes(index)};
}

#ifdef __EMSCRIPTEN__

// In emscripten, munmap cannot release a part of a mapping. Therefore malloc also provides the large blocks.
void* map_pages(std::size_t bytes) {
  void* const block = std::aligned_alloc(alignment, bytes);
  if (!block) throw std::bad_alloc();
  return block;
}
void unmap_pages(void* block, std::size_t) { std::free(block); }
void* resize_pages(void*, std::size_t, std::size_t) { return MAP_FAILED; }

#else

// map_pages returns pages of the system; a large block is aligned to huge pages. It throws std::bad_alloc if the system
// has no pages.
void* map_pages(std::size_t bytes) {
  const std::size_t more = bytes < 2 * huge_page ? 0 : huge_page;
  void* const pages = mmap(nullptr, bytes + more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  if (more == 0) return pages;
  char* const begin = static_cast<char*>(pages);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, more - before);
  madvise(begin + before, bytes, MADV_HUGEPAGE);
  return begin + before;
}
void unmap_pages(void* block, std::size_t bytes) { munmap(block, bytes); }
void* resize_pages(void* block, std::size_t bytes, std::size_t new_bytes) {
  return mremap(block, bytes, new_bytes, MREMAP_MAYMOVE);
}

#endif

// LargeBlocks manages blocks of at least `smallest_large` bytes. Each block has the size of its class. Batches of
// different lengths have arrays of different sizes. Therefore LargeBlocks returns free blocks to the system before too
// many add up.
class LargeBlocks {
 public:
  void* take(SizeClass c) {
    const std::lock_guard lock(mutex_);
    std::vector<void*>& free = free_[c.index];
    void* block = nullptr;
    if (free.empty()) {
      check_fits(used_, c.bytes);
      block = release_for(c);
      if (!block) block = map_pages(c.bytes), held_ += c.bytes;
      ++calls_;
    } else {
      block = free.back();
      free.pop_back();
    }
    used_ += c.bytes;
    most_used_ = std::max(most_used_, used_);
    return block;
  }

  void give(void* block, SizeClass c) {
    const std::lock_guard lock(mutex_);
    free_[c.index].push_back(block);
    used_ -= c.bytes;
  }

  void add_to(PoolStatistics& statistics) {
    const std::lock_guard lock(mutex_);
    statistics.large_bytes = held_;
    statistics.system_calls = calls_;
  }

 private:
  // release_for returns free blocks to the system, the largest first, until another block of class `c` keeps `held_`
  // within the bound. The first block that fits becomes this block, so that the system need not clear its pages again.
  void* release_for(SizeClass c) {
    const std::size_t bound = std::max(most_used_, used_ + c.bytes) + (std::size_t{16} << 20);
    void* resized = nullptr;
    for (std::size_t i = free_.size(); i-- > 0;) {
      while (held_ + (resized ? 0 : c.bytes) > bound && !free_[i].empty()) {
        void* const block = free_[i].back();
        free_[i].pop_back();
        held_ -= class_bytes(i);
        const bool fits = i > c.index || c.bytes < 2 * huge_page;  // a growing block may lose its huge pages
        void* const moved = fits && !resized ? resize_pages(block, class_bytes(i), c.bytes) : MAP_FAILED;
        if (moved == MAP_FAILED) unmap_pages(block, class_bytes(i));
        else resized = moved, held_ += c.bytes;
      }
    }
    return resized;
  }

  std::mutex mutex_;
  std::array<std::vector<void*>, std::size_t{4} * 48> free_;  // by SizeClass::index
  std::size_t held_ = 0, used_ = 0, most_used_ = 0, calls_ = 0;
};
// The blocks are never destroyed, because arrays with static lifetime may free their memory after main.
LargeBlocks& large_blocks() {
  static LargeBlocks* instance = new LargeBlocks;
  return *instance;
}

#ifdef __GLIBC__
// By default, malloc returns freed memory to the system, and the next training step waits for the same pages again.
const bool malloc_keeps_pages = [] {
  return mallopt(M_MMAP_THRESHOLD, 32 << 20) == 1 && mallopt(M_TRIM_THRESHOLD, 128 << 20) == 1;
}();
#endif

bool is_large(std::size_t bytes) { return !sanitized && bytes >= smallest_large; }

// small_class uses the size classes of large blocks, rounded up to multiples of the alignment.
SizeClass small_class(std::size_t bytes) {
  if (bytes <= alignment) return {0, alignment};
  const SizeClass c = size_class(bytes);
  return {c.index, (c.bytes + alignment - 1) / alignment * alignment};
}

void* from_malloc(std::size_t bytes) {
  void* const block = std::aligned_alloc(alignment, bytes);
  if (!block) throw std::bad_alloc();
  return block;
}

// ThreadCache keeps the small blocks that a thread has freed for its next arrays, because malloc takes longer for
// aligned blocks. Above `most` bytes, freed blocks return to malloc. Otherwise blocks that one thread allocates and
// another frees would pile up.
class ThreadCache {
 public:
  // own returns the cache of this thread, or nullptr if the thread has ended. It also returns nullptr under sanitizers,
  // because they notice the use of freed memory only if malloc gets the memory back.
  static ThreadCache* own() {
    if (sanitized) return nullptr;
    if (state_ == State::unused) thread_local ThreadCache made;
    return own_;
  }

  ThreadCache() : bytes_(0) {
    own_ = this;
    state_ = State::used;
  }
  ~ThreadCache() {
    own_ = nullptr;
    state_ = State::ended;
    for (const std::vector<void*>& blocks : free_)
      for (void* block : blocks) std::free(block);
  }

  void* take(SizeClass c) {
    std::vector<void*>& free = free_[c.index];
    if (free.empty()) return from_malloc(c.bytes);
    void* const block = free.back();
    free.pop_back();
    bytes_ -= c.bytes;
    return block;
  }

  void give(void* block, SizeClass c) {
    constexpr std::size_t most = std::size_t{8} << 20;
    if (bytes_ + c.bytes > most) return std::free(block);
    free_[c.index].push_back(block);
    bytes_ += c.bytes;
  }

 private:
  enum class State { unused, used, ended };
  static constinit thread_local ThreadCache* own_;
  static constinit thread_local State state_;

  std::array<std::vector<void*>, size_class(smallest_large).index + 1> free_;  // by SizeClass::index
  std::size_t bytes_;
};
constinit thread_local ThreadCache* ThreadCache::own_ = nullptr;
constinit thread_local ThreadCache::State ThreadCache::state_ = State::unused;

void* take_small(std::size_t bytes) {
  const SizeClass c = small_class(bytes);
  ThreadCache* const cache = ThreadCache::own();
  return cache ? cache->take(c) : from_malloc(c.bytes);
}

void give_small(void* block, std::size_t bytes) {
  if (ThreadCache* const cache = ThreadCache::own()) cache->give(block, small_class(bytes));
  else std::free(block);
}

}  // namespace

bool use_pool() { return set_array_allocator({pool_take, pool_give}); }

void* pool_take(std::size_t bytes) {
  const Span span("allocate");
  check_fits(array_bytes().now, bytes);
  void* const block = is_large(bytes) ? large_blocks().take(size_class(bytes)) : take_small(bytes);
  count_array_taken(bytes);
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const Span span("allocate");
#ifndef NDEBUG
  std::memset(block, 0xff, bytes);  // all ones is a NaN in float and in double
#endif
  count_array_freed(bytes);
  if (is_large(bytes)) large_blocks().give(block, size_class(bytes));
  else give_small(block, bytes);
}

PoolStatistics pool_statistics() {
  PoolStatistics statistics;
  large_blocks().add_to(statistics);
  return statistics;
}

}  // namespace softalign::autograd
