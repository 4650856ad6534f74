// Prompts: texts that start with given words, and that a language model continues.
#pragma once

#include <memory>

#include "models/seq2seq.h"

namespace softalign::models {

// A model with prompts as sources, in ids of the target vocabulary. Within a prompt, the next word is certain (log p =
// 0) and every other word is forbidden. After the prompt, `model` writes. Forced decoding is that of `model`, because
// all words are known. `model` must outlive it.
std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model);

}  // namespace softalign::models
