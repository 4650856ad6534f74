// This file provides std::from_chars. libc++ before version 20 has no std::from_chars for floating-point numbers. In
// this case, the library fast_float reads them.
#pragma once

#include <charconv>
#include <concepts>

#ifndef __cpp_lib_to_chars
#include <fast_float/fast_float.h>
#endif

namespace softalign::data {

using std::from_chars;

#ifndef __cpp_lib_to_chars
template <std::floating_point Number>
std::from_chars_result from_chars(const char* first, const char* last, Number& value) {
  const fast_float::from_chars_result result = fast_float::from_chars(first, last, value);
  return {result.ptr, result.ec};
}
#endif

}  // namespace softalign::data
