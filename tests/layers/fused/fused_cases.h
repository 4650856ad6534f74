// The test cases of every fused op. A case has inputs and a function of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "autograd/kernels.h"
#include "autograd/var.h"
#include "layers/types.h"

using namespace softalign;

namespace fused_cases {

using namespace layers;
using namespace autograd;

using Inputs = std::vector<Var>;

struct Case {
  std::string name;
  Inputs inputs;
  std::function<Var(const Inputs&)> f;
};
using Cases = std::vector<Case>;

Cases lstm_cases();
Cases gru_cases();
Cases additive_scores_cases();
Cases dot_scores_cases();
Cases gaussian_window_cases();
Cases weighted_sum_cases();
Cases output_cross_entropy_cases();
Cases attention_cases();
Cases layer_norm_cases();
Cases convolution_2d_cases();
Cases addressing_cases();
Cases memory_write_cases();

// Selects the kernels while an object lives.
class Chosen {
 public:
  explicit Chosen(Kernels k) : before_(kernels()) { set_kernels(k); }
  ~Chosen() { set_kernels(before_); }

 private:
  Kernels before_;
};

}  // namespace fused_cases
