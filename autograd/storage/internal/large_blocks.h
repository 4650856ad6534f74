// LargeBlocks: memory for large arrays. What is given back keeps its size, which the next step will ask for again.
// Where nothing free has the size that is asked for, free neighbours become one and the smallest stretch that is large
// enough is cut: so the arrays of one part of a step do not stand in the way of those of the next.
#pragma once

#include <cstddef>
#include <map>

namespace autograd {

class LargeBlocks {
 public:
  static constexpr std::size_t grain = std::size_t{1} << 16, huge_page = std::size_t{2} << 20;  // bytes
  // What a block of so many bytes takes, and what the system is asked for.
  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + grain - 1) / grain * grain; }
  static constexpr std::size_t in_huge_pages(std::size_t bytes) {
    return (bytes + huge_page - 1) / huge_page * huge_page;
  }

  LargeBlocks() = default;
  LargeBlocks(const LargeBlocks&) = delete;
  LargeBlocks& operator=(const LargeBlocks&) = delete;

  // Sizes are multiples of `grain`. nullptr: nothing free is large enough.
  void* take(std::size_t size);
  void give(void* block, std::size_t size);

  // After take() found nothing: how much the system has to be asked for. It is less than `size` where the lowest of
  // what it gave last is free, since below that it goes on.
  std::size_t missing(std::size_t size) const;
  // Asks for that below what it gave last, or for all of it anywhere, and returns how much there is more: huge pages,
  // which take no memory until somebody writes. 0: other memory lies there. std::bad_alloc: there is none.
  std::size_t extend(std::size_t size);
  std::size_t begin_anew(std::size_t size);

 private:
  void merge();
  std::size_t add(std::byte* memory, std::size_t size);

  std::map<std::byte*, std::size_t> free_;  // by address; what is cut leaves its lower part
  std::byte* lowest_ = nullptr;             // of what the system gave last
};

}  // namespace autograd
