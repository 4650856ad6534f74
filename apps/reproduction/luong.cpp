// This study checks claims of Luong, Pham & Manning 2015 (Tables 1, 4 and 6) about attention scores and attention
// windows.
#include <fmt/format.h>

#include "apps/reproduction/study.h"

namespace softalign::apps {

namespace {

// Returns options as in the paper: a unidirectional encoder, a reversed source, unscaled scores, and the initialisation
// of the paper.
std::vector<std::string> with(const std::vector<std::string>& more) {
  std::vector<std::string> options{"--model",       "luong", "--unidirectional", "--reverse-source", "--no-scale",
                                   "--initialiser", "luong"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

Verdict lowest_perplexity(const RunOutcomes& o, const std::string& best) {
  std::string winner = best;
  for (const auto& [name, seeds] : o)
    if (name.starts_with("luong-") && mean_perplexity(o, name) < mean_perplexity(o, winner)) winner = name;
  return {winner == best, fmt::format("lowest perplexity: {} {:.3f}; {} {:.3f}", winner, mean_perplexity(o, winner),
                                      best, mean_perplexity(o, best))};
}

Verdict lower_aer(const RunOutcomes& o, const std::string& lower, const std::string& higher) {
  return {mean_aer(o, lower) < mean_aer(o, higher),
          fmt::format("{} AER {:.1f}, {} {:.1f}", lower, mean_aer(o, lower), higher, mean_aer(o, higher))};
}

}  // namespace

Study luong_study() {
  Study study{
      .name = "luong",
      .title = "Luong, Pham & Manning 2015: effective approaches to attention",
      .paper_setting =
          "English-German newstest2014, 50,000 words a side; perplexity / BLEU / BLEU with unknown words "
          "replaced, AER on hand-made alignments",
      .experiments = {{"base", {"--model", "encdec", "--dropout", "0"}},
                      {"base-reverse", {"--model", "encdec", "--dropout", "0", "--reverse-source"}},
                      {"base-reverse-dropout", {"--model", "encdec", "--reverse-source"}},
                      {"luong-location-no-feeding", with({"--attention", "location", "--no-input-feeding"})}},
      .rows = {{"base", "base", "10.6 / 11.3", "no attention"},
               {"base + reverse", "base-reverse", "9.9 / 12.6", "no attention"},
               {"base + reverse + dropout", "base-reverse-dropout", "8.1 / 14.0", "no attention"},
               {"+ global attention (location)", "luong-location-no-feeding", "7.3 / 16.8", "global"},
               {"+ input feeding: location, global", "luong-location-global", "6.4 / 18.1 / 19.3, AER .39", "global"}},
      .claims = {},
  };
  const std::map<std::string, std::string> paper{{"dot-global", "6.1 / 18.6 / 20.5"},
                                                 {"general-global", "6.1 / 17.3 / 19.1"},
                                                 {"concat-global", "6.7 / -"},
                                                 {"dot-local-m", ">7.0 / x"},
                                                 {"general-local-m", "6.2 / 18.6 / 20.4, AER .34"},
                                                 {"dot-local-p", "6.6 / 18.0 / 19.6"},
                                                 {"general-local-p", "5.9 / 19.0 / 20.9, AER .36"},
                                                 {"concat-local-m", "7.1 / -"}};
  for (const std::string window : {"global", "local-m", "local-p"}) {
    for (const std::string score : {"location", "dot", "general", "concat"}) {
      const std::string name = fmt::format("luong-{}-{}", score, window);
      study.experiments.push_back({name, with({"--attention", score, "--attention-window", window, "--window", "3"})});
      const auto known = paper.find(score + "-" + window);
      if (name != "luong-location-global")
        study.rows.push_back({score + ", " + window, name, known == paper.end() ? "not run" : known->second, window});
    }
  }
  study.claims = {
      claim_bleu("Reversing the source helps the model without attention (Table 1)", "base-reverse", "base"),
      claim_bleu("Dropout helps (Table 1)", "base-reverse-dropout", "base-reverse"),
      claim_bleu("Attention helps, even by location alone (Table 1)", "luong-location-no-feeding",
                 "base-reverse-dropout"),
      claim_bleu("Input feeding helps (Table 1)", "luong-location-global", "luong-location-no-feeding"),
      {"General local-p is the best of the grid (Table 4)",
       [](const RunOutcomes& o) { return lowest_perplexity(o, "luong-general-local-p"); }},
      claim_bleu("Scores of content beat location (Table 4)", "luong-general-global", "luong-location-global"),
      claim_bleu("Of the global scores, dot beats general (Table 4)", "luong-dot-global", "luong-general-global"),
      claim_bleu("Of the local-p scores, general beats dot (Table 4)", "luong-general-local-p", "luong-dot-local-p"),
      {"Local attention aligns better than attention by location (Table 6)",
       [](const RunOutcomes& o) { return lower_aer(o, "luong-general-local-m", "luong-location-global"); }},
  };
  return study;
}

}  // namespace softalign::apps
