// Studies of papers: these tests check which commands they accept, how claims are decided, and what the report
// contains.
#include <cmath>
#include <functional>

#include "apps/reproduction/report.h"
#include "apps/reproduction/runner.h"
#include "apps/reproduction/study.h"
#include "tests/catch.h"

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
  o.by_length = {{"1-10", {30, bleu + 5, {}}}, {"11-20", {20, bleu - 5, {}}}};
  return o;
}

Study small_study() {
  return {.name = "small",
          .title = "A small study",
          .paper_setting = "somewhere",
          .experiments = {{"one", {"--model", "luong"}}, {"two", {"--model", "encdec"}, 15}},
          .rows = {{"the first", "one", "10 / 20"}, {"the second", "two", ""}},
          .claims = {claim_bleu("One beats two", "one", "two"), claim_bleu("Two beats one", "two", "one")},
          .by_length = true};
}

const RunOutcomes outcomes{{"one", {outcome(90, 5.0), outcome(94, 7.0)}}, {"two", {outcome(40), outcome(50)}}};

}  // namespace

TEST_CASE("every study trains all rows that it shows and can decide its claims") {
  for (const Study& study : {bahdanau_study(), luong_study(), sutskever_study(), transformer_study(), models_study()}) {
    INFO(study.name);
    RunOutcomes all;
    for (const Experiment& e : study.experiments) {
      CHECK(all.count(e.name) == 0);
      all[e.name] = {outcome(50, 20.0)};
      all[e.name][0].seconds = 50;
      for (const char* bin : {"1-10", "11-20", "21-30", "31-40", "41-50"}) all[e.name][0].by_length[bin].bleu = 50;
    }
    for (const Row& row : study.rows) CHECK(all.count(row.experiment) == 1);
    CHECK(study.rows.size() == study.experiments.size());
    for (const Claim& claim : study.claims)
      CHECK_THAT(claim.check(all).figures, Contains("50.0") || Contains("2.000") || Contains("20.0"));
  }
}

TEST_CASE("claims about length: a drop means that the last bin is below nine tenths of the best one") {
  const Study study = bahdanau_study();
  RunOutcomes all;
  for (const Experiment& e : study.experiments) all[e.name] = {outcome(50)};
  const auto verdicts = [&](double encdec, double rnnsearch) {
    for (const char* bin : {"1-10", "11-20", "21-30", "31-40"}) all["encdec-50"][0].by_length[bin].bleu = 50;
    all["rnnsearch-50"][0].by_length = all["encdec-50"][0].by_length;
    all["encdec-50"][0].by_length["41-50"].bleu = encdec;
    all["rnnsearch-50"][0].by_length["41-50"].bleu = rnnsearch;
    return std::pair(study.claims[4].check(all).held, study.claims[5].check(all).held);
  };
  CHECK(verdicts(10, 50) == std::pair(true, true));
  CHECK(verdicts(46, 44) == std::pair(false, false));
}

TEST_CASE("claims about the Transformer: as good means at most one point lower, in less time and at unseen lengths") {
  const Study study = transformer_study();
  RunOutcomes all;
  for (const Experiment& e : study.experiments) {
    all[e.name] = {outcome(50)};
    all[e.name][0].by_length["41-50"].bleu = 50;
    all[e.name][0].seconds = 50;
  }
  const auto held = [&](std::size_t claim) { return study.claims[claim].check(all).held; };
  CHECK((held(0) && !held(1) && !held(2) && held(4) && held(6)));
  all["rnnsearch"] = {outcome(51.5)};
  all["rnnsearch"][0].seconds = 51;
  CHECK((!held(0) && held(1)));
  all["transformer-sinusoids"][0].by_length["41-50"].bleu = 49;  // 55 is the best BLEU of the shorter sentences
  CHECK(!held(4));
  all["transformer"] = {outcome(51.5)};
  CHECK((held(0) && held(2) && held(3) && !held(6)));
}

