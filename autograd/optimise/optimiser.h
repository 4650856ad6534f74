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

// OptimiserOptions has the options of an optimiser. The formulas above the class Optimiser explain them.
struct OptimiserOptions {
  OptimiserKind kind = OptimiserKind::adam;
  double momentum = 0;  // sgd
  double rho = 0.95;    // adadelta
  double beta1 = 0.9;   // adam, adamw
  double beta2 = 0.999;
  double epsilon = 0;  // 0: as in the paper, 1e-6 for adadelta and 1e-8 for adam and adamw
  double weight_decay = 0;
};
std::size_t arrays_kept(const OptimiserOptions& options);  // number of running averages of each parameter

// NamedArray is one of the arrays in which an optimiser stores its running averages, with a name for checkpoints:
// "adam/m/encoder/forward/W". It shares the optimiser's memory. A program that resumes a training copies the saved
// averages into it.
struct NamedArray {
  std::string name;
  Array array;
};

// An optimiser changes a weight w by its gradient g and the learning rate r of the step. For all kinds but adamw, g
// includes L2 decay (g + weight_decay w). G, D, m and v are running averages, m^ and v^ are averages with corrected
// bias, d is Adadelta's change, and t counts all steps. The other names are options.
//   sgd       v = momentum v + g               w -= r v                          (plain w -= r g without momentum)
//   adadelta  G = rho G + (1 - rho) g^2        d = g sqrt(D + eps) / sqrt(G + eps)
//             D = rho D + (1 - rho) d^2        w -= r d                          Zeiler 2012, algorithm 1 (r = 1)
//   adam      m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
//             w -= r m^ / (sqrt(v^) + eps)     m^ = m / (1 - beta1^t), v^ = v / (1 - beta2^t)
//                                                                                Kingma & Ba 2015, algorithm 1
//   adamw     w -= r weight_decay w, then as adam                                Loshchilov & Hutter 2019, algorithm 2
//
// A table of embeddings has a row-sparse gradient: only the rows that were used have one. The optimiser then updates
// only these rows and their running averages. The averages of the other rows stay as they are, although the formulas
// would decay them. With momentum or weight decay, every row must move in every step, so the optimiser treats the
// gradient as dense.
class Optimiser {
 public:
  // Optimises all parameters that exist now in `params`. Throws std::invalid_argument if an option is out of its range.
  Optimiser(const Params& params, const OptimiserOptions& options);

  // Updates every parameter that has a gradient, and clears all gradients. Throws std::invalid_argument if a parameter
  // was declared after the construction of the optimiser.
  void step(double learning_rate);

  std::vector<NamedArray> state() const;  // zeros before the first step
  std::uint64_t steps() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

 private:
  Params params_;
  OptimiserOptions options_;
  std::vector<std::vector<Array>> memory_;  // the running averages of each parameter
  std::uint64_t steps_ = 0;
};

}  // namespace softalign::autograd
