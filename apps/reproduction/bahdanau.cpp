// This study checks claims of Bahdanau, Cho & Bengio 2015 (Table 1 and Figure 2). With attention, BLEU does not drop
// for long sentences.
#include <fmt/format.h>

#include <algorithm>

#include "apps/reproduction/study.h"

namespace softalign::apps {

namespace {

const std::vector<std::string> encdec{"--model", "encdec", "--reverse-source"};
const std::vector<std::string> rnnsearch{"--model", "rnnsearch"};

// Compares BLEU on the longest sentences with the best BLEU on shorter ones. `expected` says whether BLEU should drop
// by a tenth or more.
Verdict drop(const RunOutcomes& o, const std::string& experiment, bool expected) {
  const double last = mean_bleu(o, experiment, "41-50");
  double best = 0;
  for (const char* bin : {"1-10", "11-20", "21-30", "31-40"}) best = std::max(best, mean_bleu(o, experiment, bin));
  const bool drops = !(last > 0.9 * best);
  return {drops == expected,
          fmt::format("{}: {:.1f} BLEU at 41-50 words, {:.1f} at its best length", experiment, last, best)};
}

}  // namespace

Study bahdanau_study() {
  return {
      .name = "bahdanau",
      .title = "Bahdanau, Cho & Bengio 2015: learning to align and translate",
      .paper_setting =
          "English-French newstest2014, 30,000 words a side, sentences of all lengths; BLEU without/with "
          "restriction to sentences of known words",
      .experiments = {{"encdec-15", encdec, 15},
                      {"encdec-25", encdec, 25},
                      {"encdec-50", encdec, 50},
                      {"rnnsearch-15", rnnsearch, 15},
                      {"rnnsearch-25", rnnsearch, 25},
                      {"rnnsearch-50", rnnsearch, 50}},
      .rows = {{"encdec, up to 15 words", "encdec-15", ""},
               {"encdec, up to 25 words", "encdec-25", "RNNencdec-30: 13.93 / 24.19"},
               {"encdec, up to 50 words", "encdec-50", "RNNencdec-50: 17.82 / 26.71"},
               {"rnnsearch, up to 15 words", "rnnsearch-15", ""},
               {"rnnsearch, up to 25 words", "rnnsearch-25", "RNNsearch-30: 21.50 / 31.44"},
               {"rnnsearch, up to 50 words", "rnnsearch-50", "RNNsearch-50: 26.75 / 34.16"}},
      .claims = {claim_bleu("Trained on short sentences, attention beats the fixed vector (Table 1)", "rnnsearch-15",
                            "encdec-15"),
                 claim_bleu("Trained on middling ones too", "rnnsearch-25", "encdec-25"),
                 claim_bleu("And on long ones", "rnnsearch-50", "encdec-50"),
                 claim_bleu(
                     "Attention trained on shorter sentences beats the fixed vector trained on longer ones (Table 1)",
                     "rnnsearch-25", "encdec-50"),
                 {"The fixed vector fails on long sentences (Figure 2)",
                  [](const RunOutcomes& o) { return drop(o, "encdec-50", true); }},
                 {"Attention trained on sentences of 50 words shows no drop there (Figure 2)",
                  [](const RunOutcomes& o) { return drop(o, "rnnsearch-50", false); }}},
      .by_length = true,
  };
}

}  // namespace softalign::apps
