#include "apps/pages/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/pages/report/curves.h"
#include "apps/pages/report/sentences.h"
#include "apps/pages/report/style.h"
#include "apps/pages/report/tables.h"
#include "apps/reproduction/report.h"
#include "apps/reproduction/study.h"
#include "autograd/threads/blas.h"
#include "data/io/commands.h"
#include "data/io/files.h"
#include "data/io/own_files.h"

namespace softalign::apps {

namespace {

// Winner has the row with the highest mean of `sign` times the figure. Only rows for which `may` is true count. If no
// row has the figure, there is no winner.
struct Winner {
  const Row* row = nullptr;
  std::optional<data::MeanAndRange> value;
};
Winner best_of(const Study& study, const RunOutcomes& outcomes, const Figure& figure, double sign,
               const std::function<bool(const RunOutcome&)>& may) {
  Winner best;
  for (const Row& row : study.rows) {
    const std::vector<RunOutcome>& seeds = outcomes.at(row.experiment);
    const auto value = may(seeds.front()) ? mean_and_range(seeds, figure) : std::nullopt;
    if (value && (!best.row || sign * value->mean > sign * best.value->mean)) best = {&row, value};
  }
  return best;
}

std::string best_models(const Study& study, const RunOutcomes& outcomes) {
  const auto any = [](const RunOutcome&) { return true; };
  const auto bleu = best_of(study, outcomes, std::mem_fn(&RunOutcome::bleu), 1, any);
  const auto aer = best_of(study, outcomes, std::mem_fn(&RunOutcome::aer), -1, any);
  const auto blind =
      best_of(study, outcomes, std::mem_fn(&RunOutcome::bleu), 1, [](const RunOutcome& o) { return !o.attends; });
  const auto name = [](const Winner& winner) { return element("b", {}, text(winner.row->experiment)); };
  std::string said;
  if (bleu.row) said += fmt::format("{} translates best, {} BLEU", name(bleu), to_text(bleu.value, 1));
  if (blind.row && bleu.row != blind.row) {
    said += fmt::format("; without attention {} does, {} BLEU", name(blind), to_text(blind.value, 1));
  }
  if (aer.row) said += fmt::format("; {} aligns best, AER {}", name(aer), to_text(aer.value, 1));
  return said.empty() ? "" : said + ".";
}

}  // namespace

std::string claim_line(const std::string& claim, const Verdict& verdict) {
  const std::string mark = verdict.held ? "✓ holds" : "✗ does not hold";
  return element("li", {{"class", verdict.held ? "held" : "failed"}},
                 element("span", {{"class", "verdict"}}, mark) + " " + element("span", {}, text(claim)) + " " +
                     element("span", {{"class", "quiet"}}, text(verdict.figures)));
}

std::string conclusion(const Study& study, const RunOutcomes& outcomes, const ReproduceOptions& options) {
  std::string claims, markup;
  for (const Claim& claim : study.claims) claims += claim_line(claim.text, claim.check(outcomes)) + "\n";
  if (!claims.empty())
    markup += element("p", {{"class", "lead"}}, element("b", {}, text(summary(study, outcomes, options))));
  markup += element("p", {{"class", "lead"}}, best_models(study, outcomes));
  if (!claims.empty()) markup += element("ol", {{"class", "claims"}}, "\n" + claims);
  return element("section", {{"id", "conclusion"}}, markup) + "\n";
}

namespace {

std::string fact(const std::string& name, const std::string& value) {
  return element("dt", {}, text(name)) + element("dd", {}, value) + "\n";
}

std::string code(const std::string& words) { return element("code", {}, text(words)); }

// Returns the first 16 digits of the file's SHA-256.
std::string digest(const std::string& path) {
  std::string digits;
  for (const unsigned byte : sha256(data::read_bytes(path))) digits += fmt::format("{:02x}", byte);
  return digits.substr(0, 16);
}

std::string command_line(const Study& study, const ReproduceOptions& o) {
  std::string words =
      fmt::format("build/reproduce {} --seeds {} --out {}", study.name, o.seeds, data::shell_word(o.out));
  if (!o.data.empty()) words += " --data " + data::shell_word(o.data);
  if (o.epochs > 0) words += fmt::format(" --epochs {}", o.epochs);
  if (o.threads > 0) words += fmt::format(" --threads {}", o.threads);
  return words;
}

// Returns the name of the processor as the kernel reports it, or "" if the kernel does not report it.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  }
  return "";
}

std::string all_commands(const Study& study, const ReproduceOptions& options) {
  std::istringstream lines(commands_text(study, options));
  std::string markup;
  for (std::string line; std::getline(lines, line);) markup += text(line) + "\n";
  return element("details", {},
                 element("summary", {}, "Every command that was run") + element("pre", {{"tabindex", "0"}}, markup));
}

}  // namespace

