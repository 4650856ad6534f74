// This file defines std::bit_cast, because libc++ 13 lacks it. The build for WebAssembly (.ci/wasm.cmake) includes this
// file at the start of every source file.
#pragma once

#ifdef __cplusplus
#include <bit>

#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#endif
