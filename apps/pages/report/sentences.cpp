#include "apps/pages/report/sentences.h"

#include <fmt/format.h>

#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/report/rows.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

namespace {

std::string sentence_head(const data::Pair& pair) {
  return element("p", {{"class", "pair"}},
                 element("b", {{"dir", "auto"}}, words_of(pair.source)) + " " +
                     element("span", {{"dir", "auto"}}, words_of(pair.target)));
}

std::string link_to(const std::string& place, const std::string& words) {
  return element("a", {{"href", place}}, text(words));
}

// " AER 12.5", of this sentence alone; "" without gold.
std::string aer_of(const data::Record& record) {
  if (!record.gold) return "";
  data::AlignmentScore score;
  score.add(record.links, *record.gold);
  return element("span", {{"class", "quiet"}}, fmt::format("AER {:.1f}", 100 * score.aer()));
}

// The models of the study as rows, by their place in Readings, which has the same order.
std::vector<ShownRow> rows_of(const Study& study) {
  std::vector<ShownRow> rows;
  for (const Family& family : families(study)) rows.insert(rows.end(), family.rows.begin(), family.rows.end());
  return rows;
}

// A model's attention to a sentence, with a caption.
std::string figure(const ShownRow& row, const data::Record& record, const std::string& more = "") {
  const std::string name = element("b", {{"class", fmt::format("own s{}", row.style)}}, text(row.row.experiment));
  return element("figure", {}, element("figcaption", {}, name + " " + aer_of(record)) + draw_matrix(record) + more);
}

std::string translation_of(const Reading& model, const data::Pair& pair) {
  const bool same = model.translation == pair.target;
  return element(
      "p", {{"class", "writes"}},
      same ? "writes the reference" : "writes " + element("q", {{"dir", "auto"}}, words_of(model.translation)));
}

}  // namespace

std::string example_section(const Study& study, const Readings& readings, const AlignmentPage& page) {
  const data::Pair& pair = readings.pairs[readings.example];
  const std::vector<ShownRow> rows = rows_of(study);
  std::string figures, without;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const Reading& model = readings.models[m];
    const std::string writes = translation_of(model, pair);
    if (!model.records.empty()) {
      figures += figure(rows[m], model.records[readings.example],
                        writes + link_to(page.link(readings.example, m, m), "open in the viewer"));
    } else {
      without +=
          element("li", {},
                  element("b", {{"class", fmt::format("own s{}", rows[m].style)}}, text(rows[m].row.experiment)) + " " +
                      writes);
    }
  }
  std::string markup = sentence_head(pair);
  if (!without.empty()) {
    markup +=
        element("p", {}, "Without attention: the decoder gets the sentence as one vector, so there is no matrix.") +
        element("ul", {{"class", "without"}}, without);
  }
  return markup + element("div", {{"class", "figures"}}, figures);
}

std::string disagreement_section(const Study& study, const Readings& readings,
                                 const std::vector<Disagreement>& disagreements, const AlignmentPage& page) {
  const std::vector<ShownRow> rows = rows_of(study);
  std::string markup;
  for (const Disagreement& d : disagreements) {
    const std::string told = fmt::format("{:.0f}% of the attention lies on different words", 100 * d.distance);
    std::string figures;
    for (const std::size_t m : {d.a, d.b}) figures += figure(rows[m], readings.models[m].records[d.sentence]);
    markup += element("article", {},
                      sentence_head(readings.pairs[d.sentence]) +
                          element("p", {{"class", "quiet"}},
                                  told + " · " + link_to(page.link(d.sentence, d.a, d.b), "open side by side")) +
                          element("div", {{"class", "figures"}}, figures)) +
              "\n";
  }
  return markup.empty() ? "" : element("div", {{"class", "articles"}}, markup);
}

}  // namespace softalign::apps