std::string origin(const Study& study, const AlignmentPage& alignments, const ReproduceOptions& options) {
  std::string facts = fact(
      "this report", code(command_line(study, options)) + "; models that are trained already are not trained again");
  facts += fact("seeds", options.seeds == 1 ? "1" : fmt::format("1 to {}", options.seeds));
  facts += fact("version", "softalign " SOFTALIGN_VERSION);
  if (const std::string name = processor(); !name.empty()) facts += fact("written on", text(name));
  facts += fact("linear algebra", text(autograd::describe_blas()));
  std::string files;
  for (const char* name : {"train.tsv", "valid.tsv"}) {
    const std::string path = corpus_folder(options) + "/" + name;
    files += element("div", {}, code(path) + " " + code(digest(path)));
  }
  const std::string test = test_file(study, options);
  files += element("div", {}, code(test) + " " + code(digest(test)));
  facts += fact("corpus, SHA-256", files);
  facts += fact("figures as JSON", element("a", {{"href", study.name + ".json"}}, text(study.name + ".json")));
  if (!alignments.name.empty()) {
    facts += fact("alignments", element("a", {{"href", alignments.name}}, text(alignments.name)) + " of " +
                                    element("a", {{"href", alignments.corpus}}, text(alignments.corpus)));
  }
  return element("dl", {}, facts) + all_commands(study, options);
}

namespace {

// Section is a part of the page with a heading. A link to it ends with its id.
struct Section {
  std::string id, title, about, content;
};

// Returns links to the sections that have content.
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
      options.seeds > 1
          ? fmt::format(" Figures are means of {} seeds, and half of their range follows after ±.", options.seeds)
          : "";
  const std::string band = options.seeds > 1 ? " Bands show the range of the seeds." : "";
  const std::string first = readings.pairs.size() < readings.test_pairs
                                ? fmt::format("first {} of {} ", readings.pairs.size(), readings.test_pairs)
                                : "";
  const std::string matrices = alignments.name.empty()
                                   ? ""
                                   : " Rows are the words of the reference translation, and columns are the words of "
                                     "the source. A darker cell has a larger attention weight, from 0 to 1 in every "
                                     "figure. Orange outlines are gold links, and dashed outlines are possible links.";
  const std::string replaced = baseline_text(study, outcomes);
  const std::string baseline = replaced.empty() ? "" : element("p", {}, text(replaced)) + "\n";
  const std::vector<Section> sections = {
      {"results", "Results",
       "Translations of the test set are greedy, and alignments come from teacher forcing. BLEU, exact match and AER "
       "are in percent. The best value of each column is bold." +
           spread + " The paper's figures: " + study.paper_setting + ".",
       results_table(study, outcomes) + baseline},
      {"curves", "Learning curves",
       "The charts show the validation pairs after every epoch. Translations are greedy." + band,
       learning_curves(study, outcomes)},
      {"length", "By source length",
       "The tables show BLEU and AER for groups of test sentences with similar length. A darker cell is worse." + band,
       element("div", {{"class", "beside"}},
               length_charts(study, outcomes) + bleu_table(study, outcomes, &RunOutcome::by_length) +
                   aer_table(study, outcomes, &RunOutcome::by_length))},
      {"construction", "AER by construction",
       "Scores are in percent, over the test sentences that the corpus marks with the construction. A sentence may "
       "have several constructions.",
       aer_table(study, outcomes, &RunOutcome::by_tag)},
      {"example", "One sentence, every model",
       fmt::format("Among the {}test sentences of 6 to 10 words, this sentence has the most crossing gold links.",
                   first) +
           matrices,
       example_section(study, readings, alignments)},
      {"disagreements", "Where the models disagree most",
       "Two models attend differently to each of these short test sentences. The largest difference comes first, and "
       "models take turns. Attention to a sentence need not be the reason for its translation.",
       disagreement_section(study, readings, disagreements, alignments)},
      {"origin", "How to reproduce",
       "In the project folder, the same command gives the same figures, except for times.",
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

std::vector<std::string> write_report_pages(const Study& study, const RunOutcomes& outcomes,
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
