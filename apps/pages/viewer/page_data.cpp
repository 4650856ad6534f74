#include "apps/pages/viewer/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <stdexcept>

#include "apps/pages/viewer/page.h"
#include "apps/pages/viewer/shown_run.h"

namespace apps {
namespace {

bool given(const CorpusFiles& files) { return !files.tsv.empty() || !files.source.empty(); }

data::Pair pair_of(const data::Record& r) { return {r.source, r.target, r.gold, {}, 0}; }

std::vector<Sentence> corpus(const ShownRun& run, const PageOptions& o) {
  std::vector<Sentence> sentences;
  if (!given(o.files)) {
    for (const RecordLine& line : run.alignments()) sentences.push_back({pair_of(line.record), line.record.id});
    return sentences;
  }
  if (!run.has_model()) {
    throw std::runtime_error(fmt::format("--run {}: no model.safetensors in it to align --data with", o.run));
  }
  const TrainOptions& options = run.model().options;
  const std::size_t longest = o.max_length > 0 ? o.max_length : options.max_length;
  for (data::Pair& pair : read_corpus(o.files, options, longest, data::TooLong::refuse).pairs) {
    sentences.push_back({std::move(pair), sentences.size()});
  }
  return sentences;
}

std::vector<Sentence> sentences_of(const ShownRun& run, const PageOptions& o) {
  std::vector<Sentence> of_corpus = corpus(run, o), sentences;
  std::set<std::string> known;
  for (const auto& [pair, id, tracked] : of_corpus) known.insert(pair_key(pair.source, pair.target));
  for (const RecordLine& line : o.tracked ? run.history() : RecordLines{}) {
    if (!known.insert(pair_key(line.record.source, line.record.target)).second) continue;
    sentences.push_back({pair_of(line.record), line.record.id, true});
  }
  std::move(of_corpus.begin(), of_corpus.end(), std::back_inserter(sentences));
  if (!sentences.empty()) return sentences;
  throw std::runtime_error(fmt::format(
      "--run {}: neither alignments.jsonl nor history.jsonl has a sentence; align pairs now with --data, or "
      "write some with align --run {} --data FILE --out {}/alignments.jsonl",
      o.run, o.run, o.run));
}

// What a run has of a sentence, as JSON.
struct Shown {
  std::string record, epochs, beam, interventions;
};

std::string array_of(const RecordLines& lines) {
  std::string json = "[";
  for (const RecordLine& line : lines) {
    if (json.size() > 1) json += ',';
    json += line.json;
  }
  return json + "]";
}

// Beams take room and time, so they are for those sentences that have a history, and where few have, for the first.
std::vector<std::size_t> with_beams(const ShownRun& run, const std::vector<Sentence>& sentences) {
  constexpr std::size_t most = 32;
  std::vector<std::size_t> places(sentences.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_partition(places.begin(), places.end(),
                        [&](std::size_t i) { return !run.epochs(sentences[i].pair).empty(); });
  places.resize(std::min(most, places.size()));
  return places;
}

// One entry a sentence; `record` is empty where the run has none.
std::vector<Shown> show(const ShownRun& run, const std::vector<Sentence>& sentences, bool fresh) {
  std::vector<Shown> shown(sentences.size());
  const auto records = run.records(sentences, fresh);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (!records[i]) continue;
    const data::Pair& pair = sentences[i].pair;
    shown[i] = {records[i]->json, array_of(run.epochs(pair)), "[]", array_of(run.interventions(pair))};
  }
  const std::vector<std::size_t> places = with_beams(run, sentences);
  std::vector<Sentence> searched;
  for (const std::size_t place : places) searched.push_back(sentences[place]);
  const std::vector<RecordLines> beams = run.beams(searched);
  for (std::size_t i = 0; i < places.size(); ++i) shown[places[i]].beam = array_of(beams[i]);
  return shown;
}

std::string json_of(const Sentence& sentence, const std::vector<const Shown*>& runs) {
  std::string json = fmt::format(R"({{"id":{},"tracked":{},"tags":{},"runs":[)", sentence.id, sentence.tracked,
                                 nlohmann::json(sentence.pair.tags).dump());
  for (std::size_t m = 0; m < runs.size(); ++m) {
    const Shown& s = *runs[m];
    json += m > 0 ? "," : "";
    json += s.record.empty() ? "null"
                             : fmt::format(R"({{"record":{},"epochs":{},"beam":{},"interventions":{}}})", s.record,
                                           s.epochs, s.beam, s.interventions);
  }
  return json + "]}";
}

std::string missing_note(const std::string& path, const std::vector<Shown>& shown) {
  const auto missing = std::count_if(shown.begin(), shown.end(), [](const Shown& s) { return s.record.empty(); });
  if (missing == 0) return "";
  return fmt::format("{} has no record of {} of the {} sentences, and no model to align them", run_name(path), missing,
                     shown.size());
}

}  // namespace

PageData page_data(const PageOptions& o) {
  PageData page;
  page.title = run_name(o.run);
  std::vector<std::vector<Shown>> shown;
  std::vector<Sentence> sentences;
  std::string runs;
  std::vector<std::string> paths = {o.run};
  paths.insert(paths.end(), o.compare.begin(), o.compare.end());
  for (const std::string& path : paths) {
    const ShownRun run(path);
    if (shown.empty()) sentences = sentences_of(run, o);
    shown.push_back(show(run, sentences, given(o.files)));
    if (!runs.empty()) runs += ',';
    runs += run.description();
    if (const std::string note = missing_note(path, shown.back()); !note.empty()) page.notes.push_back(note);
  }

  std::string list;
  std::size_t bytes = 0;  // as they will be in the page
  for (; page.sentences < sentences.size(); ++page.sentences) {
    std::vector<const Shown*> of_runs;
    for (const auto& of_run : shown) of_runs.push_back(&of_run[page.sentences]);
    const std::string json = json_of(sentences[page.sentences], of_runs);
    bytes += escape_json(json).size();
    if (bytes > o.bytes && page.sentences > 0) break;
    if (!list.empty()) list += ",\n";
    list += json;
  }
  if (page.sentences < sentences.size()) {
    page.notes.push_back(fmt::format(
        "the last {} of {} sentences are left out, for a page under 5 MB; figures over all sentences are over those "
        "shown",
        sentences.size() - page.sentences, sentences.size()));
  }
  page.json = fmt::format(
      "{{\"schema\":\"softalign-page/1\",\"title\":{},\"notes\":{},\n\"runs\":[{}],\n"
      "\"sentences\":[\n{}\n]}}",
      nlohmann::json(page.title).dump(), nlohmann::json(page.notes).dump(), runs, list);
  return page;
}

}  // namespace apps
