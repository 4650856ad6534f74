#include "tests/benchmarks/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace softalign;

namespace benchmarks {
namespace {

using Entries = autograd::Profile::Entries;
using Entry = autograd::Profile::Entry;

struct Group {
  const char* name;
  std::vector<std::string_view> ops;
};
// A product is counted in its own group, not in the op that calls it. An op's own time is therefore the rest of its
// work.
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"GEMM", {"gemm", "panels"}},
      {"attention", {"additive_scores", "dot_scores", "gaussian_window", "weighted_sum", "softmax"}},
      {"pointwise", {}},  // every op that no other group names: cells, sums, activations, biases
      {"softmax", {"output_cross_entropy", "cross_entropy", "log_softmax"}},
      {"optimiser", {"optimiser"}},
      {"memory", {"allocate", "fill", "copy", "concat", "slice", "gather", "reshape", "transpose"}},
      {"rest", {"graph", "shards"}}};  // the backward pass; waiting for other threads and adding up
  return all;
}

std::size_t group_of(std::string_view op) {
  std::size_t other = 0;
  for (std::size_t g = 0; g < groups().size(); ++g) {
    const auto& ops = groups()[g].ops;
    if (std::find(ops.begin(), ops.end(), op) != ops.end()) return g;
    if (ops.empty()) other = g;
  }
  return other;
}

}  // namespace

double total(const Entries& step) {
  double seconds = 0;
  for (const auto& [name, entry] : step) seconds += entry.forward + entry.backward;
  return seconds;
}

nlohmann::json report(const Entries& step) {
  std::vector<double> seconds(groups().size());
  double flops = 0;
  for (const auto& [name, entry] : step) {
    seconds[group_of(name)] += entry.forward + entry.backward;
    flops += entry.flops;
  }

  const double all = total(step);
  fmt::print("where the time of this thread goes, {:.2f} ms a step:\n", 1e3 * all);
  nlohmann::json shares;
  for (std::size_t g = 0; g < groups().size(); ++g) {
    fmt::print("  {:10} {:5.1f}%", groups()[g].name, 100 * seconds[g] / all);
    if (flops > 0 && groups()[g].name == std::string("GEMM"))
      fmt::print("  at {:.0f} GFLOP/s", 1e-9 * flops / seconds[g]);
    fmt::print("\n");
    shares[groups()[g].name] = seconds[g] / all;
  }

  const auto costlier = [](const auto& a, const auto& b) {
    return a.second.forward + a.second.backward > b.second.forward + b.second.backward;
  };
  std::vector<std::pair<std::string_view, Entry>> ops(step.begin(), step.end());
  std::sort(ops.begin(), ops.end(), costlier);
  if (ops.size() > 12) ops.resize(12);
  fmt::print("the costliest ops, ms a step     forward  backward     calls\n");
  for (const auto& [name, entry] : ops)
    fmt::print("  {:28} {:9.3f} {:9.3f} {:9}\n", name, 1e3 * entry.forward, 1e3 * entry.backward, entry.calls);
  return {{"shares", shares}, {"gemm_gflop_step", 1e-9 * flops}};
}

}  // namespace benchmarks
