#include "tests/benchmarks/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace benchmarks {
namespace {

struct Group {
  const char* name;
  std::vector<std::string_view> ops;
};
// Products are charged apart from the ops that call for them, so that an op's own time is the rest of its work.
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"GEMM", {"gemm"}},
      {"attention", {"additive_scores", "dot_scores", "gaussian_window", "weighted_sum", "softmax"}},
      {"pointwise", {}},  // whatever no other group names: cells, sums, activations, biases
      {"softmax", {"output_cross_entropy", "cross_entropy", "log_softmax"}},
      {"optimiser", {"optimiser"}},
      {"memory", {"allocate", "fill", "copy", "concat", "slice", "gather", "reshape", "transpose", "deferred"}},
      {"rest", {"graph", "shards"}}};  // the backward walk; waiting for the other threads and adding up
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

nlohmann::json report(const autograd::Profile& profile, std::size_t steps) {
  using Entry = autograd::Profile::Entry;
  std::vector<double> seconds(groups().size());
  std::vector<std::pair<std::string_view, Entry>> ops(profile.entries().begin(), profile.entries().end());
  double total = 0, flops = 0;
  for (const auto& [name, entry] : ops) {
    seconds[group_of(name)] += entry.forward + entry.backward;
    total += entry.forward + entry.backward;
    flops += entry.flops;
  }

  fmt::print("where the time of this thread goes, {:.2f} ms a step:\n", 1e3 * total / double(steps));
  nlohmann::json shares;
  for (std::size_t g = 0; g < groups().size(); ++g) {
    fmt::print("  {:10} {:5.1f}%", groups()[g].name, 100 * seconds[g] / total);
    if (flops > 0 && groups()[g].name == std::string("GEMM"))
      fmt::print("  at {:.0f} GFLOP/s", 1e-9 * flops / seconds[g]);
    fmt::print("\n");
    shares[groups()[g].name] = seconds[g] / total;
  }

  const auto costlier = [](const auto& a, const auto& b) {
    return a.second.forward + a.second.backward > b.second.forward + b.second.backward;
  };
  std::sort(ops.begin(), ops.end(), costlier);
  if (ops.size() > 12) ops.resize(12);
  fmt::print("the costliest ops, ms a step     forward  backward     calls\n");
  for (const auto& [name, entry] : ops)
    fmt::print("  {:28} {:9.3f} {:9.3f} {:9}\n", name, 1e3 * entry.forward / double(steps),
               1e3 * entry.backward / double(steps), entry.calls / steps);
  return {{"shares", shares}, {"gemm_gflop_step", 1e-9 * flops / double(steps)}};
}

}  // namespace benchmarks
