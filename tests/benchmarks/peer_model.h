// The peer's model that stands beside one of ours, and its parameters by formula.
#pragma once

#include <optional>

#include "tests/benchmarks/workload.h"

namespace benchmarks {

struct PeerModel {
  std::size_t parameters;     // without the second bias vector that each of its LSTMs keeps (4H each, added to the
                              // first: it changes nothing that the model can compute)
  std::size_t second_biases;  // the numbers in those
  std::string differs;        // how, where it is not the same model; "" if it is
};
// Nothing where the peer has no such model: scopes, location, qkv, rnnsearch with another score than additive.
std::optional<PeerModel> peer_model(const Sizes& z, const models::ModelOptions& o);

}  // namespace benchmarks
