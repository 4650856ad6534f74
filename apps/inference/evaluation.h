// This file computes the scores of a model on a corpus. `train` prints some scores after each epoch, and `evaluate`
// reports all scores.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/inference/unknown_words.h"
#include "apps/run/batched_inference.h"
#include "apps/run/run_folder.h"
#include "data/alignment/link_extraction.h"
#include "data/corpus/corpus.h"
#include "data/metrics/aer.h"
#include "data/metrics/attention_accuracy.h"
#include "data/metrics/bleu.h"
#include "data/metrics/chrf.h"

namespace softalign::apps {

// BLEU, chrF and exact match compare the printed translation with the user's reference lines. They split both into
// words by a rule that does not depend on the run's tokeniser, so you can compare scores of different runs. With the
// rule `words`, the words are the lower-cased tokens of data/text/tokenizer.h; in a script without spaces, each
// character is a token. The rule `13a` is the default of sacreBLEU and is case-sensitive.
inline constexpr const char* standard_words = "words";
inline constexpr const char* mteval_13a = "13a";

struct ScoredText {
  data::Tokens words;  // for BLEU and exact match
  std::string text;    // for chrF
};

// These functions prepare a translation or a reference for BLEU, chrF and exact match. `words` are the tokens of the
// text, split by the run's tokeniser. `line` is the reference as the user wrote it. If `line` is empty, the function
// joins the tokens instead.
ScoredText scored_translation(const LoadedRun& run, const data::Tokens& words, const std::string& rule);
ScoredText scored_reference(const LoadedRun& run, const data::Tokens& words, const std::string& line,
                            const std::string& rule);

// Returns the signature of a BLEU score in the format of sacreBLEU: "nrefs:1|case:lc|eff:no|tok:words|smooth:exp".
// `references` is the number of references per pair, or 0 if the number varies.
std::string bleu_signature(const std::string& rule, std::size_t references);

// SubwordLinks has the links of a pair between its subwords: the links of the model, and the gold (reference) links. If
// two words are linked, all of their subwords are linked.
struct SubwordLinks {
  data::Links found;
  data::Gold gold;
};

// EvaluatedPair has one sentence pair and all results from which its scores are computed.
struct EvaluatedPair {
  const data::Pair* pair = nullptr;
  std::vector<ScoredText> references;  // references of the pair; the pair's own target is the first
  TeacherForcedPair teacher_forced;
  std::size_t target_tokens = 0;  // tokens that the model wrote: words or subwords, and </s>
  std::optional<SubwordLinks> subword_links;
  std::optional<data::Links> links;       // if another rule than argmax makes the links (set_links)
  std::optional<data::Links> em_links;    // apps/em/em_baseline.h
  std::optional<ScoredText> translation;  // not set if the model is a language model
  std::size_t grid_columns = 0;           // number of columns if the source is a picture divided into cells
  bool of_ensemble = false;               // each weight is a mean over several models
};

// Attention is nearly uniform if its mean entropy is more than this fraction of the largest possible entropy. The links
// of such attention mean little.
constexpr double nearly_uniform = 0.9;

// EvaluationScores has counts over a set of pairs. A score, for example BLEU, is computed from the sums of the counts.
// It is not a mean over sentences.
struct EvaluationScores {
  std::size_t pairs = 0;
  std::size_t target_tokens = 0;   // words or subwords, with </s>
  double log_prob = 0;             // log-probability of the first references, in nats
  std::size_t attention_rows = 0;  // 0 if the model has no attention
  double entropy_sum = 0;          // sum over the attention rows, in nats, with the rows that write </s>
  double even_sum = 0;             // the same sum if all weights of a row were equal
  std::size_t word_rows = 0;       // attention rows that write a word
  double end_sum = 0;              // sum of the weights of these rows on the source's </s>
  std::size_t translated = 0;      // pairs that have a translation; the next three are over these
  std::size_t exact = 0;           // translations that are one of the references, and not empty
  data::Bleu bleu;
  data::Chrf chrf;
  // `with_gold` is the number of pairs with gold links and attention. The next three scores are over these pairs.
  std::size_t with_gold = 0;
  // `alignment` and `shifted` compare links of the model with the gold links. The model's links come from the largest
  // attention weight under teacher forcing, or from the chosen rule. `alignment` uses the row in which the decoder
  // writes a word. `shifted` uses the next row, so it shows the error of an implementation that is off by one.
  data::AlignmentScore alignment, shifted;
  data::AlignmentScore without_fixed;  // without target words that have possible links only (fixed expressions)
  std::map<std::pair<std::size_t, std::size_t>, data::AlignmentScore> by_head;  // score of a {layer, head}, by argmax
  std::size_t with_decoder = 0;       // pairs with gold links and an alignment layer, which gives their alignment
  data::AlignmentScore of_decoder;    // the decoder's own attention on these pairs, by argmax
  std::size_t with_subword_gold = 0;  // pairs with gold links between subwords
  data::AlignmentScore subwords;      // links between subwords on these pairs
  data::AttentionAccuracy
      attention_accuracy;  // on cells of pictures, sentences of stories, and texts with self-attention
  // These counts are for language models. `linked_words` counts the words that a gold link connects to an earlier word
  // of the same text. `greedy_match` counts how many of these words are the most probable next word according to the
  // model.
  std::size_t linked_words = 0, greedy_match = 0;
  std::size_t asked = 0;          // questions with gold and attention; the next count is over these
  std::size_t supported = 0;      // questions for which each gold sentence has the largest weight of an attention step
  std::size_t with_em_links = 0;  // pairs with gold links and links by expectation-maximisation
  data::AlignmentScore em;        // EM links on these pairs

