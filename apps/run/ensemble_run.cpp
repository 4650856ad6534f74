#include "apps/run/ensemble_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "data/io/files.h"
#include "models/search/ensemble.h"

namespace softalign::apps {
namespace {

// What tells the two runs, of these folders, apart as readers and writers of text; "" if nothing does.
std::string difference(const Run& a, const RunFolder& folder_a, const Run& b, const RunFolder& folder_b) {
  if (a.options.tokenizer != b.options.tokenizer)
    return fmt::format("their tokenisers are \"{}\" and \"{}\"", a.options.tokenizer, b.options.tokenizer);
  if (a.options.lowercase != b.options.lowercase) return "only one of them lowercases";
  const models::ModelOptions &one = a.options.model, &other = b.options.model;
  if (one.picture_height != other.picture_height || one.picture_width != other.picture_width)
    return fmt::format("their pictures are of {} x {} and {} x {} pixels", one.picture_height, one.picture_width,
                       other.picture_height, other.picture_width);
  if (a.source.hash() != b.source.hash()) return "their source vocabularies differ";
  if (a.target.hash() != b.target.hash()) return "their target vocabularies differ";
  const auto differ = [&](const auto& file) {
    return !a.source_pieces.whole_words() && data::read_bytes(file(folder_a)) != data::read_bytes(file(folder_b));
  };
  if (differ([](const RunFolder& f) { return f.source_pieces(); })) return "their source pieces differ";
  if (differ([](const RunFolder& f) { return f.target_pieces(); })) return "their target pieces differ";
  return "";
}

}  // namespace

models::Table runs_table(std::vector<std::string>& paths) {
  return {{"run",
           &paths,
           "the run folder; given several times: the ensemble of these runs",
           {.required = true, .repeated = true}}};
}

Run load_runs(const std::vector<std::string>& paths) {
  Run run = load_run(paths.at(0));
  std::vector<std::unique_ptr<models::Seq2Seq>> members;
  members.push_back(std::move(run.model));
  for (std::size_t i = 1; i < paths.size(); ++i) {
    Run next = load_run(paths[i]);
    const std::string problem = difference(run, {paths[0]}, next, {paths[i]});
    if (!problem.empty())
      throw std::runtime_error(
          fmt::format("--run {} --run {}: {}; runs of an ensemble must read and write the same words", paths[0],
                      paths[i], problem));
    run.options.max_length = std::min(run.options.max_length, next.options.max_length);
    members.push_back(std::move(next.model));
  }
  run.members = members.size();
  run.model = models::make_ensemble(std::move(members));
  return run;
}

std::string record_mode(const Run& run, const std::string& mode) { return run.members > 1 ? "ensemble" : mode; }

}  // namespace softalign::apps
