// What is measured of decoding. As the peer's, it never stops early: every sentence takes all T steps.
#pragma once

#include "tests/benchmarks/training.h"

namespace benchmarks {

// Target words/s for 1 and for 32 sentences at once, encoding included: "greedy_b1_tok_s", or "beam5_b32_tok_s". For
// one sentence greedily, with all weights as they are, also the bytes of weights read a second and their share of the
// memory's bandwidth.
nlohmann::json measure_decoding(const Conditions& c, const Trainee& trainee, std::size_t beam);

}  // namespace benchmarks
