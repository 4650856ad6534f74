// A prompt is the beginning of a text, which a language model continues.
#pragma once

#include <memory>

#include "models/seq2seq.h"

namespace softalign::models {

// Returns a new model whose sources are prompts: the beginnings of texts, in ids of the target vocabulary. The new
// model must first repeat the prompt: each word of the prompt has log p = 0, and all other words are forbidden. After
// the prompt, it gives the probabilities of `model`. In teacher forcing, all words are known, so the new model gives
// the same losses as `model`. `model` must outlive the result.
std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model);

}  // namespace softalign::models
