// Scores as a table for people, and as JSON for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"

namespace apps {

struct Evaluation {
  Score all;
  std::vector<NamedScore> by_length, by_tag;
};

// BLEU, chrF, exact matches, AER, precision, recall and attention on </s> in percent; loss and entropy in nats per
// target token.
std::string format_table(const Evaluation& evaluation);

// {"all": {..}, "by_length": {"1-10": {..}, ..}, "by_tag": {..}}, figures as Score::json gives them.
nlohmann::ordered_json to_json(const Evaluation& evaluation);

}  // namespace apps
