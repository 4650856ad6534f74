// The engine has three ways to compute an expensive op, for example an LSTM. `fused` is one node of the graph with a
// backward pass written by hand, and is fast. `composed` is the definition from the paper, made of several simple ops;
// tests compare the other ways with it. `tiled` computes attention in memory that grows linearly with the length of the
// sequence, and all other ops as `fused` does. The definitions are in layers/, next to the call of the fused op.
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

// While a KernelsInForce exists, it sets the way in which ops are computed. Afterwards the earlier way applies again.
class KernelsInForce {
 public:
  explicit KernelsInForce(Kernels kernels) : before_(autograd::kernels()) { set_kernels(kernels); }
  ~KernelsInForce() { set_kernels(before_); }
  KernelsInForce(const KernelsInForce&) = delete;
  KernelsInForce& operator=(const KernelsInForce&) = delete;

 private:
  Kernels before_;
};

// Turns int8 quantisation on or off. If it is on, products with weights use 8-bit integers
// (autograd/kernels/int8_weights.h). The setting applies to all threads, but only to computations that record no graph
// for gradients.
void set_int8(bool on);
bool int8();

// FusedOp lists every fused op. A test checks that each op in this list also has a composed definition.
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
inline constexpr std::array tiled_op_names{"attention"};  // the fused ops that also have a tiled form

// A build with the CMake option -DSOFTALIGN_KERNELS=OFF has no folder autograd/kernels. Each op is then composed of
// simple ops.
#ifdef SOFTALIGN_WITHOUT_KERNELS
inline constexpr bool have_kernels = false;
#else
inline constexpr bool have_kernels = true;
#endif

// Computes `op` in the way that set_kernels() chose: fused (one node of the graph), composed (of simple ops) or tiled
// (block by block).
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
