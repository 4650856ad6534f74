// The baseline's model that corresponds to one of ours, and its number of parameters by formula.
#pragma once

#include <optional>

#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

struct PeerModel {
  std::size_t parameters;     // without biases that do not change the function: the second one of each LSTM (4H,
                              // added to the first) and those of a Transformer's keys
  std::size_t second_biases;  // the number of those biases
  std::string differs;        // how the baseline's model differs; "" if it is the same
};
// Nothing if the baseline lacks the model: local windows, location, qkv, or rnnsearch with a score other than additive.
std::optional<PeerModel> peer_model(const Sizes& z, const models::ModelOptions& o);

}  // namespace benchmarks
