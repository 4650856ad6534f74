#include "apps/inference/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/inference/align_pairs.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_text.h"
#include "data/alignment/argmax_links.h"
#include "data/alignment/link_extraction.h"
#include "data/corpus/vocabulary.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"
#include "data/metrics/bleu.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/text/characters.h"
#include "data/text/tokenizer.h"

namespace softalign::apps {

namespace {

constexpr data::TokenizerOptions standard{.scheme = data::Tokenization::characters, .lowercase = true};

bool has_unspaced(const data::Tokens& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const std::u32string points = data::decode_utf8(word);
    return std::any_of(points.begin(), points.end(), data::is_unspaced);
  });
}

// Returns true if the words of the run are the words that the standard rule would make.
bool is_standard(const LoadedRun& run, const data::Tokens& words) {
  if (task_of(run.options).one_word) return true;  // every answer counts as one word
  if (!run.options.lowercase) return false;
  return run.options.tokenizer == data::Tokenization::characters ||
         (run.options.tokenizer == data::Tokenization::words && !has_unspaced(words));
}

ScoredText of_words(data::Tokens words) {
  std::string text = data::join_words(words);
  return {std::move(words), std::move(text)};
}

}  // namespace

ScoredText scored_translation(const LoadedRun& run, const data::Tokens& words, const std::string& rule) {
  if (rule == mteval_13a) {
    const std::string sentence = detokenize(run, words);
    return {data::tokenize_13a(sentence), sentence};
  }
  if (is_standard(run, words)) return of_words(words);
  data::Tokens all, part;
  const auto add_part = [&] {
    for (std::string& word : data::tokenize(detokenize(run, part), standard)) all.push_back(std::move(word));
    part.clear();
  };
  for (const std::string& word : words) {  // an unknown word stays one word
    if (word != data::unk_token) {
      part.push_back(word);
      continue;
    }
    add_part();
    all.push_back(word);
  }
  add_part();
  return of_words(std::move(all));
}

ScoredText scored_reference(const LoadedRun& run, const data::Tokens& words, const std::string& line,
                            const std::string& rule) {
  if (rule == mteval_13a) {
    const std::string& text = line.empty() ? detokenize(run, words) : line;
    return {data::tokenize_13a(text), text};
  }
  if (is_standard(run, words)) return of_words(words);
  return of_words(data::tokenize(line.empty() ? data::join_words(words) : line, standard));
}

std::string bleu_signature(const std::string& rule, std::size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp",
                     references > 0 ? fmt::format("{}", references) : "var", rule == mteval_13a ? "mixed" : "lc", rule);
}

