#include "apps/inference/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

std::string percent(double part, bool known) { return known ? fmt::format("{:.1f}", 100 * part) : "-"; }

std::string row(const std::string& name, std::size_t width, const Score& s) {
  const bool gold = s.with_gold > 0, translated = s.translated > 0;
  const bool sentences = s.bleu.wanted > s.translated;  // of answers of one word each, BLEU is 0 whatever they are
  return fmt::format("{} {:6} {:7.3f} {:8.2f} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7}\n",
                     pad_right(name, width), s.pairs, s.loss(), s.perplexity(),
                     percent(s.bleu.score() / 100, sentences), percent(s.chrf.score() / 100, translated),
                     percent(s.exact_match() / 100, translated), percent(s.alignment.aer(), gold),
                     percent(s.em.aer(), s.with_em_links > 0), percent(s.alignment.precision(), gold),
                     percent(s.alignment.recall(), gold), percent(s.without_fixed.aer(), gold),
                     percent(s.shifted.aer(), gold), s.attention_rows > 0 ? fmt::format("{:.2f}", s.entropy()) : "-",
                     percent(s.end_attention(), s.attention_rows > 0));
}

constexpr std::size_t most_rows = 200;  // by length, and by tag

std::string shown_name(const NamedScore& part) { return printable(data::shortened(part.name)); }

// A row a layer, a column a head.
std::string by_head(const Score& s) {
  std::string text;
  for (const auto& [place, score] : s.by_head) {
    if (place.second == 0) text += fmt::format("{}  layer {:<3}", text.empty() ? "" : "\n", place.first + 1);
    text += fmt::format(" {:6.1f}", 100 * score.aer());
  }
  return text.empty() ? text : "AER of each head alone, head 1 first\n" + text + "\n";
}

}  // namespace

std::string format_table(const Evaluation& e) {
  std::size_t width = std::string("all").size();
  for (const auto* parts : {&e.by_length, &e.by_tag}) {
    for (const NamedScore& part : *parts) width = std::max(width, data::display_width(shown_name(part)) + 2);
  }
  const std::string margin(width, ' ');
  std::string text =
      margin +
      "                                         exact           AER                        AER      AER"
      "           attention\n" +
      margin +
      "  pairs    loss      ppl   BLEU   chrF  match    AER  of EM  prec.  recall no fixed  shift 1  entropy on </s>\n";
  text += row("all", width, e.all);
  const auto section = [&](const std::string& title, const std::vector<NamedScore>& parts) {
    if (!parts.empty()) text += title + "\n";
    for (std::size_t i = 0; i < std::min(parts.size(), most_rows); ++i)
      text += row("  " + shown_name(parts[i]), width, parts[i].score);
    if (parts.size() > most_rows)
      text += fmt::format("  the first {} of {} rows are shown; --json prints all\n", most_rows, parts.size());
  };
  section(e.all.translated > 0 ? "by words of the source" : "by words of the text", e.by_length);
  section("by tag", e.by_tag);
  text += by_head(e.all);
  if (e.all.linked_words > 0)
    text +=
        fmt::format("greedy match: {:.1f}% of {} words that have gold are what the model finds most probable there\n",
                    100 * e.all.greedy_match_rate(), e.all.linked_words);
  if (e.all.attention_accuracy.words > 0)
    text += fmt::format(
        "attention accuracy: the largest weight lies in gold for {:.1f}% of {} words that have some, and {:.1f}% of "
        "their weight\n",
        100 * e.all.attention_accuracy.accuracy(), e.all.attention_accuracy.words,
        100 * e.all.attention_accuracy.mass_in_gold());
  if (e.all.asked > 0)
    text += fmt::format("every gold sentence has the largest weight of some look in {:.1f}% of {} stories with gold\n",
                        100 * e.all.supported_part(), e.all.asked);
  if (e.all.with_piece_gold > 0) {
    const data::AlignmentScore& pieces = e.all.pieces;
    text += fmt::format(
        "between pieces: AER {:.1f}, precision {:.1f}, recall {:.1f}; a gold link is one between all pieces of its two "
        "words\n",
        100 * pieces.aer(), 100 * pieces.precision(), 100 * pieces.recall());
  }
  if (e.bleu_signature.find("tok:13a") != std::string::npos)
    text += "BLEU, chrF and match are of the sentences as sacreBLEU compares them: " + e.bleu_signature + "\n";
  return text +
         "loss and entropy: nats per target token; BLEU .. AER: percent; of EM: of links that "
         "expectation-maximisation\n"
         "learns from the same training pairs, what attention replaced (docs/aligning.md); no fixed: without fixed\n"
         "expressions, words that gold links as possible only; shift 1: each word given the next step's attention,\n"
         "which should be far worse; attention on </s>: percent, while words are written\n"
         "(docs/tour/08-reading-alignments.md)\n";
}

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
  if (s.linked_words > 0) values["greedy_match"] = s.greedy_match_rate();
  if (s.attention_accuracy.words > 0) {
    values["attention_accuracy"] = s.attention_accuracy.accuracy();
    values["mass_in_gold"] = s.attention_accuracy.mass_in_gold();
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

void JointScores::add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward) {
  if (!pair.gold || pair.blank) return;
  for (const std::string& rule : data::known_joint_rules()) {
    const data::JointRule joint{rule, threshold_};
    const data::Links links = joint_links(joint, forward, backward, pair.source.size(), pair.target.size());
    scores_[rule].add(links_over_words(links, pair), gold_over_words(pair));
  }
}

std::string JointScores::table() const {
  if (scores_.empty()) return "";
  std::string text = fmt::format("{:20} {:>6} {:>6} {:>6}   percent\n", "", "AER", "prec.", "recall");
  for (const std::string& rule : data::known_joint_rules()) {
    const data::AlignmentScore& score = scores_.at(rule);
    text += fmt::format("{:20} {:6.1f} {:6.1f} {:6.1f}\n", rule, 100 * score.aer(), 100 * score.precision(),
                        100 * score.recall());
  }
  return text;
}

}  // namespace softalign::apps
