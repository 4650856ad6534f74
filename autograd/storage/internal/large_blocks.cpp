#include "autograd/storage/internal/large_blocks.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

#include "autograd/storage/internal/poison.h"

namespace autograd {

namespace {

// nullptr: none. The system may take another place than `wished`.
std::byte* map(std::byte* wished, std::size_t size) {
  void* const got = mmap(wished, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return got == MAP_FAILED ? nullptr : static_cast<std::byte*>(got);
}

// At a multiple of a huge page: as much more is asked for, and what lies around is given back.
std::byte* map_aligned(std::size_t size) {
  std::byte* const got = map(nullptr, size + LargeBlocks::huge_page);
  if (!got) throw std::bad_alloc();
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(got) % LargeBlocks::huge_page;
  if (before > 0) munmap(got, before);
  munmap(got + before + size, LargeBlocks::huge_page - before);
  return got + before;
}

}  // namespace

void* LargeBlocks::take(std::size_t size) {
  auto found = std::find_if(free_.begin(), free_.end(), [&](const auto& s) { return s.second == size; });
  if (found == free_.end()) {
    merge();
    for (auto i = free_.begin(); i != free_.end(); ++i)
      if (i->second >= size && (found == free_.end() || i->second < found->second)) found = i;
  }
  if (found == free_.end()) return nullptr;
  std::byte* const block = found->first + (found->second - size);
  if (block == found->first) free_.erase(found);
  else found->second -= size;
  return block;
}

void LargeBlocks::give(void* block, std::size_t size) { free_[static_cast<std::byte*>(block)] = size; }

void LargeBlocks::merge() {
  for (auto i = free_.begin(); i != free_.end();) {
    const auto next = std::next(i);
    if (next != free_.end() && i->first + i->second == next->first) {
      i->second += next->second;
      free_.erase(next);
    } else {
      i = next;
    }
  }
}

std::size_t LargeBlocks::missing(std::size_t size) const {
  const auto last = free_.find(lowest_);
  return in_huge_pages(last == free_.end() ? size : size - last->second);
}

std::size_t LargeBlocks::extend(std::size_t size) {
  const std::size_t more = missing(size);
  if (!lowest_) return 0;
  std::byte* const got = map(lowest_ - more, more);
  if (got == lowest_ - more) return add(got, more);
  if (got) munmap(got, more);
  return 0;
}

std::size_t LargeBlocks::begin_anew(std::size_t size) {
  const std::size_t all = in_huge_pages(size);
  return add(map_aligned(all), all);
}

std::size_t LargeBlocks::add(std::byte* memory, std::size_t size) {
  madvise(memory, size, MADV_HUGEPAGE);  // a hint: failing is harmless
  forbid(memory, size);
  lowest_ = memory;
  give(memory, size);
  return size;
}

}  // namespace autograd