TEST_CASE("a job's commands contain the corpus, the seed, the folder and the experiment's options") {
  ReproduceOptions options;
  options.out = "papers";
  options.seeds = 2;
  options.epochs = 3;
  const std::vector<Job> jobs = jobs_of(small_study(), options);
  REQUIRE(jobs.size() == 4);
  CHECK(as_typed(jobs[1].train) ==
        "train --data data/toy --seed 2 --out papers/runs/one-seed2 --model luong --epochs 3");
  CHECK(jobs[1].corpus.empty());
  CHECK_THAT(as_typed(jobs[2].corpus),
             Contains("make_corpus") && Contains("--max-length 15") && Contains("--out papers/data/up-to-15"));
  CHECK_THAT(as_typed(jobs[2].train), Contains("--data papers/data/up-to-15"));
  options.data = "mine";
  options.threads = 1;
  CHECK_THAT(as_typed(jobs_of(small_study(), options)[2].train),
             Contains("--max-length 15 --data mine") && Contains("--threads 1"));
}

TEST_CASE("the report begins with the claims and gives means with half of the range over the seeds") {
  const std::string text =
      report_text(small_study(), outcomes, {.out = "papers", .data = "", .seeds = 2, .epochs = 0, .threads = 0});
  CHECK_THAT(text, Contains("1 of 2 claims of the paper held on the toy corpus, 2 seeds"));
  CHECK_THAT(text, Contains("**Held.** One beats two: one 92.0 BLEU, two 45.0."));
  CHECK_THAT(text, Contains("**Did not hold.** Two beats one"));
  CHECK_THAT(
      text,
      Contains(
          "| the first | 10 / 20 | 1.087 ± 0.024 | 92.0 ± 2.0 | 0.0 ± 0.0 | 6.0 ± 1.0 | 1,234 | 60 ± 0 | 0 ± 0 |"));
  CHECK_THAT(text, Contains("| the second | - |"));
  CHECK_THAT(text, Contains("| BLEU by source length | 1-10 | 11-20 |") &&
                       Contains("| the first | 97.0 ± 2.0 | 87.0 ± 2.0 |"));
  CHECK_THAT(text, Contains("\nbuild/train --data data/toy --seed 2 --out papers/runs/one-seed2"));
}

TEST_CASE("the report names the baseline of attention for each corpus") {
  const Study study = small_study();
  RunOutcomes all = outcomes;
  CHECK(baseline_text(study, all).empty());  // no baseline was measured
  for (auto& [name, seeds] : all)
    for (RunOutcome& seed : seeds) seed.em_aer = name == "one" ? 8.5 : 12;
  const std::string text = baseline_text(study, all);
  CHECK_THAT(text, Contains("expectation-maximisation") && Contains("have AER 8.5, 12.0 (pairs of at most 15 words)."));
  CHECK_THAT(report_text(study, all, {.out = "papers", .data = "", .seeds = 2, .epochs = 0, .threads = 0}),
             Contains(text));
  for (RunOutcome& seed : all["one"]) seed.aer = {};
  CHECK(baseline_text(study, all).empty());  // no model has an AER
}

TEST_CASE("a figure has no mean if a seed's value is missing or not a number") {
  std::vector<RunOutcome> seeds{outcome(90, 5.0), outcome(94, 8.0)};
  CHECK(to_text(mean_and_range(seeds, std::mem_fn(&RunOutcome::aer)), 1) == "6.5 ± 1.5");
  CHECK(to_text(mean_and_range({seeds[0]}, std::mem_fn(&RunOutcome::aer)), 1) == "5.0");
  seeds.push_back(outcome(92));
  CHECK(to_text(mean_and_range(seeds, std::mem_fn(&RunOutcome::aer)), 1) == "-");
  seeds[2].perplexity = INFINITY;
  CHECK_FALSE(mean_and_range(seeds, std::mem_fn(&RunOutcome::perplexity)));
  CHECK_FALSE(mean_and_range({}, std::mem_fn(&RunOutcome::bleu)));
  CHECK(mean_and_range(seeds, bleu_of_part(&RunOutcome::by_length, "1-10"))->high == 99);
  CHECK_FALSE(mean_and_range(seeds, bleu_of_part(&RunOutcome::by_length, "21-30")));
}
