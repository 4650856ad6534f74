// Measures decoding. As in the baseline, decoding never stops early, so every sentence takes all T steps.
#pragma once

#include "tests/benchmarks/training.h"

namespace benchmarks {

// Target words/s including encoding, for 1 sentence and for 32 sentences at once ("greedy_b1_tok_s" or
// "beam5_b32_tok_s"). For greedy decoding of one sentence with unquantised weights, the result also has the bytes of
// weights read per second. "share_of_bandwidth" divides them by the bandwidth of the memory.
nlohmann::json measure_decoding(const Conditions& c, const Trainee& trainee, std::size_t beam);

}  // namespace benchmarks
