#include "apps/pages/report/page.h"

#include <fmt/format.h>

#include "apps/pages/html.h"
#include "apps/pages/report/conclusion.h"
#include "apps/pages/report/curves.h"
#include "apps/pages/report/origin.h"
#include "apps/pages/report/parts.h"
#include "apps/pages/report/results.h"
#include "apps/pages/report/sentences.h"
#include "apps/pages/report/style.h"
#include "apps/reproduction/report.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

// A part of the page with a heading. Its id stands in the URL of a link to it.
struct Section {
  std::string id, title, about, content;
};

// Links to those sections that have content, and these sections.
std::string navigation(const std::vector<Section>& sections) {
  std::string links;
  for (const Section& s : sections) {
    if (!s.content.empty()) links += element("a", {{"href", "#" + s.id}}, text(s.title)) + " ";
  }
  return element("nav", {{"aria-label", "Sections"}}, links) + "\n";
}

std::string all_of(const std::vector<Section>& sections) {
  std::string markup;
  for (const Section& s : sections) {
    if (s.content.empty()) continue;
    const std::string head = element("h2", {}, text(s.title)) + element("p", {}, text(s.about));
    markup += element("section", {{"id", s.id}}, head + "\n" + s.content) + "\n";
  }
  return markup;
}

std::string body(const Report& report) {
  const auto& [study, outcomes, options, readings, disagreements, alignments] = report;
  const std::string spread =
      options.seeds > 1 ? fmt::format(" Means of {} seeds, behind ± half of their range.", options.seeds) : "";
  const std::string band = options.seeds > 1 ? " Bands show the range of the seeds." : "";
  const std::string first = readings.pairs.size() < readings.test_pairs
                                ? fmt::format("first {} of {} ", readings.pairs.size(), readings.test_pairs)
                                : "";
  const std::string matrices =
      alignments.name.empty()
          ? ""
          : " Rows are the words of the reference, read by forced decoding, columns those of the source. The stronger "
            "the shade, the more attention, from 0 to 1 in every figure; orange outlines are gold links, dashed where "
            "only "
            "possible.";
  const std::string replaced = baseline_text(study, outcomes);
  const std::string baseline = replaced.empty() ? "" : element("p", {}, text(replaced)) + "\n";
  const std::vector<Section> sections = {
      {"results", "Results",
       "Greedy translations and forced alignments of the test set; BLEU, exact match and AER in percent; the "
       "best of each column in bold." +
           spread + " The paper's figures: " + study.paper_setting + ".",
       results_table(study, outcomes) + baseline},
      {"curves", "Learning curves", "On the validation pairs, after every epoch; greedy translations." + band,
       learning_curves(study, outcomes)},
      {"length", "By source length",
       "BLEU and AER of the test sentences in bins of ten words; the stronger the shade, the worse." + band,
       element("div", {{"class", "beside"}},
               length_charts(study, outcomes) + bleu_table(study, outcomes, &Outcome::by_length) +
                   aer_table(study, outcomes, &Outcome::by_length))},
      {"construction", "AER by construction",
       "In percent, of the test sentences that the corpus marks with the construction; a sentence may have "
       "several.",
       aer_table(study, outcomes, &Outcome::by_tag)},
      {"example", "One sentence, every model",
       fmt::format("Of the {}test sentences of 6 to 10 words the one whose gold links cross most.", first) + matrices,
       example_section(study, readings, alignments)},
      {"disagreements", "Where the models disagree most",
       "Two models' attention to a short sentence of the test set, the farthest apart first; models take "
       "turns. Attention to a sentence need not be the reason for its translation.",
       disagreement_section(study, readings, disagreements, alignments)},
      {"origin", "How to reproduce", "The same command makes the same figures, but for those of time.",
       origin(study, alignments, options)}};
  return conclusion(study, outcomes, options) + navigation(sections) + all_of(sections);
}

}  // namespace

std::string report_page(const Report& report) {
  const std::string title = text(report.study.title), style = page_style(), hash = policy_hash(style);
  const std::string content = body(report);
  return fill_template(
      report_template,
      {{"title", title}, {"style_hash", hash}, {"style", style}, {"content", content}, {"images", ""}});
}

std::vector<std::string> write_report_pages(const Study& study, const Outcomes& outcomes,
                                            const ReproduceOptions& options) {
  Report report{study, outcomes, options, read_test_set(study, outcomes, options), {}, {}};
  report.disagreements = greatest_disagreements(report.readings, 6);
  report.alignments = write_alignment_page(study, report.readings, report.disagreements, options);
  std::vector<std::string> names{study.name + ".html"};
  data::write_own_file(options.out + "/" + names.front(), report_page(report));
  if (!report.alignments.name.empty()) names.push_back(report.alignments.name);
  return names;
}

}  // namespace softalign::apps
