// What free memory looks like where sanitizers watch: nobody may read or write it.
#pragma once

#include <cstddef>

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

inline void allow([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef SOFTALIGN_ASAN
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

inline void forbid([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef SOFTALIGN_ASAN
  ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
}

}  // namespace autograd
