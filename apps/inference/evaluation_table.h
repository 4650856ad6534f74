// Scores as a table for people (for programs: score_json.h).
#pragma once

#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace softalign::apps {

struct Evaluation {
  Score all;
  std::vector<NamedScore> by_length, by_tag;
  std::string bleu_signature;  // scored_text.h; "" without translations
};

// BLEU, chrF, exact matches, AER, precision, recall and attention on </s> in percent; loss and entropy in nats per
// target token.
std::string format_table(const Evaluation& evaluation);

}  // namespace softalign::apps
