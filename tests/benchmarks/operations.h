// Work that a model cannot avoid, by formula: operations per training step, and bytes of weights read to decode a
// sentence. An implementation may do more work. Speed is measured against these numbers.
#pragma once

#include "autograd/params.h"
#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

// Multiplications and additions of one training step: every product counts once forward and twice backward. The options
// must name the attention. A recurrent model must have LSTM cells in one layer; the other possible model is the
// Transformer.
double training_flops(const Sizes& z, const models::ModelOptions& o);

// The least number of bytes of weights read to decode one sentence of S source and T target words. The decoder's
// weights are read once per step, the encoder's recurrent weights once per source word, the others once. Embeddings are
// not counted, because single rows are small.
double decoding_bytes(const Sizes& z, const models::ModelOptions& o, const autograd::Params& params);

}  // namespace benchmarks
