#include "autograd/hooks.h"

#include <cstdlib>
#include <new>

namespace softalign::autograd {
namespace {

void* take_of_system(std::size_t bytes) {
  constexpr std::size_t alignment = 64;
  void* const block = std::aligned_alloc(alignment, (bytes / alignment + 1) * alignment);  // one for no bytes too
  if (!block) throw std::bad_alloc();
  return block;
}
void give_to_system(void* block, std::size_t) noexcept { std::free(block); }

constinit Memory memory{take_of_system, give_to_system};

}  // namespace

Memory array_memory() { return memory; }
bool set_array_memory(Memory other) {
  memory = other;
  return true;
}

Observer*& Observer::first_here() {
  thread_local Observer* first = nullptr;
  return first;
}

Observer::Observer(Of of) : of_(of), next_(nullptr) {
  next_ = of_ == Of::all_threads ? everywhere_.load() : first_here();
  if (of_ == Of::all_threads) everywhere_ = this;
  else first_here() = this;
  ++count_;
}

Observer::~Observer() {
  --count_;
  if (of_ == Of::all_threads) everywhere_ = next_;
  else first_here() = next_;
}

}  // namespace softalign::autograd
