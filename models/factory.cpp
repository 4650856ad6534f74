#include "models/factory.h"

#include <stdexcept>

#include "models/recurrent/cho.h"
#include "models/recurrent/luong.h"
#include "models/recurrent/rnnsearch.h"
#include "models/recurrent/sutskever.h"

namespace models {

const std::vector<std::string>& known_models() {
  static const std::vector<std::string> names{"rnnsearch", "luong", "encdec"};
  return names;
}

const std::vector<std::string>& known_attentions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = layers::known_scores();
    all.emplace_back("none");
    return all;
  }();
  return names;
}

ModelOptions completed(ModelOptions o) {
  const bool luong = o.model == "luong";
  if (o.attention.empty()) o.attention = luong ? "general" : o.model == "encdec" ? "none" : "additive";
  const bool unscaled = luong && !o.scale && (o.attention == "dot" || o.attention == "general");
  if (o.initialiser.empty()) o.initialiser = unscaled ? "luong" : "default";
  return o;
}

std::unique_ptr<Seq2Seq> make_model(const ModelOptions& options, const autograd::Params& p) {
  const std::string problem = problem_of(options);
  if (!problem.empty()) throw std::invalid_argument(problem);
  const ModelOptions o = completed(options);
  if (o.model == "luong") return std::make_unique<Luong>(o, p);
  if (o.model == "rnnsearch") return std::make_unique<RNNsearch>(o, p);
  if (o.summary == "every-step") return std::make_unique<Cho>(o, p);
  return std::make_unique<Sutskever>(o, p);
}

}  // namespace models
