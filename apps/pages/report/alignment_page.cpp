#include "apps/pages/report/alignment_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/pages/viewer/page.h"
#include "apps/pages/viewer/page_data.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

std::size_t place_of(std::size_t value, const std::vector<std::size_t>& values) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

// The keys are those of the viewer (viewer/script/state.js): s sentence, m run, c the run compared with, o order.
std::string AlignmentPage::link(std::size_t sentence, std::size_t a, std::size_t b) const {
  const std::string shown =
      fmt::format("{}#s={}&m={}&o=order", name, place_of(sentence, sentences), place_of(a, models));
  return a == b ? shown : shown + fmt::format("&c={}", place_of(b, models));
}

AlignmentPage write_alignment_page(const Study& study, const Readings& readings,
                                   const std::vector<Disagreement>& disagreements, const ReproduceOptions& options) {
  AlignmentPage page{study.name + "-alignments.html", study.name + "-sentences.tsv", {readings.example}, {}};
  for (const Disagreement& d : disagreements) {
    if (d.sentence != readings.example) page.sentences.push_back(d.sentence);
  }
  for (std::size_t m = 0; m < readings.models.size(); ++m) {
    if (!readings.models[m].records.empty()) page.models.push_back(m);
  }
  if (page.models.empty()) return {};

  const std::vector<std::string> lines = data::read_lines(test_file(study, options));
  std::string corpus;
  for (const std::size_t i : page.sentences) corpus += lines[readings.pairs[i].line - 1] + "\n";
  PageOptions shown;
  shown.run = readings.models[page.models.front()].folder;
  for (std::size_t m = 1; m < page.models.size(); ++m) shown.compare.push_back(readings.models[page.models[m]].folder);
  shown.files.tsv = options.out + "/" + page.corpus;
  shown.max_length = 1000000;  // these have been read by every model
  shown.tracked = false;
  data::write_own_file(shown.files.tsv, corpus);
  const PageData data = page_data(shown);
  data::write_own_file(options.out + "/" + page.name, make_page(study.name, data.json));
  return page;
}

}  // namespace softalign::apps
