// Every fused op on inputs of the benchmarks' sizes, with the least work that it must do.
#pragma once

#include <array>
#include <string_view>

#include "tests/benchmarks/workload.h"
#include "tests/layers/fused/fused_cases.h"

using namespace softalign;

namespace benchmarks {

// Work of the forward and the backward pass together, by formula.
struct Work {
  double flops = 0;            // in matrix products
  double exps = 0, tanhs = 0;  // a sigmoid is an exp
  double bytes = 0;            // each array, as often as it must be read or written
};

struct MicroCase {
  fused_cases::Case op;  // its name is empty
  Work work;
};

struct MicroRow {
  std::string_view op;
  MicroCase (*make)(const Sizes& z);
};

// One function per element of autograd::fused_op_names.
MicroCase lstm(const Sizes& z);
MicroCase gru(const Sizes& z);
MicroCase additive_scores(const Sizes& z);
MicroCase dot_scores(const Sizes& z);
MicroCase gaussian_window(const Sizes& z);
MicroCase weighted_sum(const Sizes& z);
MicroCase output_cross_entropy(const Sizes& z);
MicroCase attention(const Sizes& z);
MicroCase layer_norm(const Sizes& z);
MicroCase convolution_2d(const Sizes& z);
MicroCase addressing(const Sizes& z);
MicroCase memory_write(const Sizes& z);
inline constexpr std::array micro_table{MicroRow{"lstm", lstm},
                                        MicroRow{"gru", gru},
                                        MicroRow{"additive_scores", additive_scores},
                                        MicroRow{"dot_scores", dot_scores},
                                        MicroRow{"gaussian_window", gaussian_window},
                                        MicroRow{"weighted_sum", weighted_sum},
                                        MicroRow{"output_cross_entropy", output_cross_entropy},
                                        MicroRow{"attention", attention},
                                        MicroRow{"layer_norm", layer_norm},
                                        MicroRow{"convolution_2d", convolution_2d},
                                        MicroRow{"addressing", addressing},
                                        MicroRow{"memory_write", memory_write}};

constexpr bool has_every_fused_op() {
  if (micro_table.size() != autograd::fused_op_names.size()) return false;
  for (std::size_t i = 0; i < micro_table.size(); ++i)
    if (micro_table[i].op != autograd::fused_op_names[i]) return false;
  return true;
}
static_assert(has_every_fused_op(), "a fused op without its row here is a fused op without a benchmark");

}  // namespace benchmarks
