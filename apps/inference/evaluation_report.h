// This file writes scores as text: a table for people, JSON for programs, and a table of the rules of symmetrisation.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/inference/evaluation.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/corpus.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

struct Evaluation {
  Score all;
  std::vector<NamedScore> by_length, by_tag;
  std::string bleu_signature;  // evaluation.h; "" without translations
};

// Returns the most important scores, one per line with its meaning, wrapped to the given number of columns. They are
// BLEU, exact match, AER and the AER of EM for translations, and perplexity or attention accuracy for other tasks.
//   BLEU                  98.5   words in a row as in the reference; 100: the same
std::string format_summary(const Evaluation& evaluation, std::size_t columns);

// Returns all scores, in total, by length and by tag, in tables with at most the given number of columns. BLEU, chrF,
// exact matches, AER, precision, recall and attention on </s> are in percent. Loss and entropy are in nats per target
// token.
std::string format_details(const Evaluation& evaluation, std::size_t columns);

// Returns all scores as JSON, except the score of EM links. Alignment scores are null without gold links. The alignment
// score of subwords is null without subwords. entropy and end_attention are null without attention.
nlohmann::ordered_json json_of(const Score& score);

// Returns {"all": {..}, "by_length": {"1-10": {..}, ..}, "by_tag": {..}}, as the text of a file. Each score also has
// `alignment_of_em`, which is null if no pair has both gold and EM links.
std::string to_json(const Evaluation& evaluation);

// JointScores computes the AER of the joint links of two models of opposite direction on one corpus, by every rule of
// data/alignment/symmetrisation.h. It compares links and gold links over the words of the lines.
class JointScores {
 public:
  explicit JointScores(double threshold) : threshold_(threshold) {}

  // Compares the links of both models on a pair. It leaves out a pair without gold links.
  void add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward);

  // Returns one line per rule, with AER, precision and recall in percent, and a last line that names what was written.
  // Returns "" if no pair had gold links.
  std::string table(const std::string& written) const;

 private:
  double threshold_;  // of rule agreement
  std::map<std::string, data::AlignmentScore> scores_;
};

}  // namespace softalign::apps
