#include "apps/inference/evaluation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "apps/terminal/progress.h"
#include "apps/terminal/terminal.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

std::string percent(double part) { return fmt::format("{:.1f}", 100 * part); }

// Returns "-" if there are no links, because then no link is right or wrong.
std::string precision_of(const data::AlignmentScore& score) {
  return score.found > 0 ? percent(score.precision()) : "-";
}

// Figure is a column of the tables. `text` returns "" if a score does not have this figure.
struct Figure {
  std::string name;
  std::size_t width;  // width of the column
  std::function<std::string(const EvaluationScores&)> text;
};

// Returns true if BLEU is shown. For answers of one word, BLEU is 0 whether they are right or wrong, so it is not
// shown.
bool has_bleu(const EvaluationScores& s) { return s.bleu.wanted > s.translated; }

std::vector<Figure> text_figures() {
  return {
      {"pairs", 6, [](const EvaluationScores& s) { return fmt::format("{}", s.pairs); }},
      {"loss", 7, [](const EvaluationScores& s) { return fmt::format("{:.3f}", s.loss()); }},
      {"ppl", 8, [](const EvaluationScores& s) { return fmt::format("{:.2f}", s.perplexity()); }},
      {"BLEU", 6, [](const EvaluationScores& s) { return has_bleu(s) ? fmt::format("{:.1f}", s.bleu.score()) : ""; }},
      {"chrF", 6,
       [](const EvaluationScores& s) { return s.translated > 0 ? fmt::format("{:.1f}", s.chrf.score()) : ""; }},
      {"match", 6,
       [](const EvaluationScores& s) { return s.translated > 0 ? fmt::format("{:.1f}", s.exact_match()) : ""; }}};
}

std::vector<Figure> attention_figures() {
  const auto of_gold = [](double (*value)(const EvaluationScores&)) {
    return [value](const EvaluationScores& s) { return s.with_gold > 0 ? percent(value(s)) : ""; };
  };
  return {
      {"AER", 6, of_gold([](const EvaluationScores& s) { return s.alignment.aer(); })},
      {"decoder", 7, [](const EvaluationScores& s) { return s.with_decoder > 0 ? percent(s.of_decoder.aer()) : ""; }},
      {"of EM", 6, [](const EvaluationScores& s) { return s.with_em_links > 0 ? percent(s.em.aer()) : ""; }},
      {"prec.", 6, [](const EvaluationScores& s) { return s.with_gold > 0 ? precision_of(s.alignment) : ""; }},
      {"recall", 6, of_gold([](const EvaluationScores& s) { return s.alignment.recall(); })},
      {"no fixed", 8, of_gold([](const EvaluationScores& s) { return s.without_fixed.aer(); })},
      {"shift 1", 7, of_gold([](const EvaluationScores& s) { return s.shifted.aer(); })},
      {"entropy", 7,
       [](const EvaluationScores& s) { return s.attention_rows > 0 ? fmt::format("{:.2f}", s.entropy()) : ""; }},
      {"on </s>", 7, [](const EvaluationScores& s) { return s.attention_rows > 0 ? percent(s.end_attention()) : ""; }}};
}

struct Row {
  std::string name;
  const EvaluationScores* score;  // null for a heading or a remark
};

constexpr std::size_t most_rows = 200;  // limit per section: by length, by tag

std::vector<Row> rows_of(const Evaluation& e, std::size_t name_columns) {
  std::vector<Row> rows{{"all", &e.all}};
  const auto section = [&](const std::string& title, const std::vector<NamedScore>& parts) {
    if (!parts.empty()) rows.push_back({title, nullptr});
    for (std::size_t i = 0; i < std::min(parts.size(), most_rows); ++i)
      rows.push_back({"  " + clip(printable(data::shortened(parts[i].name)), name_columns), &parts[i].score});
    if (parts.size() > most_rows)
      rows.push_back(
          {fmt::format("  this table shows the first {} of {} rows. --json prints all rows", most_rows, parts.size()),
           nullptr});
  };
  section(e.all.translated > 0 ? "by words of the source" : "by words of the text", e.by_length);
  section("by tag", e.by_tag);
  return rows;
}

// Returns the figures that some row has. If the terminal is narrow, they are split into several tables.
std::string tables(const std::vector<Row>& rows, std::vector<Figure> figures, std::size_t columns) {
  std::erase_if(figures, [&](const Figure& figure) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const Row& row) { return row.score == nullptr || figure.text(*row.score).empty(); });
  });
  std::size_t names = 0;
  for (const Row& row : rows)
    if (row.score != nullptr) names = std::max(names, data::display_width(row.name));
  std::string text;
  for (auto first = figures.begin(); first != figures.end();) {
    std::size_t width = names;
    auto last = first;
    while (last != figures.end() && (last == first || width + 1 + last->width <= columns)) width += 1 + last++->width;
    std::string head(names, ' ');
    for (auto figure = first; figure != last; ++figure) head += " " + pad_left(figure->name, figure->width);
    text += (text.empty() ? "" : "\n") + head + "\n";
    for (const Row& row : rows) {
      text += row.score == nullptr ? row.name : pad_right(row.name, names);
      for (auto figure = first; row.score != nullptr && figure != last; ++figure) {
        const std::string value = figure->text(*row.score);
        text += " " + pad_left(value.empty() ? "-" : value, figure->width);
      }
      text += "\n";
    }
    first = last;
  }
  return text;
}

