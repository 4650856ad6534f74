// This study checks claims of Vaswani et al. 2017. It compares attention without recurrence with recurrent attention,
// and varies the heads, the positions, the norms and the warm-up.
#include <fmt/format.h>

#include <algorithm>

#include "apps/reproduction/study.h"

namespace softalign::apps {

namespace {

std::vector<std::string> transformer(const std::vector<std::string>& more) {
  std::vector<std::string> options{"--model", "transformer"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

double mean_seconds(const RunOutcomes& o, const std::string& experiment) {
  double sum = 0;
  for (const RunOutcome& seed : o.at(experiment)) sum += seed.seconds;
  return sum / static_cast<double>(o.at(experiment).size());
}

Verdict faster(const RunOutcomes& o, const std::string& faster, const std::string& slower) {
  return {mean_seconds(o, faster) < mean_seconds(o, slower),
          fmt::format("{} {:.1f} s, {} {:.1f} s", faster, mean_seconds(o, faster), slower, mean_seconds(o, slower))};
}

const std::vector<std::string> trained{"1-10", "11-20"};  // source lengths that are frequent in training

double mean_bleu_where_trained(const RunOutcomes& o, const std::string& experiment) {
  double sum = 0;
  for (const std::string& bin : trained) sum += mean_bleu(o, experiment, bin);
  return sum / static_cast<double>(trained.size());
}

// Checks that a model loses at most one point of BLEU.
Verdict as_good(const RunOutcomes& o, const std::string& one, const std::string& other) {
  const double a = mean_bleu_where_trained(o, one), b = mean_bleu_where_trained(o, other);
  return {a >= b - 1, fmt::format("up to 20 words {} {:.1f} BLEU, {} {:.1f}", one, a, other, b)};
}

// Checks that a model keeps nine tenths of its best BLEU on sentences that are longer than in training.
Verdict goes_on(const RunOutcomes& o, const std::string& experiment) {
  double best = 0;
  for (const std::string& bin : trained) best = std::max(best, mean_bleu(o, experiment, bin));
  const double longer = mean_bleu(o, experiment, "41-50");
  return {longer > 0.9 * best,
          fmt::format("{}: {:.1f} BLEU at 41-50 words, at most {:.1f} up to 20", experiment, longer, best)};
}

}  // namespace

Study transformer_study() {
  return {
      .name = "transformer",
      .title = "Vaswani et al. 2017: attention is all you need",
      .paper_setting = "English-German newstest2014, 65 million parameters; BLEU, of the variants on newstest2013",
      .experiments = {{"rnnsearch", {"--model", "rnnsearch"}},
                      {"transformer", transformer({})},
                      {"transformer-1-head", transformer({"--heads", "1"})},
                      {"transformer-no-positions", transformer({"--positions", "none"})},
                      {"transformer-sinusoids", transformer({"--positions", "sinusoidal"})},
                      {"transformer-no-warmup", transformer({"--warmup", "0"})},
                      {"transformer-post", transformer({"--norm", "post"})},
                      {"transformer-post-no-warmup", transformer({"--norm", "post", "--warmup", "0"})}},
      .rows = {{"recurrent attention", "rnnsearch", "GNMT, recurrent: 24.6", "recurrent"},
               {"Transformer, pre-norm", "transformer", "", "transformer"},
               {"one head", "transformer-1-head", "24.9 beside 25.8", "transformer"},
               {"without positions", "transformer-no-positions", "", "transformer"},
               {"sinusoids, as in the paper", "transformer-sinusoids", "", "transformer"},
               {"without warm-up", "transformer-no-warmup", "", "transformer"},
               {"post-norm, as in the paper", "transformer-post", "27.3", "transformer"},
               {"post-norm without warm-up", "transformer-post-no-warmup", "", "transformer"}},
      .claims = {{"Without recurrence it translates as well (Table 2)",
                  [](const RunOutcomes& o) { return as_good(o, "transformer", "rnnsearch"); }},
                 {"And is trained in less time (Table 2)",
                  [](const RunOutcomes& o) { return faster(o, "transformer", "rnnsearch"); }},
                 claim_bleu("Several heads beat one (Table 3, A)", "transformer", "transformer-1-head"),
                 claim_bleu("Without positions the order of the words is lost (section 3.5)", "transformer",
                            "transformer-no-positions"),
                 {"Sinusoids go on behind the lengths that were trained (section 3.5)",
                  [](const RunOutcomes& o) { return goes_on(o, "transformer-sinusoids"); }},
                 claim_bleu("Post-norm needs the warm-up (Xiong et al. 2020, Figure 1)", "transformer-post",
                            "transformer-post-no-warmup"),
                 {"Pre-norm does without (Xiong et al. 2020, section 4)",
                  [](const RunOutcomes& o) { return as_good(o, "transformer-no-warmup", "transformer"); }}},
      .by_length = true,
  };
}

}  // namespace softalign::apps
