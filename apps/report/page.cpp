#include "apps/report/page.h"

#include <fmt/format.h>

#include "apps/report/conclusion.h"
#include "apps/report/curves.h"
#include "apps/report/markup.h"
#include "apps/report/origin.h"
#include "apps/report/parts.h"
#include "apps/report/results.h"
#include "apps/report/sentences.h"
#include "apps/report/style.h"
#include "apps/viewer/html.h"
#include "data/files.h"

namespace apps {

namespace {

// A part of the page with a heading; "" if it has no content.
std::string section(const std::string& title, const std::string& about, const std::string& content) {
  if (content.empty()) return "";
  return element("section", {}, element("h2", {}, text(title)) + element("p", {}, text(about)) + "\n" + content) + "\n";
}

std::map<std::string, std::size_t> parameters_of(const Readings& readings) {
  std::map<std::string, std::size_t> parameters;
  for (const Reading& model : readings.models) parameters[model.experiment] = model.parameters;
  return parameters;
}

std::string body(const Study& study, const Outcomes& outcomes, const Readings& readings,
                 const std::vector<Disagreement>& disagreements, const AlignmentPage& alignments,
                 const ReproduceOptions& options) {
  const std::string spread =
      options.seeds > 1 ? fmt::format(" Means of {} seeds, behind ± half of their range.", options.seeds) : "";
  const std::string band = options.seeds > 1 ? " Bands show the range of the seeds." : "";
  return conclusion(study, outcomes, options) +
         section("Results",
                 "Greedy translations and forced alignments of the test set; BLEU, exact match and AER in percent; the "
                 "best of each column in bold." +
                     spread + " The paper's figures: " + study.paper_setting + ".",
                 results_table(study, outcomes, parameters_of(readings))) +
         section("Learning curves", "On the validation pairs, after every epoch; greedy translations." + band,
                 learning_curves(study, outcomes)) +
         section("By source length",
                 "BLEU and AER of the test sentences in bins of ten words; the stronger the shade, the worse." + band,
                 element("div", {{"class", "beside"}},
                         length_charts(study, outcomes) + bleu_table(study, outcomes, &Outcome::by_length) +
                             aer_table(study, outcomes, &Outcome::by_length))) +
         section("AER by construction",
                 "In percent, of the test sentences that the corpus marks with the construction; a sentence may have "
                 "several.",
                 aer_table(study, outcomes, &Outcome::by_tag)) +
         section(
             "One sentence, every model",
             "Of the test sentences of 6 to 10 words the one whose gold links cross most. Rows are the words of the "
             "reference, read by forced decoding, columns those of the source. The stronger the shade, the more "
             "attention, from 0 to 1 in every figure; orange outlines are gold links, dashed where only possible.",
             example_section(study, readings, alignments)) +
         section("Where the models disagree most",
                 "Two models' attention to a test sentence of at most 12 words, the farthest apart first; models take "
                 "turns. Attention to a sentence need not be the reason for its translation.",
                 disagreement_section(study, readings, disagreements, alignments)) +
         section("How to reproduce", "The same command makes the same figures, but for those of time.",
                 origin(study, alignments, options));
}

}  // namespace

std::string report_page(const Study& study, const Outcomes& outcomes, const Readings& readings,
                        const std::vector<Disagreement>& disagreements, const AlignmentPage& alignments,
                        const ReproduceOptions& options) {
  const std::string title = text(study.title), style = page_style(), hash = policy_hash(style);
  const std::string content = body(study, outcomes, readings, disagreements, alignments, options);
  return fill_template(report_template,
                       {{"title", title}, {"style_hash", hash}, {"style", style}, {"content", content}});
}

std::vector<std::string> write_report_pages(const Study& study, const Outcomes& outcomes,
                                            const ReproduceOptions& options) {
  const Readings readings = read_test_set(study, outcomes, options);
  const std::vector<Disagreement> disagreements = greatest_disagreements(readings, 6);
  const AlignmentPage alignments = write_alignment_page(study, readings, disagreements, options);
  std::vector<std::string> names{study.name + ".html"};
  data::write_file(options.out + "/" + names.front(),
                   report_page(study, outcomes, readings, disagreements, alignments, options));
  if (!alignments.name.empty()) names.push_back(alignments.name);
  return names;
}

}  // namespace apps
