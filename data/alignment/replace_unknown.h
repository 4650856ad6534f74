// Unknown words of a translation, found by where the model looked when it wrote them.
#pragma once

#include <cstddef>

#include "data/alignment/lexicon.h"
#include "data/alignment/record.h"

namespace softalign::data {

// Each <unk> among the target words becomes the translation of the source word that its attention weights most (</s>
// not counted; of equal weights the first): the lexicon's if it has the word, else the source word itself, which is
// right for names and numbers (Luong, Sutskever et al. 2015, "Addressing the Rare Word Problem in Neural Machine
// Translation", section 3; Jean et al. 2015, "On Using Very Large Target Vocabulary for Neural Machine Translation").
// Returns how many were replaced. A record without source words keeps them. std::invalid_argument for one without
// attention, or whose rows belong to the words that are read.
size_t replace_unknown(Record& record, const Lexicon& lexicon);

}  // namespace softalign::data
