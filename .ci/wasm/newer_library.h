// This file defines what libc++ 13 lacks of the standard library: std::bit_cast and std::atomic_ref. The build for
// WebAssembly (.ci/wasm.cmake) includes this file at the start of every source file.
#pragma once

#ifdef __cplusplus
#include <atomic>
#include <bit>

namespace std {
#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif
#ifndef __cpp_lib_atomic_ref
template <class T>
class atomic_ref {
 public:
  explicit atomic_ref(T& value) : value_(&value) {}
  void store(T value, memory_order order) const noexcept { __atomic_store_n(value_, value, static_cast<int>(order)); }

 private:
  T* value_;
};
#endif
}  // namespace std
#endif
