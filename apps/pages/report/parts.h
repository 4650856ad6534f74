// Tables of the parts of a test set: by source length, by construction.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// BLEU, and AER, of each model on parts of the test set; "" where there is nothing to show. The lowest AER, the highest
// BLEU of each column are bold, and the shade of a cell is its AER, or 100 - BLEU.
std::string bleu_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);
std::string aer_table(const Study& study, const Outcomes& outcomes, Parts Outcome::*parts);

}  // namespace softalign::apps
