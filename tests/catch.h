// Includes the Catch2 of this machine: version 3, or version 2 as in Debian 12.
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
