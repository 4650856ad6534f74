// This file extracts the attention weights of one sentence, as plain numbers, from the weights of a batch, which are
// Vars.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "models/batch_weights.h"

namespace softalign::models {

// Appends a step to the weights of one sentence. It takes row `row`, up to the `length` of the source.
void append(data::AttentionWeights& weights, const BatchWeights& step, std::size_t row, std::size_t length);

// Appends the self-attention of sentence `b` in a batch of B. From weights (n*B, K, n), it takes rows i*B + b, with one
// row and column per word of the sentence and </s>.
void append(std::vector<data::Head>& heads, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length);

}  // namespace softalign::models
