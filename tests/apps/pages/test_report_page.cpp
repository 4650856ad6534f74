// These tests check the report's page: its conclusions, the best values, the sentences that it shows, and that it runs
// no code.
#include <fmt/format.h>

#include <regex>
#include <set>

#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/pages/report/page.h"
#include "apps/pages/report/style.h"
#include "apps/pages/report/tables.h"
#include "tests/catch.h"
#include "tests/folders.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Matchers::Contains;

RunOutcome outcome(double bleu, std::optional<double> aer = {}) {
  RunOutcome o;
  o.perplexity = 100 / bleu;
  o.bleu = bleu;
  o.aer = aer;
  o.seconds = 60;
  o.parameters = 1234;
  o.attends = aer.has_value();
  o.by_length = {{"1-10", {30, bleu, aer}}, {"11-20", {20, bleu - 5, aer}}};
  o.by_tag = {{"negation", {7, bleu, aer}}};
  return o;
}

Study study() {
  return {.name = "small",
          .title = "A <small> study",
          .paper_setting = "somewhere",
          .experiments = {{"luong-one", {}}, {"luong-two", {}}, {"encdec", {}}},
          .rows = {{"the first", "luong-one", "10 / 20", "luong"},
                   {"the second", "luong-two", "", "luong"},
                   {"no attention", "encdec", "", "encdec"}},
          .claims = {claim_bleu("One beats two", "luong-one", "luong-two"),
                     claim_bleu("Two beats <one>", "luong-two", "luong-one")}};
}

const RunOutcomes outcomes{{"luong-one", {outcome(90, 5.0), outcome(94, 7.0)}},
                           {"luong-two", {outcome(80, 6.0), outcome(82, 6.04)}},
                           {"encdec", {outcome(20), outcome(30)}}};

data::Record record(std::vector<std::vector<float>> matrix) {
  data::Record r;
  r.source = {"a", "b"};
  r.target = {"c"};
  r.weights.matrix = std::move(matrix);
  return r;
}

data::Pair pair(const std::string& source, const std::string& target, data::Links sure = {}) {
  return {data::split_words(source), data::split_words(target), data::Gold{std::move(sure), {}}, {}, 1};
}

const ReproduceOptions options{.out = "out", .data = "", .seeds = 2, .epochs = 0, .threads = 0};

}  // namespace

TEST_CASE("the conclusion gives each claim its verdict and names the best models") {
  const std::string html = conclusion(study(), outcomes, options);
  CHECK_THAT(html, Contains("1 of 2 claims of the paper held on the toy corpus, 2 seeds."));
  CHECK_THAT(html, Contains("<li class=\"held\"><span class=\"verdict\">✓ holds</span> <span>One beats two</span>"));
  CHECK_THAT(
      html,
      Contains("<li class=\"failed\"><span class=\"verdict\">✗ does not hold</span> <span>Two beats &lt;one&gt;"));
  CHECK_THAT(html, Contains("luong-one 92.0 BLEU, luong-two 81.0"));
  CHECK_THAT(html, Contains("<b>luong-one</b> translates best, 92.0 ± 2.0 BLEU; without attention <b>encdec</b> does, "
                            "25.0 ± 5.0 BLEU; <b>luong-one</b> aligns best, AER 6.0 ± 1.0."));
}

TEST_CASE("the best value of each column is bold, and so are values that print the same") {
  const std::string html = results_table(study(), outcomes);
  CHECK_THAT(html, Contains("<td><b>92.0 ± 2.0</b></td>") && Contains("<td>81.0 ± 1.0</td>"));
  CHECK_THAT(html, Contains("<b>6.0 ± 1.0</b>") && Contains("<b>6.0 ± 0.0</b>"));  // 6.02 is printed as 6.0
  CHECK_THAT(html, Contains("<span>AER</span>"));
  CHECK_THAT(
      results_table(study(), {{"luong-one", {outcome(1)}}, {"luong-two", {outcome(1)}}, {"encdec", {outcome(1)}}}),
      !Contains("<span>AER</span>"));
  CHECK_THAT(html, Contains("<td>1,234</td>") && Contains("<td class=\"paper\">10 / 20</td>"));
}

TEST_CASE("tables of parts are in order, give the number of pairs and leave out rows without a figure") {
  const std::string bleu = bleu_table(study(), outcomes, &RunOutcome::by_length);
  CHECK(bleu.find(">1-10<") < bleu.find(">11-20<"));
  CHECK_THAT(bleu, Contains("<td>30</td><td>20</td>") && Contains("<td class=\"shade h1\"><b>92.0 ± 2.0</b></td>"));
  const std::string aer = aer_table(study(), outcomes, &RunOutcome::by_tag);
  CHECK_THAT(aer, Contains("negation") && Contains("luong-one") && !Contains("encdec"));
  CHECK(aer_table(study(), {{"luong-one", {outcome(1)}}, {"luong-two", {outcome(1)}}, {"encdec", {outcome(1)}}},
                  &RunOutcome::by_tag)
            .empty());
}

TEST_CASE("names of rows leave out the prefix of their family") {
  const auto names = [](const std::vector<std::string>& experiments) {
    Study s = study();
    s.rows.clear();
    for (const std::string& name : experiments) s.rows.push_back({"", name, "", ""});
    const std::vector<ShownRow> rows = row_groups(s).front().rows;
    std::string joined;
    for (const ShownRow& shown : rows) joined += fmt::format("{}:{} ", shown.name, shown.style);
    return joined;
  };
  CHECK(names({"rnnsearch", "rnnsearch-gru", "rnnsearch-4-heads"}) == "rnnsearch:0 gru:1 4-heads:2 ");
  CHECK(names({"encdec-15", "rnnsearch-15"}) == "encdec-15:0 rnnsearch-15:1 ");
  CHECK(names({"luong-local-m", "luong-local-p"}) == "local-m:0 local-p:1 ");
  CHECK(names({"one", "two"}) == "one:0 two:1 ");
  CHECK(row_groups(study()).size() == 2);
}

