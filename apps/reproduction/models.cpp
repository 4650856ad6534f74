// This study compares all recurrent models on one corpus, with equal sizes and numbers of epochs.
#include "apps/reproduction/study.h"

namespace softalign::apps {

Study models_study() {
  Study study{.name = "models",
              .title = "The recurrent-attention family side by side",
              .paper_setting = "where each model comes from",
              .experiments = {},
              .rows = {},
              .claims = {}};
  const auto add = [&](const std::string& name, const std::string& source, std::vector<std::string> options) {
    study.experiments.push_back({name, std::move(options)});
    const bool local = name.find("local") != name.npos;
    const std::string family = local ? "luong, local" : name.substr(0, name.find('-'));
    study.rows.push_back({name, name, source, family});
  };
  add("encdec", "Sutskever et al. 2014, eq. 1", {"--model", "encdec"});
  add("encdec-reverse", "Sutskever et al. 2014, section 3.3", {"--model", "encdec", "--reverse-source"});
  add("encdec-cho", "Cho et al. 2014, eq. 2", {"--model", "encdec", "--summary", "every-step", "--cell", "gru"});
  add("rnnsearch", "Bahdanau et al. 2015, eq. 4-6, query [s; y] of GroundHog's successors", {"--model", "rnnsearch"});
  add("rnnsearch-state-query", "the same, query s as in the paper", {"--model", "rnnsearch", "--no-query-word"});
  add("rnnsearch-gru", "the same, appendix A.1", {"--model", "rnnsearch", "--cell", "gru"});
  add("rnnsearch-coverage", "and coverage: Tu et al. 2016, eq. 8; See et al. 2017, eq. 11-12",
      {"--model", "rnnsearch", "--coverage", "--coverage-loss", "0.1"});
  add("rnnsearch-guided", "Chen et al. 2016; Mi et al. 2016", {"--model", "rnnsearch", "--guided-alignment", "0.05"});
  add("rnnsearch-qkv", "Vaswani et al. 2017, eq. 1", {"--model", "rnnsearch", "--attention", "qkv"});
  add("rnnsearch-4-heads", "Vaswani et al. 2017, section 3.2.2",
      {"--model", "rnnsearch", "--attention", "qkv", "--heads", "4"});
  for (const char* score : {"dot", "general", "concat", "location"})
    add(std::string("luong-") + score, "Luong et al. 2015, eq. 5-9",
        {"--model", "luong", "--attention", score, "--no-scale"});
  add("luong-dot-scaled", "the same, divided by the root of H", {"--model", "luong", "--attention", "dot", "--scale"});
  add("luong-general-scaled", "the same, divided by the root of H", {"--model", "luong", "--attention", "general"});
  add("luong-local-m", "Luong et al. 2015, section 3.2",
      {"--model", "luong", "--attention-window", "local-m", "--window", "3"});
  add("luong-local-p", "Luong et al. 2015, eq. 10-11",
      {"--model", "luong", "--attention-window", "local-p", "--window", "3"});
  add("lstmn-shallow", "Cheng et al. 2016, section 4", {"--model", "lstmn"});
  add("lstmn-deep", "Cheng et al. 2016, eq. 10-15", {"--model", "lstmn", "--fusion", "deep"});
  return study;
}

}  // namespace softalign::apps
