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
         section("BLEU against source length", "On the test set." + band,
                 length_charts(study, outcomes) + bleu_table(study, outcomes, &Outcome::by_length)) +
         section("AER by construction",
                 "Of the test sentences that the corpus marks with the construction; lower is "
                 "better, and darker is worse.",
                 aer_table(study, outcomes, &Outcome::by_tag)) +
         section("AER by source length", "In percent, by words in the source sentence.",
                 aer_table(study, outcomes, &Outcome::by_length)) +
         section(
             "One sentence, every model",
             "Of the test sentences of 6 to 10 words the one whose gold links cross most. Rows are the words of the "
             "reference, read by forced decoding, columns those of the source; darker is more attention, from 0 to 1 "
             "in every figure; orange outlines are gold links, dashed where only possible.",
             example_section(study, readings, alignments)) +
         section(
             "Where the models disagree most",
             "The test sentences of at most 12 words with the largest distance between two models' attention, on "
             "average over all pairs of models; of each the two models that are farthest apart. The distance is the "
             "share of attention that lies on different words.",
             disagreement_section(study, readings, disagreements, alignments)) +
         section("How to reproduce", "", origin(study, alignments, options));
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
