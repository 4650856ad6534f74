// Ensembles: several decoders of the same vocabulary that write as one.
//
//   p(y_i | y_<i, x) = 1/M sum_m p_m(y_i | y_<i, x)
//
// They may differ in everything else, also in their memories. The weights are the mean over the decoders with
// attention. Single heads are not kept.
#pragma once

#include <memory>
#include <vector>

#include "models/seq2seq.h"

namespace softalign::models {

// A decoder that search, sampling and forced decoding can use as any other, and its memory, which contains the memory
// of each decoder in order, over the same sources. std::invalid_argument: no decoders; in decoding, vocabularies of
// different size; or a Training, because an ensemble cannot be trained.
std::unique_ptr<Decoder> make_ensemble(std::vector<std::shared_ptr<const Decoder>> decoders);
Memory ensemble_memory(std::vector<Memory> memories);

// Combines several models of text into one. A single model is returned unchanged.
std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models);

}  // namespace softalign::models
