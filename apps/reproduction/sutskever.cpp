// This study checks claims of Sutskever, Vinyals & Le 2014. The encoder makes one fixed vector, and reading the source
// in reverse order helps.
#include "apps/reproduction/study.h"

namespace softalign::apps {

Study sutskever_study() {
  const auto deep = [](std::vector<std::string> more) {
    std::vector<std::string> options{"--model", "encdec", "--layers", "2"};
    options.insert(options.end(), more.begin(), more.end());
    return options;
  };
  return {
      .name = "sutskever",
      .title = "Sutskever, Vinyals & Le 2014: sequence to sequence learning",
      .paper_setting =
          "English-French newstest2014, beam 12, four layers; perplexity of the test set (section 3.3), BLEU",
      .experiments = {{"encdec-deep", deep({})},
                      {"encdec-deep-reverse", deep({"--reverse-source"})},
                      {"encdec-shallow-reverse", {"--model", "encdec", "--reverse-source"}}},
      .rows = {{"two layers, source forward", "encdec-deep", "5.8 / 26.17"},
               {"two layers, source reversed", "encdec-deep-reverse", "4.7 / 30.59"},
               {"one layer, source reversed", "encdec-shallow-reverse", ""}},
      .claims = {claim_bleu("Reversing the source raises BLEU (section 3.3)", "encdec-deep-reverse", "encdec-deep"),
                 claim_bleu("Deep LSTMs beat shallow ones (section 3.4)", "encdec-deep-reverse",
                            "encdec-shallow-reverse")},
  };
}

}  // namespace softalign::apps
