// What a model must do, by formula: operations of a training step, bytes of weights read to decode a sentence.
// An implementation may do more; speed is measured against these.
#pragma once

#include "autograd/params.h"
#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

// Multiplications and additions of one training step: every product once forwards and twice backwards. The model's
// attention must be named, its cells be LSTMs, one layer deep; or it is a Transformer.
double training_flops(const Sizes& z, const models::ModelOptions& o);

// Bytes of weights that decoding one sentence (S words in, T out) reads at the least: the decoder's once a step, the
// encoder's recurrent ones once a word, the others once. Of embeddings single rows are read, which is nothing.
double decoding_bytes(const Sizes& z, const models::ModelOptions& o, const autograd::Params& params);

}  // namespace benchmarks
