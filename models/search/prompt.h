// Prompts: texts that begin with given words and go on as a language model has it.
#pragma once

#include <memory>

#include "models/seq2seq.h"

namespace softalign::models {

// A model whose sources are prompts, in ids of the target vocabulary: while a text's prompt lasts its next word is
// certain (log p = 0) and every other one forbidden; from there on `model` writes, having read it. Forced decoding is
// the model's own: it knows all words. `model` must outlive it.
std::unique_ptr<Seq2Seq> prompted(const Seq2Seq& model);

}  // namespace softalign::models
