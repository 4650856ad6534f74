// An ensemble is a group of decoders with the same vocabulary that write one translation together. The probability of a
// word is the mean of the probabilities p_m that the M decoders give:
//
//   p(y_i | y_<i, x) = 1/M sum_m p_m(y_i | y_<i, x)
//
// y_i is word i of the translation, y_<i has the words before it, and x is the source. The decoders may have different
// types and different memories. The attention weights of the ensemble are the mean over the decoders with attention. An
// ensemble does not return the weights of single heads.
#pragma once

#include <memory>
#include <vector>

#include "models/seq2seq.h"

namespace softalign::models {

// make_ensemble returns a decoder that search, sampling and teacher forcing can use like any other decoder. Its memory
// comes from ensemble_memory and contains the memory of each decoder, in the same order and for the same sources.
// Throws std::invalid_argument if there are no decoders. Decoding throws std::invalid_argument if vocabularies differ
// in size, or if a Training is given, because an ensemble cannot be trained.
std::unique_ptr<Decoder> make_ensemble(std::vector<std::shared_ptr<const Decoder>> decoders);
Memory ensemble_memory(std::vector<Memory> memories);

// Combines several models into one model. Returns a single model unchanged.
std::unique_ptr<Seq2Seq> make_ensemble(std::vector<std::unique_ptr<Seq2Seq>> models);

}  // namespace softalign::models
