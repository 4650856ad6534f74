// Catch2 as this machine has it: version 3, or Debian 12's version 2.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
namespace Catch {
inline auto Contains(const std::string& part) { return Matchers::ContainsSubstring(part); }
}  // namespace Catch
#else
#include <catch2/catch.hpp>
#endif
