#include "apps/inference/score_json.h"

#include <nlohmann/json.hpp>

namespace softalign::apps {
namespace {

nlohmann::ordered_json json_of(const data::AlignmentScore& score) {
  return {{"aer", score.aer()}, {"precision", score.precision()}, {"recall", score.recall()}};
}

nlohmann::ordered_json or_null(const data::AlignmentScore& score, std::size_t scored) {
  return scored > 0 ? json_of(score) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json with_em_links(const Score& score) {
  nlohmann::ordered_json values = json_of(score);
  values["alignment_of_em"] = or_null(score.em, score.with_em_links);
  return values;
}

nlohmann::ordered_json json_of(const std::vector<NamedScore>& parts) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const NamedScore& part : parts) values[part.name] = with_em_links(part.score);
  return values;
}

}  // namespace

nlohmann::ordered_json json_of(const Score& s) {
  const auto of_attention = [&](double value) {
    return s.attention_rows > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  const auto of_translations = [&](double value) {
    return s.translated > 0 ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json values{{"pairs", s.pairs},
                                {"target_tokens", s.target_tokens},
                                {"loss", s.loss()},
                                {"perplexity", s.perplexity()},
                                {"bleu", of_translations(s.bleu.score())},
                                {"chrf", of_translations(s.chrf.score())},
                                {"exact_match", of_translations(s.exact_match())},
                                {"entropy", of_attention(s.entropy())},
                                {"end_attention", of_attention(s.end_attention())}};
  values["alignment"] = or_null(s.alignment, s.with_gold);
  values["alignment_shift_1"] = or_null(s.shifted, s.with_gold);
  values["alignment_without_fixed"] = or_null(s.without_fixed, s.with_gold);
  values["alignment_of_pieces"] = or_null(s.pieces, s.with_piece_gold);
  if (s.linked_words > 0) values["foretold"] = s.foretold_part();
  if (s.pointing.words > 0) {
    values["pointing"] = s.pointing.pointing();
    values["mass_in_gold"] = s.pointing.mass_in_gold();
  }
  if (s.asked > 0) values["supported"] = s.supported_part();
  return values;
}

std::string to_json(const Evaluation& e) {
  nlohmann::ordered_json heads = nlohmann::ordered_json::array();
  for (const auto& [place, score] : e.all.by_head) {
    heads.push_back({{"layer", place.first}, {"head", place.second}});
    heads.back().update(json_of(score));
  }
  nlohmann::ordered_json values{{"all", with_em_links(e.all)},
                                {"by_head", heads},
                                {"by_length", json_of(e.by_length)},
                                {"by_tag", json_of(e.by_tag)}};
  values["bleu_signature"] = nullptr;
  if (!e.bleu_signature.empty()) values["bleu_signature"] = e.bleu_signature;
  return values.dump(2) + "\n";
}

}  // namespace softalign::apps
