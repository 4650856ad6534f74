// An ensemble is several decoders of the same vocabulary that write one translation together.
//
//   p(y_i | y_<i, x) = 1/M sum_m p_m(y_i | y_<i, x)
//
// The decoders may differ in everything else, also in their memories. The attention weights are the mean over the
// decoders with attention. An ensemble does not keep single heads.
#pragma once

#include <memory>
#include <vector>

#include "models/seq2seq.h"

namespace softalign::models {

// Returns a decoder that search, sampling and teacher forcing can use like any other, and its memory. The memory
// contains the memory of each decoder in order, over the same sources. Throws std::invalid_argument if there are no
// decoders. Decoding throws it if the vocabularies differ in size, or if there is a Training, because an ensemble
// cannot be trained.
std::unique_ptr<Decoder> make_ensemble(std::vector<std::shared_ptr<const Decoder>> decoders);
Memory ensemble_memory(std::vector<Memory> memories);

// Combines several models of text into one. Returns a single model unchanged.
std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models);

}  // namespace softalign::models
