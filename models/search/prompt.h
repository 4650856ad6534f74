// Prompts are texts that start with given words. A language model continues them.
#pragma once

#include <memory>

#include "models/seq2seq.h"

namespace softalign::models {

// Returns a model that takes prompts as sources, in ids of the target vocabulary. Within a prompt, the next word is
// certain (log p = 0), and every other word is forbidden. After the prompt, `model` writes the words. In teacher
// forcing, the result equals that of `model`, because all words are known. `model` must outlive the result.
std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model);

}  // namespace softalign::models
