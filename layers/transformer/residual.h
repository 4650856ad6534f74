// The residual connection about a sub-layer, and where its layer norm stands.
#pragma once

#include <string>
#include <vector>

#include "data/io/choice.h"
#include "layers/dense/dropout.h"
#include "layers/transformer/layer_norm.h"

namespace softalign::layers {

// post: the paper's. pre: x itself runs through all layers unnormalised, so a stack of them ends in one more LN.
enum class Norm { post, pre };
inline const data::Choice<Norm>& norms() {
  static const data::Choice<Norm> choice("norm", {{"pre", Norm::pre}, {"post", Norm::post}});
  return choice;
}

//   post   x <- LN(x + dropout(sub(x)))                 Vaswani et al. 2017, section 3.1
//   pre    x <- x + dropout(sub(LN(x)))                 Xiong et al. 2020, table 1
class Residual {
 public:
  Residual(const Params& p, std::size_t d, Norm place, const Dropout& dropout)
      : norm_(p / "norm", d), place_(place), dropout_(dropout) {}

  // sub: Var -> Var of the same shape. Without `random` (inference) nothing is dropped.
  template <class Sub>
  Var operator()(const Var& x, const Sub& sub, Random* random) const {
    if (place_ == Norm::post) return norm_(x + dropout_(sub(x), random));
    return x + dropout_(sub(norm_(x)), random);
  }

 private:
  LayerNorm norm_;
  Norm place_;
  Dropout dropout_;
};

}  // namespace softalign::layers