// The text has one line per layer and one column per head.
std::string by_head(const EvaluationScores& s) {
  std::string text;
  for (const auto& [place, score] : s.by_head) {
    if (place.second == 0) text += fmt::format("{}  layer {:<3}", text.empty() ? "" : "\n", place.first + 1);
    text += fmt::format(" {:6.1f}", 100 * score.aer());
  }
  return text.empty() ? text : "\nAER of the links of each single head, head 1 first\n" + text + "\n";
}

// The legend explains the figures of the tables. It leaves out figures that no row has.
std::string legend(const Evaluation& e) {
  std::string text = "loss is in nats per target token; BLEU to recall are in percent";
  if (e.all.translated > 0) text += "; match counts the translations that equal their reference";
  if (e.all.with_decoder > 0)
    text +=
        "; AER to recall are those of the links with the alignment layer; decoder is the AER of the decoder's own "
        "attention";
  if (e.all.with_em_links > 0)
    text +=
        "; of EM is the AER of links that expectation maximisation learns from the same training pairs, without "
        "attention (docs/align.md)";
  if (e.all.with_gold > 0)
    text +=
        "; no fixed is the AER without the words that have only possible gold links (fixed expressions); shift 1 is "
        "the AER if each word gets the attention of the next step, which should be far worse";
  if (e.all.attention_rows > 0)
    text +=
        "; entropy is in nats per target token; on </s> is the percentage of the attention on </s> in steps that write "
        "words (docs/course/09-reading-alignments.md)";
  return text;
}

}  // namespace

std::string format_details(const Evaluation& e, std::size_t columns) {
  const std::vector<Row> rows = rows_of(e, std::max<std::size_t>(columns / 3, 12));
  std::string text = tables(rows, text_figures(), columns);
  if (const std::string more = tables(rows, attention_figures(), columns); !more.empty()) text += "\n" + more;
  text += by_head(e.all) + "\n";
  if (e.all.linked_words > 0)
    text += wrapped(
        fmt::format("greedy match: the model finds {:.1f}% of {} words with gold most probable at their positions",
                    100 * e.all.greedy_match_rate(), e.all.linked_words),
        columns);
  if (e.all.attention_accuracy.words > 0)
    text += wrapped(fmt::format("attention accuracy: the largest weight lies in gold for {:.1f}% of the {} words with "
                                "gold. {:.1f}% of their total weight lies in gold",
                                100 * e.all.attention_accuracy.accuracy(), e.all.attention_accuracy.words,
                                100 * e.all.attention_accuracy.mass_in_gold()),
                    columns);
  if (e.all.attention_accuracy.on_grid > 0)
    text += wrapped(fmt::format("attention accuracy within one cell: the largest weight lies in a gold cell, or in one "
                                "of the eight cells around it, for {:.1f}% of these words",
                                100 * e.all.attention_accuracy.accuracy_within_one_cell()),
                    columns);
  if (e.all.asked > 0)
    text += wrapped(fmt::format("supporting sentences: in {:.1f}% of {} stories with gold, each gold sentence has the "
                                "largest weight of some hop",
                                100 * e.all.supported_part(), e.all.asked),
                    columns);
  if (e.all.with_subword_gold > 0) {
    const data::AlignmentScore& subwords = e.all.subwords;
    text += wrapped(fmt::format("links between subwords have AER {:.1f}, precision {} and recall {:.1f}. A gold "
                                "link between two words counts as links between all of their subwords",
                                100 * subwords.aer(), precision_of(subwords), 100 * subwords.recall()),
                    columns);
  }
  if (e.bleu_signature.find("tok:13a") != std::string::npos)
    text += wrapped("BLEU, chrF and match compare sentences in the same way as sacreBLEU:", columns) +
            e.bleu_signature + "\n";
  return text + wrapped(legend(e), columns);
}

std::string score_line(const std::string& name, const std::string& value, const std::string& meaning,
                       std::size_t columns) {
  constexpr std::size_t names = 20;
  return labelled(pad_right(name, names) + pad_left(value, 6), meaning, names + 9, columns);
}