namespace {

double ratio(double a, std::size_t b) { return b == 0 ? 0 : a / static_cast<double>(b); }

// Returns the self-attention of a text, as the mean over all heads. Column 0 is <s>, which the model reads first.
data::Matrix mean_of(const std::vector<data::Head>& heads) {
  data::Matrix mean = heads.front().matrix;
  for (std::size_t t = 0; t < mean.size(); ++t)
    for (std::size_t s = 0; s < mean[t].size(); ++s) {
      float sum = 0;
      for (const data::Head& head : heads) sum += head.matrix[t][s];
      mean[t][s] = sum / static_cast<float>(heads.size());
    }
  return mean;
}

data::Gold behind_start(data::Gold gold) {
  for (data::Links* links : {&gold.sure, &gold.possible})
    for (data::Link& link : *links) ++link.source;
  return gold;
}

// Returns true if each gold sentence of an answer has the largest weight of some hop. A model without hops has one
// attention step.
bool is_supported(const data::AttentionWeights& weights, const data::Links& gold) {
  std::set<std::size_t> seen;
  const auto add = [&](const data::Matrix& matrix) {
    const std::vector<float>& row = matrix.front();
    seen.insert(static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  };
  for (const data::Head& head : weights.heads)
    if (head.kind == data::HeadKind::cross) add(head.matrix);
  if (seen.empty()) add(weights.matrix);
  return std::all_of(gold.begin(), gold.end(), [&](const data::Link& link) { return seen.count(link.source) > 0; });
}

// Each function below adds one kind of score. It decides itself which pairs count.

void add_probabilities(EvaluationScores& score, const EvaluatedPair& e) {
  ++score.pairs;
  score.target_tokens += e.target_tokens;
  for (const float nats : e.teacher_forced.log_prob) score.log_prob += nats;
}

// Adds the entropy of the attention, and the attention on </s>.
void add_entropy(EvaluationScores& score, const EvaluatedPair& e) {
  const data::Matrix& weights = e.teacher_forced.weights.matrix;
  score.attention_rows += weights.size();
  for (const auto& row : weights) {
    score.entropy_sum += data::entropy(row);
    score.even_sum += std::log(static_cast<double>(row.size()));
  }
  if (!e.pair->places.empty()) return;
  for (std::size_t t = 0; t + 1 < weights.size(); ++t, ++score.word_rows) score.end_sum += weights[t].back();
}

void add_translation(EvaluationScores& score, const EvaluatedPair& e) {
  if (!e.translation) return;
  ++score.translated;
  std::vector<data::Tokens> words;
  std::vector<std::string> texts;
  for (const ScoredText& reference : e.references) {
    words.push_back(reference.words);
    texts.push_back(reference.text);
  }
  const data::Tokens& written = e.translation->words;
  score.exact += !written.empty() && std::find(words.begin(), words.end(), written) != words.end();
  score.bleu.add(written, words);
  score.chrf.add(e.translation->text, texts);
}

void add_em_links(EvaluationScores& score, const EvaluatedPair& e) {
  if (!e.pair->gold || !e.em_links) return;
  ++score.with_em_links;
  score.em.add(links_over_words(*e.em_links, *e.pair), gold_over_words(*e.pair));
}

void add_greedy_match(EvaluationScores& score, const EvaluatedPair& e) {
  if (!e.pair->gold || e.teacher_forced.greedy_match.empty()) return;
  std::set<std::size_t> words;
  for (const data::Links* links : {&e.pair->gold->sure, &e.pair->gold->possible})
    for (const data::Link& link : *links) words.insert(link.target);
  score.linked_words += words.size();
  for (const std::size_t word : words) score.greedy_match += e.teacher_forced.greedy_match.at(word);
}

// Adds the accuracy of attention between two sentences, within a text, on the cells of a picture, or on the sentences
// of a story.
void add_attention_accuracy(EvaluationScores& score, const EvaluatedPair& e) {
  const data::AttentionWeights& weights = e.teacher_forced.weights;
  if (!e.pair->between.sure.empty())
    score.attention_accuracy.add(attention_across(weights, e.pair->parts.front(), e.pair->parts.back()),
                                 e.pair->between);
  if (!e.pair->gold) return;
  const bool within_text = weights.matrix.empty();
  if (within_text && !weights.heads.empty())
    score.attention_accuracy.add(mean_of(weights.heads), behind_start(*e.pair->gold));
  if (!within_text && !e.pair->places.empty())
    score.attention_accuracy.add(weights.matrix, *e.pair->gold, 0, e.grid_columns);
}

// Returns true if AER counts the pair. AER measures how many of the sure links are found, so a picture or a story needs
// sure links.
bool has_gold_and_attention(const EvaluatedPair& e) {
  return e.pair->gold && !e.teacher_forced.weights.matrix.empty() &&
         (e.pair->places.empty() || !e.pair->gold->sure.empty());
}

void add_supported(EvaluationScores& score, const EvaluatedPair& e) {
  if (!has_gold_and_attention(e) || e.pair->question.empty() || e.of_ensemble) return;
  ++score.asked;
  score.supported += is_supported(e.teacher_forced.weights, e.pair->gold->sure);
}

// Adds the AER of the model's links, and of the links of each head. Links are between tokens, and become links between
// the words of the lines, because gold links count these words.
void add_links(EvaluationScores& score, const EvaluatedPair& e) {
  if (!has_gold_and_attention(e)) return;
  ++score.with_gold;
  const data::AttentionWeights& weights = e.teacher_forced.weights;
  const data::Gold& gold = gold_over_words(*e.pair);
  const std::size_t source_words = places_of(*e.pair).size(), target_words = e.pair->target.size();
  const auto best = [&](const data::Matrix& matrix, std::size_t shift = 0) {
    return links_over_words(data::argmax_links(matrix, source_words, target_words, shift), *e.pair);
  };
  const data::Links links = e.links ? links_over_words(*e.links, *e.pair) : best(weights.matrix);
  score.alignment.add(links, gold);
  score.shifted.add(best(weights.matrix, 1), gold);
  score.without_fixed.add(data::outside_fixed_expressions(links, gold), gold);
  for (const data::Head& head : weights.heads)
    if (head.kind != data::HeadKind::decoder) score.by_head[{head.layer, head.head}].add(best(head.matrix), gold);
  if (const data::Head* decoder = weights.decoder_head()) {
    ++score.with_decoder;
    score.of_decoder.add(best(decoder->matrix), gold);
  }
}

void add_subword_links(EvaluationScores& score, const EvaluatedPair& e) {
  if (!has_gold_and_attention(e) || !e.subword_links) return;
  ++score.with_subword_gold;
  score.subwords.add(e.subword_links->found, e.subword_links->gold);
}

}  // namespace

void EvaluationScores::add(const EvaluatedPair& e) {
  add_probabilities(*this, e);
  add_entropy(*this, e);
  add_translation(*this, e);
  add_em_links(*this, e);
  add_greedy_match(*this, e);
  add_attention_accuracy(*this, e);
  add_supported(*this, e);
  add_links(*this, e);
  add_subword_links(*this, e);
}

double EvaluationScores::greedy_match_rate() const { return ratio(static_cast<double>(greedy_match), linked_words); }
double EvaluationScores::supported_part() const { return ratio(static_cast<double>(supported), asked); }
double EvaluationScores::loss() const { return ratio(-log_prob, target_tokens); }
double EvaluationScores::perplexity() const { return std::exp(loss()); }
double EvaluationScores::entropy() const { return ratio(entropy_sum, attention_rows); }
double EvaluationScores::even_entropy() const { return ratio(even_sum, attention_rows); }
double EvaluationScores::end_attention() const { return ratio(end_sum, word_rows); }
double EvaluationScores::exact_match() const { return 100 * ratio(static_cast<double>(exact), translated); }

namespace {

// Sets the results of teacher forcing for a pair. If the run has subwords, they are converted to words.
void set_teacher_forced(EvaluatedPair& e, const LoadedRun& run, TeacherForcedPair teacher_forced) {
  e.target_tokens = teacher_forced.log_prob.size();
  if (run.source_segmenter.whole_words()) {
    e.teacher_forced = std::move(teacher_forced);
    return;
  }
  const SubwordPair subwords = in_subwords(run, *e.pair);
  e.teacher_forced = in_words(teacher_forced, subwords);
  if (!subwords.pair.gold || teacher_forced.weights.matrix.empty()) return;
  e.subword_links = SubwordLinks{
      data::argmax_links(teacher_forced.weights.matrix, subwords.source.subwords.size(), subwords.pair.target.size()),
      *subwords.pair.gold};
}

// Returns the references of a pair: its own target, and then the further references. A blank line is no reference.
std::vector<ScoredText> references_of(const LoadedRun& run, const data::Pair& pair,
                                      const std::vector<std::vector<std::string>>& more, std::size_t i,
                                      const std::string& scored_by) {
  std::vector<ScoredText> references{scored_reference(run, pair.target, pair.target_line, scored_by)};
  for (const std::vector<std::string>& lines : more) {
    ScoredText further = scored_reference(run, tokenizer(run.options)(lines[i]), lines[i], scored_by);
    if (!further.words.empty()) references.push_back(std::move(further));
  }
  return references;
}

}  // namespace

std::vector<EvaluatedPair> evaluate(const LoadedRun& run, const std::vector<data::Pair>& pairs,
                                    const models::BeamOptions& options,
                                    const std::vector<std::vector<std::string>>& more_references,
                                    const UnknownWords& unknown, const std::string& scored_by) {
  std::vector<TeacherForcedPair> teacher_forced = teacher_force(run, pairs);
  if (task_of(run.options).source == Source::two_sentences) add_self_attention(teacher_forced, run, pairs);
  const bool of_texts = !task_of(run.options).has_source();
  const auto has_gold = [](const data::Pair& pair) { return pair.gold.has_value(); };
  if (of_texts && std::any_of(pairs.begin(), pairs.end(), has_gold)) {
    add_self_attention(teacher_forced, run, pairs);
    const auto all = greedy_match(*run.model, run.params, encode(run, pairs), usual_batch, run.processes);
    for (std::size_t i = 0; i < pairs.size(); ++i) teacher_forced[i].greedy_match = all[i];
  }
  models::BeamOptions own = options;
  own.at_most = most_caption_words(run.options);
  own.weights = unknown.replace;  // the attention of all sentences would need more memory than the batch
  const auto found = of_texts ? std::vector<std::vector<models::Hypothesis>>()
                              : search(*run.model, run.params, encode(run, pairs), own, usual_batch, run.processes);
  std::vector<EvaluatedPair> evaluated(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EvaluatedPair& e = evaluated[i];
    e.pair = &pairs[i];
    e.of_ensemble = run.members > 1;
    if (pairs[i].picture) e.grid_columns = picture_options(run.options.model).columns;
    if (!of_texts) e.references = references_of(run, pairs[i], more_references, i, scored_by);
    set_teacher_forced(e, run, std::move(teacher_forced[i]));
    if (of_texts) continue;
    const models::Hypothesis& best = found[i].front();
    if (unknown.replace) {
      data::Record written = hypothesis_record(run, source_of(run, pairs[i]), best, data::DecodingMode::beam, i, 0);
      replace_unknown(written, unknown);
      e.translation = scored_translation(run, written.target, scored_by);
    } else {
      e.translation = scored_translation(run, words_of(run, best), scored_by);
    }
  }
  return evaluated;
}

void set_links(std::vector<EvaluatedPair>& pairs, const data::LinkRule& rule) {
  for (EvaluatedPair& e : pairs) {
    if (!e.teacher_forced.weights.matrix.empty())
      e.links = links_by(rule, teacher_forced_record(*e.pair, e.teacher_forced, 0));
  }
}

EvaluationScores score(const std::vector<EvaluatedPair>& pairs) {
  EvaluationScores all;
  for (const EvaluatedPair& pair : pairs) all.add(pair);
  return all;
}

std::vector<NamedScore> score_by_length(const std::vector<EvaluatedPair>& pairs, std::size_t width) {
  std::map<std::size_t, EvaluationScores> parts;
  for (const EvaluatedPair& e : pairs) {
    const data::Tokens& words = e.pair->source.empty() ? e.pair->target : e.pair->source;
    parts[(words.size() - 1) / width].add(e);
  }
  std::vector<NamedScore> scores;
  for (const auto& [n, part] : parts) scores.push_back({fmt::format("{}-{}", n * width + 1, (n + 1) * width), part});
  return scores;
}

std::vector<NamedScore> score_by_tag(const std::vector<EvaluatedPair>& pairs) {
  std::map<std::string, EvaluationScores> tags;
  for (const EvaluatedPair& e : pairs) {
    for (const std::string& tag : e.pair->tags) tags[tag].add(e);
  }
  std::vector<NamedScore> scores;
  for (const auto& [tag, part] : tags) scores.push_back({tag, part});
  return scores;
}

std::vector<std::string> read_references(const std::string& path, std::size_t pairs) {
  std::vector<std::string> references = data::read_lines(path);
  if (references.size() != pairs) {
    throw data::Error(
        data::ErrorKind::bad_data,
        fmt::format("{}: the file has {} {}, but the corpus has {} pairs. Give a reference file with one line per pair",
                    path, references.size(), references.size() == 1 ? "line" : "lines", pairs));
  }
  return references;
}

std::string signature_of(const std::vector<EvaluatedPair>& pairs, const std::string& scored_by) {
  const std::size_t first = pairs.front().references.size();
  const bool varies = std::any_of(pairs.begin(), pairs.end(),
                                  [first](const EvaluatedPair& pair) { return pair.references.size() != first; });
  return pairs.front().translation ? bleu_signature(scored_by, varies ? 0 : first) : "";
}

}  // namespace softalign::apps
