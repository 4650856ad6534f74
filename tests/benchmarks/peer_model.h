// The peer's model that stands beside one of ours, and its parameters by formula.
#pragma once

#include <optional>

#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

struct PeerModel {
  std::size_t parameters;     // without biases that change nothing that the model can compute: the second one of each
                              // of its LSTMs (4H, added to the first), those of a Transformer's keys
  std::size_t second_biases;  // the numbers in those
  std::string differs;        // how, where it is not the same model; "" if it is
};
// Nothing where the peer has no such model: local windows, location, qkv, rnnsearch with another score than additive.
std::optional<PeerModel> peer_model(const Sizes& z, const models::ModelOptions& o);

}  // namespace benchmarks
