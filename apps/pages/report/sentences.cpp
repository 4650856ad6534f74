#include "apps/pages/report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "apps/inference/align_pairs.h"
#include "apps/pages/html.h"
#include "apps/pages/matrix.h"
#include "apps/pages/report/tables.h"
#include "apps/pages/viewer/page.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_text.h"
#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/metrics/aer.h"

namespace softalign::apps {

namespace {

constexpr std::size_t most_pairs = 1000;

std::size_t longer_side(const data::Pair& pair) { return std::max(pair.source.size(), pair.target.size()); }

// Returns the number of pairs of sure links that cross. Two links cross if one starts before the other and ends after
// it.
std::size_t crossings(const data::Pair& pair) {
  std::size_t count = 0;
  if (!pair.gold) return 0;
  for (const data::Link& a : pair.gold->sure) {
    for (const data::Link& b : pair.gold->sure) count += a.source < b.source && a.target > b.target;
  }
  return count;
}

data::Tokens translate(const LoadedRun& run, const data::Pair& pair) {
  const SourceText source = source_text(run, pair.source);
  const auto found = search(*run.model, run.params, {encoded(source)}, {});
  return words_of(run, found.front().front());
}

}  // namespace

std::size_t choose_example(const std::vector<data::Pair>& pairs) {
  constexpr std::size_t fewest = 6, most = 10;
  const auto off = [=](const data::Pair& pair) {  // number of words too many and too few
    const std::size_t shorter_side = std::min(pair.source.size(), pair.target.size());
    return std::max(longer_side(pair), most) - most + fewest - std::min(shorter_side, fewest);
  };
  const auto better = [&](const data::Pair& a, const data::Pair& b) {
    if (off(a) != off(b)) return off(a) < off(b);
    return crossings(a) > crossings(b);
  };
  return static_cast<std::size_t>(std::min_element(pairs.begin(), pairs.end(), better) - pairs.begin());
}

TestSetAlignments read_test_set(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options) {
  TestSetAlignments readings;
  const std::vector<Job> jobs = jobs_of(study, options);
  for (const Row& row : study.rows) {
    const auto job =
        std::find_if(jobs.begin(), jobs.end(), [&](const Job& each) { return each.name == row.experiment; });
    const LoadedRun run = load_run(job->folder);
    if (readings.pairs.empty()) {
      CorpusFiles files;
      files.tsv = test_file(study, options);
      constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
      readings.pairs = read_corpus(files, run.options, any, data::TooLong::refuse).pairs;
      readings.test_pairs = readings.pairs.size();
      readings.pairs.resize(std::min(readings.pairs.size(), most_pairs));
      readings.example = choose_example(readings.pairs);
    }
    ModelAlignments reading{row.experiment, job->folder, {}, {}};
    reading.translation = translate(run, readings.pairs[readings.example]);
    if (outcomes.at(row.experiment).front().attends) {
      align_pairs(run, job->folder, readings.pairs, Units::words, AttentionDetail::at_source,
                  [&](const data::Record& record) { reading.records.push_back(record); });
    }
    readings.models.push_back(std::move(reading));
  }
  return readings;
}

double attention_distance(const data::Record& a, const data::Record& b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.weights.matrix.size(); ++t) {
    for (std::size_t s = 0; s < a.weights.matrix[t].size(); ++s)
      sum += std::abs(a.weights.matrix[t][s] - b.weights.matrix[t][s]) / 2;
  }
  return sum / static_cast<double>(a.weights.matrix.size());
}

namespace {

// Returns the indices of sentences that are easy to read, or of all sentences if fewer than `count` are easy.
std::vector<std::size_t> short_sentences(const std::vector<data::Pair>& pairs, std::size_t count) {
  constexpr std::size_t longest = 12;
  std::vector<std::size_t> all(pairs.size()), few;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::copy_if(all.begin(), all.end(), std::back_inserter(few),
               [&](std::size_t i) { return longer_side(pairs[i]) <= longest; });
  return few.size() >= count ? few : all;
}

// Returns the distance of every two models on each of the sentences, the largest distance first.
std::vector<Disagreement> distances(const TestSetAlignments& readings, const std::vector<std::size_t>& sentences) {
  std::vector<Disagreement> all;
  const std::vector<ModelAlignments>& models = readings.models;
  for (std::size_t a = 0; a < models.size(); ++a) {
    for (std::size_t b = a + 1; b < models.size(); ++b) {
      if (models[a].records.empty() || models[b].records.empty()) continue;
      for (const std::size_t i : sentences) {
        all.push_back({i, a, b, attention_distance(models[a].records[i], models[b].records[i])});
      }
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.distance > y.distance; });
  return all;
}

}  // namespace

