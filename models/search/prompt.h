// A prompt is the beginning of a text, which a language model continues.
#pragma once

#include <memory>

#include "models/seq2seq.h"

namespace softalign::models {

// Returns a model whose sources are prompts, written in ids of the target vocabulary. At first, the model must repeat
// the prompt: its next word has log p = 0, and every other word is forbidden. After the prompt, `model` chooses the
// words. In teacher forcing, the new model gives the same losses as `model`, because all words are known. `model` must
// outlive the result.
std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model);

}  // namespace softalign::models