  void add(const EvaluatedPair& pair);
  double greedy_match_rate() const;  // part of the linked words, 0..1
  double supported_part() const;     // part of the questions, 0..1
  double loss() const;               // nats per target token
  double perplexity() const;         // exp(loss)
  double entropy() const;            // nats, mean over attention rows
  double even_entropy() const;       // the largest possible entropy: all weights are equal
  // Returns the share of attention on </s> (0 to 1) in the steps that write words. If the share is large, the decoder
  // does not need the source for many words, and these words have no links.
  double end_attention() const;
  double exact_match() const;  // percent
};

// Computes teacher forcing and a translation for each pair, and returns them in the order of the corpus. Each entry of
// `more_references` is another translation of the complete corpus, with one line per pair. A blank line counts as no
// reference. `scored_by` is standard_words or mteval_13a.
std::vector<EvaluatedPair> evaluate(const LoadedRun& run, const std::vector<data::Pair>& pairs,
                                    const models::BeamOptions& options,
                                    const std::vector<std::vector<std::string>>& more_references = {},
                                    const UnknownWords& unknown = {}, const std::string& scored_by = standard_words);

// Computes links from the attention weights by this rule, for every pair that has attention. The links are stored in
// the pair, and score() computes the alignment error rate (AER) from them.
void set_links(std::vector<EvaluatedPair>& pairs, const data::LinkRule& rule);

EvaluationScores score(const std::vector<EvaluatedPair>& pairs);

// Returns the signature of the BLEU score of these pairs, or "" if they have no translations.
std::string signature_of(const std::vector<EvaluatedPair>& pairs, const std::string& scored_by);
// Reads further references, one per line. The file must have one line per pair of the corpus. A blank line is no
// reference.
std::vector<std::string> read_references(const std::string& path, std::size_t pairs);

// NamedScore has the scores of a part of the corpus, and the name of the part. The pairs of a part have sources of
// similar length ("1-10", "11-20" ..), or the same tag. For a text of a language model, which has no source, its own
// length counts. Parts without pairs are left out. Tags are sorted by their bytes.
struct NamedScore {
  std::string name;
  EvaluationScores score;
};
std::vector<NamedScore> score_by_length(const std::vector<EvaluatedPair>& pairs, std::size_t width = 10);
std::vector<NamedScore> score_by_tag(const std::vector<EvaluatedPair>& pairs);

}  // namespace softalign::apps
