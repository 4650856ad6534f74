// How good a model is on a corpus: what train prints after each epoch and what evaluate reports.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/support/inference.h"
#include "data/alignment.h"
#include "data/bleu.h"
#include "data/chrf.h"
#include "data/corpus.h"

namespace apps {

// One pair with everything that is scored.
struct EvaluatedPair {
  const data::Pair* pair = nullptr;
  std::vector<data::Tokens> references;  // the pair's own target first
  ForcedPair forced;
  data::Tokens translation;
};

// Counts over a set of pairs, all pooled: sums first, never a mean over sentences.
struct Score {
  std::size_t pairs = 0;
  std::size_t target_tokens = 0;   // </s> counted
  double log_prob = 0;             // of the first references, nats
  std::size_t attention_rows = 0;  // 0 if the model has no attention
  double entropy_sum = 0;          // of the attention rows, nats, </s> rows counted
  std::size_t exact = 0;           // translations that are one of the references
  data::Bleu bleu;
  data::Chrf chrf;
  std::size_t with_gold = 0;  // pairs with gold links and attention; the next three are over these
  // Links by argmax of the forced attention. The row that writes a word is its own (shift 0); an implementation that is
  // off by one would show in shift 1, which gives each word the next row.
  data::AlignmentScore alignment, shifted;
  data::AlignmentScore without_fixed;  // without target words that have possible links only (fixed expressions)

  void add(const EvaluatedPair& pair);
  double loss() const;         // nats per target token
  double perplexity() const;   // exp(loss)
  double entropy() const;      // nats, mean over attention rows
  double exact_match() const;  // percent
  nlohmann::ordered_json json()
      const;  // every figure; those of alignment are null without gold, entropy without attention
};

// The pairs with forced decoding and translation, in the order of the corpus. Of `more_references` each is a whole
// second, third .. translation of the corpus.
std::vector<EvaluatedPair> evaluate(const Run& run, const std::vector<data::Pair>& pairs,
                                    const models::BeamOptions& options,
                                    const std::vector<std::vector<data::Tokens>>& more_references = {});

Score score(const std::vector<EvaluatedPair>& pairs);

// The score of each part of the corpus that has pairs: by source length in tens of words ("1-10", "11-20" ..), and by
// tag in order of their bytes.
struct NamedScore {
  std::string name;
  Score score;
};
std::vector<NamedScore> score_by_length(const std::vector<EvaluatedPair>& pairs);
std::vector<NamedScore> score_by_tag(const std::vector<EvaluatedPair>& pairs);

}  // namespace apps
