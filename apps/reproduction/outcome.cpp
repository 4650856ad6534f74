#include "apps/reproduction/outcome.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "apps/run/run_folder.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/safetensors.h"

namespace softalign::apps {

using json = nlohmann::ordered_json;

namespace {

json json_of(const std::string& text, const std::string& path) try {
  return data::parse_json(text);
} catch (const std::runtime_error& problem) {
  throw std::runtime_error(fmt::format("{}: {}; delete the folder and start again", path, problem.what()));
}

// Evaluations from before a figure was measured do not have it.
std::optional<double> aer_of(const json& scores, const char* links = "alignment") {
  const auto found = scores.find(links);
  if (found == scores.end() || found->is_null()) return {};
  return 100 * found->at("aer").get<double>();
}

Parts parts_of(const json& scores) {
  Parts parts;
  for (const auto& [name, part] : scores.items()) parts[name] = {part.at("pairs"), part.at("bleu"), aer_of(part)};
  return parts;
}

void read_timing(const std::string& file, Outcome& outcome) {
  const std::vector<std::string> epochs = data::read_lines(file);
  for (const std::string& line : epochs) {
    const json epoch = json_of(line, file);
    outcome.words_per_second += epoch.at("words_per_second").get<double>() / static_cast<double>(epochs.size());
    outcome.seconds += epoch.at("seconds").get<double>();
  }
}

std::size_t count_parameters(const std::string& model) {
  std::size_t count = 0;
  for (const data::TensorView& tensor : data::read_safetensors(model).tensors)
    if (tensor.dtype == data::Dtype::f32) count += tensor.bytes.size() / sizeof(float);
  return count;
}

}  // namespace

std::string evaluation_file(const std::string& run) { return run + "/evaluation.json"; }

Outcome read_outcome(const std::string& run) try {
  const RunFolder folder{run};
  const json scores = json_of(data::read_bytes(evaluation_file(run)), evaluation_file(run));
  const json& all = scores.at("all");
  Outcome outcome;
  outcome.perplexity = all.at("perplexity");
  outcome.bleu = all.at("bleu");
  outcome.exact_match = all.at("exact_match");
  outcome.aer = aer_of(all);
  outcome.em_aer = aer_of(all, "alignment_of_em");
  outcome.attends = !all.at("entropy").is_null();
  outcome.by_length = parts_of(scores.at("by_length"));
  outcome.by_tag = parts_of(scores.at("by_tag"));
  outcome.curve = read_curve(folder.metrics());
  read_timing(folder.timing(), outcome);
  outcome.parameters = count_parameters(folder.model());
  return outcome;
} catch (const json::exception&) {
  throw std::runtime_error(run + ": evaluation.json or timing.jsonl is damaged; delete the folder and start again");
}

}  // namespace softalign::apps
