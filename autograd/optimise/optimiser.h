// An optimiser moves the parameters one step against their gradients, and then clears the gradients.
//
//   Optimiser optimiser(params, {.kind = OptimiserKind::adam});
//   backward(loss);
//   optimiser.step(1e-3);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/names.h"
#include "autograd/params.h"

namespace softalign::autograd {

enum class OptimiserKind { sgd, adadelta, adam, adamw };
constexpr auto names_of(OptimiserKind) {
  return names<OptimiserKind>({{"sgd", OptimiserKind::sgd},
                               {"adadelta", OptimiserKind::adadelta},
                               {"adam", OptimiserKind::adam},
                               {"adamw", OptimiserKind::adamw}});
}

// Here g is the gradient, and r the learning rate of the step. g includes L2 decay (g + weight_decay w), except for
// adamw.
//   sgd       v = momentum v + g               w -= r v                          (plain w -= r g without momentum)
//   adadelta  G = rho G + (1 - rho) g^2        d = g sqrt(D + eps) / sqrt(G + eps)
//             D = rho D + (1 - rho) d^2        w -= r d                          Zeiler 2012, algorithm 1 (r = 1)
//   adam      m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
//             w -= r m^ / (sqrt(v^) + eps)     m^ = m / (1 - beta1^t), v^ = v / (1 - beta2^t)
//                                                                                Kingma & Ba 2015, algorithm 1
//   adamw     as adam, and w -= r weight_decay w before it                       Loshchilov & Hutter 2019, algorithm 2
//
// The optimiser applies row-sparse gradients (embeddings) lazily: it visits only the values and the state of touched
// rows. The dense rule would decay the running averages of untouched rows, but here they stay unchanged. t counts all
// steps. With momentum or weight decay, every row moves in every step. The optimiser then applies the gradient as a
// dense one.
struct OptimiserOptions {
  OptimiserKind kind = OptimiserKind::adam;
  double momentum = 0;  // sgd
  double rho = 0.95;    // adadelta
  double beta1 = 0.9;   // adam, adamw
  double beta2 = 0.999;
  double epsilon = 0;  // 0: the paper's, 1e-6 for adadelta and 1e-8 for adam and adamw
  double weight_decay = 0;
};
std::size_t arrays_kept(const OptimiserOptions& options);  // by the rule, for each parameter

// NamedArray is an array of the optimiser's memory, for checkpoints: "adam/m/encoder/forward/W". It shares the
// optimiser's numbers, so writing into it restores them.
struct NamedArray {
  std::string name;
  Array array;
};

class Optimiser {
 public:
  // Optimises the parameters that are declared so far. Throws std::invalid_argument for an option out of its range.
  Optimiser(const Params& params, const OptimiserOptions& options);

  // Updates every parameter that has a gradient, and clears all gradients. Throws std::invalid_argument if a parameter
  // was declared after the optimiser was constructed.
  void step(double learning_rate);

  std::vector<NamedArray> state() const;  // zeros before the first step
  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

 private:
  Params params_;
  OptimiserOptions options_;
  std::vector<std::vector<Array>> memory_;  // per parameter, as many arrays as the rule keeps
  std::uint64_t steps_ = 0;
};

}  // namespace softalign::autograd