std::string note_of_gold(std::size_t pairs_with_gold, std::size_t pairs) {
  if (pairs_with_gold == 0 || pairs_with_gold == pairs) return "";
  return fmt::format("note: {} of {} pairs have no gold links, so AER is computed over the other pairs\n",
                     pairs - pairs_with_gold, pairs);
}

std::string format_summary(const Evaluation& e, std::size_t columns) {
  const EvaluationScores& s = e.all;
  std::string text;
  const auto line = [&](const std::string& name, const std::string& value, const std::string& meaning) {
    text += score_line(name, value, meaning, columns);
  };
  if (s.translated == 0)
    line("perplexity", fmt::format("{:.2f}", s.perplexity()), "effective number of choices per word; 1: always right");
  if (has_bleu(s))
    line("BLEU", fmt::format("{:.1f}", s.bleu.score()), "shared word sequences; 100: equal to the reference");
  if (s.translated > 0)
    line("exact match", fmt::format("{:.1f}", s.exact_match()), "percentage of translations that equal the reference");
  if (s.with_gold > 0)
    line("AER", percent(s.alignment.aer()),
         s.with_decoder > 0 ? "alignment error rate with the alignment layer; 0: perfect"
                            : "alignment error rate of the attention; 0: perfect");
  if (s.with_decoder > 0) line("AER of decoder", percent(s.of_decoder.aer()), "AER of the decoder's attention");
  if (s.with_em_links > 0) line("AER of EM", percent(s.em.aer()), "AER of links learned by EM, without attention");
  if (s.linked_words > 0)
    line("greedy match", percent(s.greedy_match_rate()), "percentage of words with gold that the model predicts");
  if (s.attention_accuracy.words > 0)
    line("attention accuracy", percent(s.attention_accuracy.accuracy()),
         "percentage of words whose largest weight lies in gold");
  if (s.attention_accuracy.on_grid > 0)
    line("within one cell", percent(s.attention_accuracy.accuracy_within_one_cell()),
         "the same, but a cell next to a gold cell also counts");
  return fmt::format("{} {}\n{}", format_count(s.pairs), s.pairs == 1 ? "pair" : "pairs", text) +
         wrapped("--details adds scores, lengths and tags; --json is for programs", columns);
}

namespace {

nlohmann::ordered_json json_of(const data::AlignmentScore& score) {
  nlohmann::ordered_json values{{"aer", score.aer()}, {"precision", nullptr}, {"recall", score.recall()}};
  if (score.found > 0) values["precision"] = score.precision();
  return values;
}

nlohmann::ordered_json or_null(const data::AlignmentScore& score, std::size_t scored) {
  return scored > 0 ? json_of(score) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json with_em_links(const EvaluationScores& score) {
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

nlohmann::ordered_json json_of(const EvaluationScores& s) {
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
  values["alignment_of_pieces"] = or_null(s.subwords, s.with_subword_gold);
  if (s.with_decoder > 0) values["alignment_of_decoder"] = json_of(s.of_decoder);
  if (s.linked_words > 0) values["greedy_match"] = s.greedy_match_rate();
  if (s.attention_accuracy.words > 0) {
    values["attention_accuracy"] = s.attention_accuracy.accuracy();
    values["mass_in_gold"] = s.attention_accuracy.mass_in_gold();
    if (s.attention_accuracy.on_grid > 0)
      values["attention_accuracy_within_one_cell"] = s.attention_accuracy.accuracy_within_one_cell();
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

std::string note_of_uniform_attention(double entropy, double largest) {
  if (entropy <= nearly_uniform * largest) return "";
  return fmt::format(
      "note: the attention of this run is nearly uniform (entropy {:.2f} of at most {:.2f} nats), so its alignments "
      "mean little. Train longer, or align without a model: links --data FILE\n",
      entropy, largest);
}

void JointScores::add(const data::Pair& pair, const data::Matrix& forward, const data::Matrix& backward) {
  if (!pair.gold || pair.blank) return;
  for (const auto& [name, rule] : names_of(data::JointRuleKind{})) {
    const data::JointRule joint{rule, threshold_};
    const data::Links links = joint_links(joint, forward, backward, pair.source.size(), pair.target.size());
    scores_[name].add(links_over_words(links, pair), gold_over_words(pair));
  }
}

std::string JointScores::table(const std::string& written) const {
  if (scores_.empty()) return "";
  std::string text = fmt::format("{:20} {:>6} {:>6} {:>6}   percent\n", "", "AER", "prec.", "recall");
  for (const std::string& rule : autograd::all_names<data::JointRuleKind>()) {
    const data::AlignmentScore& score = scores_.at(rule);
    text += fmt::format("{:20} {:6.1f} {:>6} {:6.1f}\n", rule, 100 * score.aer(), precision_of(score),
                        100 * score.recall());
  }
  return text + fmt::format("written: {}\n", written);
}

}  // namespace softalign::apps
