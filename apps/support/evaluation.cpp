#include "apps/support/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

namespace apps {

namespace {

double ratio(double a, std::size_t b) { return b == 0 ? 0 : a / static_cast<double>(b); }

nlohmann::ordered_json json_of(const data::AlignmentScore& score) {
  return {{"aer", score.aer()}, {"precision", score.precision()}, {"recall", score.recall()}};
}

}  // namespace

void Score::add(const EvaluatedPair& e) {
  ++pairs;
  target_tokens += e.forced.log_prob.size();
  for (const float nats : e.forced.log_prob) log_prob += nats;
  attention_rows += e.forced.attention.size();
  for (const auto& row : e.forced.attention) entropy_sum += data::entropy(row);
  if (std::find(e.references.begin(), e.references.end(), e.translation) != e.references.end()) ++exact;
  bleu.add(e.translation, e.references);
  std::vector<std::string> texts;
  for (const data::Tokens& reference : e.references) texts.push_back(data::join_words(reference));
  chrf.add(data::join_words(e.translation), texts);

  if (!e.pair->gold || e.forced.attention.empty()) return;
  ++with_gold;
  const data::Gold& gold = *e.pair->gold;
  const std::size_t source_words = e.pair->source.size(), target_words = e.pair->target.size();
  const data::Links links = data::argmax_links(e.forced.attention, source_words, target_words);
  alignment.add(links, gold);
  shifted.add(data::argmax_links(e.forced.attention, source_words, target_words, 1), gold);
  without_fixed.add(data::outside_fixed_expressions(links, gold), gold);
}

double Score::loss() const { return ratio(-log_prob, target_tokens); }
double Score::perplexity() const { return std::exp(loss()); }
double Score::entropy() const { return ratio(entropy_sum, attention_rows); }
double Score::exact_match() const { return 100 * ratio(static_cast<double>(exact), pairs); }

nlohmann::ordered_json Score::json() const {
  nlohmann::ordered_json values{
      {"pairs", pairs},
      {"target_tokens", target_tokens},
      {"loss", loss()},
      {"perplexity", perplexity()},
      {"bleu", bleu.score()},
      {"chrf", chrf.score()},
      {"exact_match", exact_match()},
      {"entropy", attention_rows > 0 ? nlohmann::ordered_json(entropy()) : nlohmann::ordered_json(nullptr)}};
  const auto links = [&](const data::AlignmentScore& part) {
    return with_gold > 0 ? json_of(part) : nlohmann::ordered_json(nullptr);
  };
  values["alignment"] = links(alignment);
  values["alignment_shift_1"] = links(shifted);
  values["alignment_without_fixed"] = links(without_fixed);
  return values;
}

std::vector<EvaluatedPair> evaluate(const Run& run, const std::vector<data::Pair>& pairs,
                                    const models::BeamOptions& options,
                                    const std::vector<std::vector<data::Tokens>>& more_references) {
  const std::vector<data::EncodedPair> ids = data::encode(pairs, run.source, run.target);
  std::vector<data::Ids> sources;
  for (const data::EncodedPair& pair : ids) sources.push_back(pair.source);
  std::vector<ForcedPair> forced = force(*run.model, ids);
  const auto found = search(*run.model, sources, options);
  std::vector<EvaluatedPair> evaluated(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    evaluated[i] = {.pair = &pairs[i],
                    .references = {pairs[i].target},
                    .forced = std::move(forced[i]),
                    .translation = run.target.words(found[i].front().ids)};
    for (const auto& references : more_references) evaluated[i].references.push_back(references[i]);
  }
  return evaluated;
}

Score score(const std::vector<EvaluatedPair>& pairs) {
  Score all;
  for (const EvaluatedPair& pair : pairs) all.add(pair);
  return all;
}

std::vector<NamedScore> score_by_length(const std::vector<EvaluatedPair>& pairs) {
  std::map<std::size_t, Score> tens;
  for (const EvaluatedPair& e : pairs) tens[(e.pair->source.size() - 1) / 10].add(e);
  std::vector<NamedScore> scores;
  for (const auto& [ten, part] : tens) scores.push_back({fmt::format("{}-{}", ten * 10 + 1, ten * 10 + 10), part});
  return scores;
}

std::vector<NamedScore> score_by_tag(const std::vector<EvaluatedPair>& pairs) {
  std::map<std::string, Score> tags;
  for (const EvaluatedPair& e : pairs) {
    for (const std::string& tag : e.pair->tags) tags[tag].add(e);
  }
  std::vector<NamedScore> scores;
  for (const auto& [tag, part] : tags) scores.push_back({tag, part});
  return scores;
}

}  // namespace apps