TEST_CASE("the example is a sentence of 6 to 10 words with many crossing links") {
  const std::string six = "a b c d e f", eleven = "a b c d e f g h i j k";
  CHECK(choose_example({pair("a", "b"), pair(six, six), pair(six, six, {{0, 2}, {1, 1}, {2, 0}}),
                        pair(eleven, six, {{0, 3}, {1, 2}, {2, 1}, {3, 0}}), pair(six, six, {{0, 1}, {1, 0}})}) == 2);
  CHECK(choose_example({pair("a", "b"), pair("a b", "c d"), pair("a b", "d c")}) == 1);
}

TEST_CASE("the distance of two attention matrices is the share of weight on different words") {
  const data::Record a = record({{1, 0, 0}, {0, 0, 1}}), b = record({{0, 1, 0}, {0, 0.5F, 0.5F}});
  CHECK(attention_distance(a, a) == 0);
  CHECK(attention_distance(a, b) == Approx((1 + 0.5) / 2));
  CHECK(attention_distance(record({{1, 0, 0}, {1, 0, 0}}), record({{0, 0, 1}, {0, 1, 0}})) == Approx(1));
}

TEST_CASE("the greatest disagreements contain each sentence once, and models take turns") {
  const data::Record left = record({{1, 0, 0}, {0, 0, 1}}), right = record({{0, 1, 0}, {0, 0, 1}}),
                     odd = record({{0, 0, 1}, {1, 0, 0}}), near = record({{0.9F, 0.1F, 0}, {0, 0, 1}});
  TestSetAlignments readings;
  readings.pairs = {pair("a b", "c"), pair("a b", "d"), pair("a b", "e")};
  readings.models = {{"none", "", {}, {}},
                     {"left", "", {left, left, left}, {}},
                     {"odd", "", {odd, left, odd}, {}},
                     {"near", "", {near, near, left}, {}},
                     {"right", "", {right, right, left}, {}}};
  const std::vector<Disagreement> found = greatest_disagreements(readings, 3);
  REQUIRE(found.size() == 3);
  CHECK((found[0].sentence == 0 && found[0].a == 1 && found[0].b == 2 && found[0].distance == Approx(1)));
  CHECK((found[1].sentence == 1 && found[1].a == 3 && found[1].b == 4 && found[1].distance == Approx(0.45)));
  CHECK(found[2].sentence == 2);
  readings.models.resize(2);
  CHECK(greatest_disagreements(readings, 3).empty());
}

TEST_CASE("links use the viewer's numbers for the sentence, the run and the run for comparison") {
  const AlignmentPage page{"s-alignments.html", "s.tsv", {12, 3}, {0, 2, 5}};
  CHECK(page.link(3, 5, 2) == "s-alignments.html#s=1&m=2&o=order&c=1");
  CHECK(page.link(12, 0, 0) == "s-alignments.html#s=0&m=0&o=order");
}

TEST_CASE("the page has no script and its policy allows nothing but its own style") {
  TestSetAlignments readings;
  readings.test_pairs = 2;
  readings.pairs = {pair("<script>alert(1)</script> \"b", "<img/src=x>")};
  for (const Row& row : study().rows) readings.models.push_back({row.experiment, "", {}, {"<b>", "</q>"}});
  ReproduceOptions from_project = options;
  from_project.data = testing::source_folder() + "/data/toy";
  const Study small = study();
  const std::string html = report_page({small, outcomes, from_project, readings, {}, {}});
  const std::size_t begin = html.find("<style>") + 7;
  const std::string style = html.substr(begin, html.find("</style>") - begin);
  CHECK_THAT(html, Contains("content=\"default-src 'none'; style-src " + policy_hash(style) +
                            "; base-uri 'none'; form-action 'none'\""));
  CHECK_THAT(style, Contains(".w24{") && Contains("--ink:") && Contains(".s0 {"));
  CHECK_THAT(html, Contains("Among the first 1 of 2 test sentences"));
  CHECK_THAT(html, Contains("<title>A &lt;small&gt; study</title>"));
  CHECK_THAT(html, Contains("<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>") && Contains("<bdi>&lt;/q&gt;</bdi>"));
  const std::set<std::string> harmless{"body", "header", "main",    "section", "nav",  "h1", "h2", "h3",
                                       "p",    "b",      "bdi",     "q",       "ol",   "ul", "li", "div",
                                       "span", "table",  "thead",   "tbody",   "tr",   "th", "td", "svg",
                                       "path", "line",   "g",       "circle",  "text", "dl", "dt", "dd",
                                       "code", "pre",    "details", "summary", "a"};
  const std::string body = html.substr(html.find("<body>"));
  const std::regex tag("<([a-z0-9!]+)([^>]*)>");
  for (std::sregex_iterator found(body.begin(), body.end(), tag), end; found != end; ++found) {
    INFO(found->str());
    CHECK(harmless.count((*found)[1]) == 1);
    CHECK_FALSE(std::regex_search((*found)[2].str(), std::regex(" (on\\w+|style|src)=")));
  }
  CHECK_FALSE(std::regex_search(html, std::regex("https?://(?!www\\.w3\\.org/2000/svg)")));
}
