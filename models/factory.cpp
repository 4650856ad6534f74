#include "models/factory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "models/rnnsearch.h"

namespace models {
namespace {

void check_known(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw std::invalid_argument(fmt::format("unknown {} '{}'; known are: {}", what, name, fmt::join(known, ", ")));
}

void check_positive(const char* what, std::size_t size) {
  if (size == 0) throw std::invalid_argument(fmt::format("{} is 0; at least 1 expected", what));
}

}  // namespace

const std::vector<std::string>& known_models() {
  static const std::vector<std::string> names{"rnnsearch"};
  return names;
}

const std::vector<std::string>& known_attentions() {
  static const std::vector<std::string> names{"additive"};
  return names;
}

std::unique_ptr<Seq2Seq> make_model(const ModelOptions& o, const autograd::Params& p) {
  check_known("model", o.model, known_models());
  check_known("attention", o.attention, known_attentions());
  check_positive("source vocabulary", o.source_vocabulary);
  check_positive("target vocabulary", o.target_vocabulary);
  check_positive("embedding", o.embedding);
  check_positive("hidden", o.hidden);
  check_positive("attention size", o.attention_size);
  check_positive("readout", o.readout);
  check_positive("layers", o.layers);
  if (!(o.dropout >= 0 && o.dropout < 1))
    throw std::invalid_argument(fmt::format("dropout is {}; a number in [0, 1) expected", o.dropout));
  return std::make_unique<RNNsearch>(o, p);
}

}  // namespace models
