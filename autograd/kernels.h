// There are three ways to compute the expensive ops. `fused` is one node with a hand-written backward pass, and is
// fast. `composed` is the definition made of primitives; tests compare the others with it. `tiled` computes attention
// in memory that grows linearly with the length, and every other op as `fused`. The definitions are in layers/, under
// the paper's equation, next to the call of the fused op.
#pragma once

#include <array>
#include <cstddef>

#include "autograd/names.h"

namespace softalign::autograd {

enum class Kernels { fused, composed, tiled };
constexpr auto names_of(Kernels) {
  return names<Kernels>({{"fused", Kernels::fused}, {"composed", Kernels::composed}, {"tiled", Kernels::tiled}});
}
void set_kernels(Kernels kernels);
Kernels kernels();

// While a KernelsInForce exists, the ops use these kernels. Afterwards they use the earlier choice again.
class KernelsInForce {
 public:
  explicit KernelsInForce(Kernels kernels) : before_(autograd::kernels()) { set_kernels(kernels); }
  ~KernelsInForce() { set_kernels(before_); }
  KernelsInForce(const KernelsInForce&) = delete;
  KernelsInForce& operator=(const KernelsInForce&) = delete;

 private:
  Kernels before_;
};

// Turns int8 quantisation on or off: products with weights then use 8-bit integers (autograd/kernels/int8_weights.h).
// The setting applies to all threads, but only to computations that record no graph.
void set_int8(bool on);
bool int8();

// FusedOp lists every fused op. A test uses this list to check that each op has a composed definition.
enum class FusedOp {
  lstm,
  gru,
  additive_scores,
  dot_scores,
  gaussian_window,
  weighted_sum,
  output_cross_entropy,
  attention,
  layer_norm,
  convolution_2d,
  addressing,
  memory_write
};
inline constexpr std::array fused_op_names{"lstm",
                                           "gru",
                                           "additive_scores",
                                           "dot_scores",
                                           "gaussian_window",
                                           "weighted_sum",
                                           "output_cross_entropy",
                                           "attention",
                                           "layer_norm",
                                           "convolution_2d",
                                           "addressing",
                                           "memory_write"};
inline constexpr std::array tiled_op_names{"attention"};  // those of them that have a tiled form

// A build with -DSOFTALIGN_KERNELS=OFF leaves out autograd/kernels. Every op is then composed.
#ifdef SOFTALIGN_WITHOUT_KERNELS
inline constexpr bool have_kernels = false;
#else
inline constexpr bool have_kernels = true;
#endif

// Runs the form of `op` that the user has chosen.
template <FusedOp op, class Fused, class Composed>
auto dispatch(const Fused& fused, const Composed& composed) {
  static_assert(static_cast<std::size_t>(op) < fused_op_names.size());
  if constexpr (!have_kernels) return composed();
  else return kernels() == Kernels::composed ? composed() : fused();
}
template <FusedOp op, class Fused, class Composed, class Tiled>
auto dispatch(const Fused& fused, const Composed& composed, const Tiled& tiled) {
  if constexpr (!have_kernels) return composed();
  else return kernels() == Kernels::tiled ? tiled() : dispatch<op>(fused, composed);
}

}  // namespace softalign::autograd
