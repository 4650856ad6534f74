// From the attention weights of a batch, which are Vars, to one sentence's plain numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "models/batch_weights.h"

namespace softalign::models {

// One sentence's weights a step further: row `row`, as far as the source's own `length`.
void append(data::AttentionWeights& weights, const BatchWeights& step, std::size_t row, std::size_t length);

// The self-attention of sentence `b` of a batch of B: of weights (n*B, K, n), row i*B + b, as many rows
// and columns as the sentence has words and </s> on that side.
void append(std::vector<data::Head>& heads, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length);

}  // namespace softalign::models
