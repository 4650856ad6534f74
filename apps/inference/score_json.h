// Scores as JSON, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/inference/evaluation_table.h"

namespace softalign::apps {

// Every figure but that of EM links; those of alignment are null without gold, that of pieces without pieces, entropy
// and end_attention without attention.
nlohmann::ordered_json json_of(const Score& score);

// {"all": {..}, "by_length": {"1-10": {..}, ..}, "by_tag": {..}}, as the text of a file. Each has `alignment_of_em`
// too, null if no pair has both gold and EM links.
std::string to_json(const Evaluation& evaluation);

}  // namespace softalign::apps
