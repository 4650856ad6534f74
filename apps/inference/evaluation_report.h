// This file writes scores as text: a table for people, JSON for programs, and a table that compares the rules of
// symmetrisation.
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
  EvaluationScores all;
  std::vector<NamedScore> by_length, by_tag;
  std::string bleu_signature;  // evaluation.h; "" without translations
};

// Returns the most important scores. Each line has one score with its meaning, and lines are wrapped to the given
// number of columns. Translations have BLEU, exact match, the alignment error rate (AER), and the AER of links by
// expectation maximisation (EM). Other tasks have perplexity or attention accuracy. For example:
//   BLEU                  98.5   shared word sequences; 100: equal to the reference
std::string format_summary(const Evaluation& evaluation, std::size_t columns);

// Returns all scores: for the complete corpus, for each range of source lengths, and for each tag. The tables have at
// most the given number of columns. BLEU, chrF, exact matches, AER, precision, recall and the attention on </s> are in
// percent. Loss and entropy are in nats per target token.
std::string format_details(const Evaluation& evaluation, std::size_t columns);

// Returns all scores as JSON, except the score of EM links. Alignment scores are null without gold links. The alignment
// score of subwords is null without subwords, and precision is null if there are no links. `entropy` and
// `end_attention` are null without attention.
nlohmann::ordered_json json_of(const EvaluationScores& score);

// Returns the text of a JSON file: {"all": {..}, "by_length": {"1-10": {..}, ..}, "by_tag": {..}}. Each {..} contains
// the scores of a part of the corpus, and the score `alignment_of_em` of EM links. This score is null if no pair has
// both gold links and EM links.
std::string to_json(const Evaluation& evaluation);

// Returns a line of a short table of scores: a name, a value and its meaning, which is wrapped to `columns`.
std::string score_line(const std::string& name, const std::string& value, const std::string& meaning,
                       std::size_t columns);

// Returns a note if some but not all pairs have gold links, because AER leaves the other pairs out. Otherwise returns
// "".
std::string note_of_gold(std::size_t pairs_with_gold, std::size_t pairs);

// Returns a note if attention with this mean entropy is nearly uniform, else "". `largest` is the mean entropy of
// uniform attention.
std::string note_of_uniform_attention(double entropy, double largest);

// JointScores takes two models of opposite direction and joins their links by every rule of
// data/alignment/symmetrisation.h. It computes the alignment error rate (AER) of each rule on one corpus. Links are
// between words of the corpus lines.
class JointScores {
 public:
  explicit JointScores(double threshold) : threshold_(threshold) {}

  // Compares the links of each of the two models with the gold links of one pair. Leaves the pair out if it has no gold
  // links.
  void add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward);

  // Returns one line per rule, with AER, precision and recall in percent. The last line is "written: " followed by
  // `written`, the name of the rule whose links the program writes. Returns "" if no pair had gold links.
  std::string table(const std::string& written) const;

 private:
  double threshold_;  // minimum of the rule `agreement`
  std::map<std::string, data::AlignmentScore> scores_;
};

}  // namespace softalign::apps
