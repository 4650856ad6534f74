// Readout: what the decoder says before the output layer, from its state, the context and the previous word.
#pragma once

#include <string>
#include <vector>

#include "layers/init.h"

namespace softalign::layers {

// t~ = U_o s_i + V_o E y_{i-1} + C_o c_i + b      the three matrices stacked as W
//   maxout: t_j = max(t~_{2j-1}, t~_{2j})         Goodfellow et al. 2013; Bahdanau et al. 2015, appendix A.1.2
//   tanh:   t = tanh(t~)                          Luong et al. 2015, eq. 5, with the word beside it
// s (.., H)  c (.., D)  y (.., E)  ->  (.., l)
struct Readout {
  enum class Kind { maxout, tanh };
  Kind kind;
  Var W;  // (H + D + E, 2l) for maxout, (H + D + E, l) for tanh
  Var b;  // (2l) or (l)

  // kind: maxout | tanh. std::invalid_argument names the known ones.
  Readout(const Params& p, const std::string& kind, std::size_t inputs, std::size_t l, const Scheme& init);
  Var operator()(const Var& s, const Var& c, const Var& y) const;
};
const std::vector<std::string>& known_readouts();

}  // namespace softalign::layers