std::vector<Disagreement> greatest_disagreements(const TestSetAlignments& readings, std::size_t count) {
  const std::vector<Disagreement> all = distances(readings, short_sentences(readings.pairs, count));
  std::vector<Disagreement> greatest;
  std::map<std::size_t, std::size_t> taken;  // how often each model was chosen
  std::set<std::size_t> sentences;
  const auto times = [&](const Disagreement& d) { return taken[d.a] + taken[d.b]; };
  while (greatest.size() < count) {
    const Disagreement* next = nullptr;
    for (const Disagreement& d : all) {
      if (sentences.count(d.sentence) == 0 && (!next || times(d) < times(*next))) next = &d;
    }
    if (!next) break;
    greatest.push_back(*next);
    sentences.insert(next->sentence);
    ++taken[next->a];
    ++taken[next->b];
  }
  return greatest;
}

namespace {

std::size_t place_of(std::size_t value, const std::vector<std::size_t>& values) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

// The viewer defines the keys (viewer/script/state.js): s is the sentence, m the run, c the run for comparison, and o
// the order.
std::string AlignmentPage::link(std::size_t sentence, std::size_t a, std::size_t b) const {
  const std::string shown =
      fmt::format("{}#s={}&m={}&o=order", name, place_of(sentence, sentences), place_of(a, models));
  return a == b ? shown : shown + fmt::format("&c={}", place_of(b, models));
}

AlignmentPage write_alignment_page(const Study& study, const TestSetAlignments& readings,
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
  shown.max_length = 1000000;  // every model has already read these sentences
  shown.tracked = false;
  data::write_own_file(shown.files.tsv, corpus);
  const PageData data = page_data(shown);
  data::write_own_file(options.out + "/" + page.name, make_page(study.name, data.json));
  return page;
}

namespace {

std::string sentence_head(const data::Pair& pair) {
  return element("p", {{"class", "pair"}},
                 element("b", {{"dir", "auto"}}, words_of(pair.source)) + " " +
                     element("span", {{"dir", "auto"}}, words_of(pair.target)));
}

std::string link_to(const std::string& place, const std::string& words) {
  return element("a", {{"href", place}}, text(words));
}

// Returns the AER of this sentence as HTML, for example "AER 12.5", or "" without gold links.
std::string aer_of(const data::Record& record) {
  if (!record.gold) return "";
  data::AlignmentScore score;
  score.add(record.links, *record.gold);
  return element("span", {{"class", "quiet"}}, fmt::format("AER {:.1f}", 100 * score.aer()));
}

// Returns the models of the study as rows. A row has the same index as its model in TestSetAlignments.
std::vector<ShownRow> rows_of(const Study& study) {
  std::vector<ShownRow> rows;
  for (const RowGroup& group : row_groups(study)) rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  return rows;
}

// Returns a figure with a model's attention to a sentence, and with a caption.
std::string figure(const ShownRow& row, const data::Record& record, const std::string& more = "") {
  const std::string name = element("b", {{"class", fmt::format("own s{}", row.style)}}, text(row.row.experiment));
  return element("figure", {}, element("figcaption", {}, name + " " + aer_of(record)) + draw_matrix(record) + more);
}

std::string translation_of(const ModelAlignments& model, const data::Pair& pair) {
  const bool same = model.translation == pair.target;
  return element(
      "p", {{"class", "writes"}},
      same ? "writes the reference" : "writes " + element("q", {{"dir", "auto"}}, words_of(model.translation)));
}

}  // namespace

std::string example_section(const Study& study, const TestSetAlignments& readings, const AlignmentPage& page) {
  const data::Pair& pair = readings.pairs[readings.example];
  const std::vector<ShownRow> rows = rows_of(study);
  std::string figures, without;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    const ModelAlignments& model = readings.models[m];
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
    markup += element("p", {},
                      "This model has no attention, because its decoder gets the sentence as one vector. Therefore "
                      "there is no matrix.") +
              element("ul", {{"class", "without"}}, without);
  }
  return markup + element("div", {{"class", "figures"}}, figures);
}

std::string disagreement_section(const Study& study, const TestSetAlignments& readings,
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
