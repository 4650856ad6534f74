// phi: what keys and queries become, so that a product of two is a weight.
#pragma once

#include "layers/types.h"

namespace softalign::layers {

// Of each head's d numbers x, with r = relu([x; -x]), 2d numbers counted from 0:
//   identity       x                                                d numbers: unnormalised, fast weights
//   elu_plus_one   x + 1 where x > 0, else e^x                      d        Katharopoulos et al. 2020, section 3.2.1
//   dpfp           phi_{2d (i-1) + j} = r_j r_{j+i}, i = 1 .. nu    2d nu    Schlag et al. 2021, section 5
// (j + i counted round the end)
enum class FeatureMap { identity, elu_plus_one, dpfp };

// x (T, B, K*d)  ->  (T, B, K*m), m as above. Where lengths (B) are given, what stands behind them becomes 0: phi(0) of
// a padded key is not, and would be counted.
Var features(FeatureMap map, const Var& x, std::size_t K, const std::vector<std::size_t>& lengths = {},
             std::size_t nu = 1);

// phi / (sum phi + 1e-6) of each head: for the delta rule         Schlag et al. 2021, section 4.2
Var unit_sum(const Var& phi, std::size_t K);

}  // namespace softalign::layers
