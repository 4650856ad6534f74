// How good a model is on a corpus: what train prints after each epoch and what evaluate reports.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/inference/unknown_words.h"
#include "apps/run/inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/link_extraction.h"
#include "data/corpus/corpus.h"
#include "data/metrics/aer.h"
#include "data/metrics/attention_accuracy.h"
#include "data/metrics/bleu.h"
#include "data/metrics/chrf.h"

namespace softalign::apps {

// BLEU, chrF and exact match compare the sentence that is printed and the user's own reference lines, by one rule
// whatever the run's tokeniser is, so that scores of different runs compare.
// words: tokens of data/text/tokenizer.h in lower case, each character of a script without spaces one of them. 13a:
// sacreBLEU's default, case-sensitive.
inline constexpr const char* standard_words = "words";
inline constexpr const char* mteval_13a = "13a";

struct ScoredText {
  data::Tokens words;  // for BLEU and exact match
  std::string text;    // for chrF
};

// A translation, of which these are the run's own words; and a reference with its line, if that is known.
ScoredText scored_translation(const Run& run, const data::Tokens& words, const std::string& rule);
ScoredText scored_reference(const Run& run, const data::Tokens& words, const std::string& line,
                            const std::string& rule);

// As sacreBLEU writes what a figure was measured by: "nrefs:1|case:lc|eff:no|tok:words|smooth:exp"; `references`: of
// each pair, 0 if that varies.
std::string bleu_signature(const std::string& rule, std::size_t references);

// The links of a pair between its pieces, where words are cut into them: those of the model, and the gold's, in which
// all pieces of two words that are linked are.
struct PieceLinks {
  data::Links found;
  data::Gold gold;
};

// One pair with everything that is scored, in words.
struct EvaluatedPair {
  const data::Pair* pair = nullptr;
  std::vector<ScoredText> references;  // the pair's own target first
  TeacherForcedPair forced;
  std::size_t target_tokens = 0;  // that the model wrote: pieces, if words are cut into them, and </s>
  std::optional<PieceLinks> piece_links;
  std::optional<data::Links> links;       // by another rule than argmax (set_links)
  std::optional<data::Links> em_links;    // apps/em/em_baseline.h
  std::optional<ScoredText> translation;  // none of a language model
  std::size_t grid_columns = 0;           // of the cells of a picture
  bool of_ensemble = false;               // the weights are means, in which several looks are one
};

// Counts over a set of pairs, all pooled: sums first, never a mean over sentences.
struct Score {
  std::size_t pairs = 0;
  std::size_t target_tokens = 0;   // words, or pieces; </s> counted
  double log_prob = 0;             // of the first references, nats
  std::size_t attention_rows = 0;  // 0 if the model has no attention
  double entropy_sum = 0;          // of the attention rows, nats, </s> rows counted
  double even_sum = 0;             // of the same rows, were their weights all equal
  std::size_t word_rows = 0;       // attention rows that write a word
  double end_sum = 0;              // of what these rows give to the source's </s>
  std::size_t translated = 0;      // pairs that have a translation; the next three are over these
  std::size_t exact = 0;           // translations that are one of the references, and not empty
  data::Bleu bleu;
  data::Chrf chrf;
  // Pairs with gold links and attention; the next three are over these. Places need sure ones.
  std::size_t with_gold = 0;
  // Links by argmax of the forced attention, or by the rule that was asked for. The row that writes a word is its own
  // (shift 0); an implementation that is off by one would show in shift 1, which gives each word the next row.
  data::AlignmentScore alignment, shifted;
  data::AlignmentScore without_fixed;  // without target words that have possible links only (fixed expressions)
  std::map<std::pair<std::size_t, std::size_t>, data::AlignmentScore> by_head;  // of {layer, head}, by argmax
  std::size_t with_decoder = 0;     // pairs with gold whose alignment is that of an alignment layer
  data::AlignmentScore of_decoder;  // over these: the decoder's own attention, by argmax
  std::size_t with_piece_gold = 0;  // pairs with links between pieces
  data::AlignmentScore pieces;      // over these
  data::AttentionAccuracy
      attention_accuracy;  // of cells of pictures, sentences of stories, and texts that look at themselves
  // Words of texts that gold links to their own past, and those of them that were the most probable ones there.
  std::size_t linked_words = 0, greedy_match = 0;
  std::size_t asked = 0;          // questions to stories that have gold and attention; the next is over these
  std::size_t supported = 0;      // each of the gold sentences has the largest weight of some look
  std::size_t with_em_links = 0;  // pairs with gold links and links by expectation-maximisation
  data::AlignmentScore em;        // over these

  void add(const EvaluatedPair& pair);
  double greedy_match_rate() const;  // of the linked words, 0..1
  double supported_part() const;     // of the questions, 0..1
  double loss() const;               // nats per target token
  double perplexity() const;         // exp(loss)
  double entropy() const;            // nats, mean over attention rows
  double even_entropy() const;       // the largest that it can be: of equal weights
  // The part of the attention, 0..1, that rests on </s> while words are written. Where it is large the decoder knows
  // what to write without looking, and alignments miss those words.
  double end_attention() const;
  double exact_match() const;  // percent
};

// The pairs with forced decoding and translation, in the order of the corpus. Of `more_references` each is a whole
// second, third .. translation of the corpus, one line per pair; a blank line is no reference. `scored_by` is
// standard_words or mteval_13a.
std::vector<EvaluatedPair> evaluate(const Run& run, const std::vector<data::Pair>& pairs,
                                    const models::BeamOptions& options,
                                    const std::vector<std::vector<std::string>>& more_references = {},
                                    const UnknownWords& unknown = {}, const std::string& scored_by = standard_words);

// Gives every pair that has attention its links by this rule, which its AER is then of.
void set_links(std::vector<EvaluatedPair>& pairs, const data::LinkRule& rule);

Score score(const std::vector<EvaluatedPair>& pairs);

// The score of each part of the corpus that has pairs: by length of source, or of the text that has none, in so many
// words each ("1-10", "11-20" ..), and by tag in order of their bytes.
struct NamedScore {
  std::string name;
  Score score;
};
std::vector<NamedScore> score_by_length(const std::vector<EvaluatedPair>& pairs, std::size_t width = 10);
std::vector<NamedScore> score_by_tag(const std::vector<EvaluatedPair>& pairs);

}  // namespace softalign::apps
