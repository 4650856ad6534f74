// These functions copy the attention weights of one sentence from the weights of a batch. The copies are plain numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "data/alignment/attention_weights.h"
#include "models/batch_weights.h"

namespace softalign::models {

// Appends one decoding step to the attention weights of a sentence. It copies the first `length` numbers of row `row`,
// where `length` is the number of source positions.
void append(data::AttentionWeights& weights, const BatchWeights& step, std::size_t row, std::size_t length);

// Appends the self-attention weights of sentence b of B. The weights of a layer are (n*B, K, n), for K heads and
// sentences of at most n words: row i*B + b has the weights of word i of sentence b. Each appended head has one row and
// one column per word of the sentence, including </s>.
void append(std::vector<data::Head>& heads, const std::vector<Heads>& self_attention, std::size_t b, std::size_t B,
            std::size_t source_length, std::size_t target_length);

}  // namespace softalign::models
