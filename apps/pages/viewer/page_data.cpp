#include "apps/pages/viewer/page_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "apps/pages/viewer/packed.h"
#include "apps/pages/viewer/shown_run.h"
#include "data/io/json.h"

namespace softalign::apps {
namespace {

using Json = nlohmann::ordered_json;

std::vector<Sentence> corpus(const ShownRun& run, const PageOptions& o) {
  std::vector<Sentence> sentences;
  if (!is_given(o.files)) {
    for (const RecordLine& line : run.alignments()) sentences.push_back({line.pair, line.id, false, line.source});
    return sentences;
  }
  if (!run.has_model()) {
    throw std::runtime_error(fmt::format("--run {}: no model.safetensors in it to align --data with", o.run));
  }
  std::size_t id = 0;
  for (data::Pair& pair :
       read_corpus(o.files, run.model().options, o.max_length, data::TooLong::refuse, data::Blank::keep).pairs) {
    if (pair.blank) {  // nothing to show, but it counts as a line
      ++id;
      continue;
    }
    const std::string source = source_text(pair);
    sentences.push_back({std::move(pair), id++, false, source});
  }
  return sentences;
}

// The corpus as far as it is asked for, with a note of what is not.
std::vector<Sentence> first_of_corpus(const ShownRun& run, const PageOptions& o, std::vector<std::string>& notes) {
  std::vector<Sentence> sentences = corpus(run, o);
  if (o.sentences == 0 || sentences.size() <= o.sentences) return sentences;
  notes.push_back(
      fmt::format("the first {} of {} sentences are shown, and figures over all are over these (--sentences)",
                  o.sentences, sentences.size()));
  sentences.resize(o.sentences);
  return sentences;
}

std::vector<Sentence> sentences_of(const ShownRun& run, const PageOptions& o, std::vector<std::string>& notes) {
  std::vector<Sentence> of_corpus = first_of_corpus(run, o, notes), sentences;
  std::set<std::string> known;
  for (const Sentence& sentence : of_corpus) known.insert(pair_key(sentence));
  for (const RecordLine& line : o.tracked ? run.history() : RecordLines{}) {
    if (known.insert(pair_key(line)).second) sentences.push_back({line.pair, line.id, true, line.source});
  }
  std::move(of_corpus.begin(), of_corpus.end(), std::back_inserter(sentences));
  if (!sentences.empty()) return sentences;
  throw std::runtime_error(fmt::format(
      "--run {}: neither alignments.jsonl nor history.jsonl has a sentence; align pairs now with --data, or "
      "write some with align --run {} --data FILE --out {}/alignments.jsonl",
      o.run, o.run, o.run));
}

// What a run has of a sentence.
struct Shown {
  std::optional<RecordLine> record;
  RecordLines epochs, beam, interventions;
};

// Beams take room and time, so they are for those sentences that have a history, and where few have, for the first.
std::vector<std::size_t> with_beams(const ShownRun& run, const std::vector<Sentence>& sentences) {
  constexpr std::size_t most = 32;
  std::vector<std::size_t> places(sentences.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_partition(places.begin(), places.end(), [&](std::size_t i) { return !run.epochs(sentences[i]).empty(); });
  places.resize(std::min(most, places.size()));
  return places;
}

// One entry a sentence.
std::vector<Shown> show(ShownRun& run, const std::vector<Sentence>& sentences, bool fresh) {
  std::vector<Shown> shown(sentences.size());
  const auto records = run.records(sentences, fresh);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (records[i]) shown[i] = {records[i], run.epochs(sentences[i]), {}, run.interventions(sentences[i])};
  }
  const std::vector<std::size_t> places = with_beams(run, sentences);
  std::vector<Sentence> searched;
  for (const std::size_t place : places) searched.push_back(sentences[place]);
  const std::vector<RecordLines> beams = run.beams(searched);
  for (std::size_t i = 0; i < places.size(); ++i) shown[places[i]].beam = beams[i];
  return shown;
}

// The records of a sentence: the first one packed, of each other one what it has otherwise.
class Packing {
 public:
  Json add(const RecordLine& line) {
    Json record = packed_record(data::parse_json(line.json));
    if (!first_.is_null()) return otherwise_than(first_, record);
    first_ = std::move(record);
    return first_;
  }
  Json add(const RecordLines& lines) {
    Json array = Json::array();
    for (const RecordLine& line : lines) array.push_back(add(line));
    return array;
  }
  bool is_picture() const { return first_.is_object() && first_.value("source_kind", "") == "cells"; }
  Json add(const Shown& s) {
    if (!s.record) return nullptr;
    Json shown{{"record", add(*s.record)}};
    shown["epochs"] = add(s.epochs);
    shown["beam"] = add(s.beam);
    shown["interventions"] = add(s.interventions);
    return shown;
  }

 private:
  Json first_;
};

std::string missing_note(const std::string& path, const std::vector<Shown>& shown) {
  const auto missing = std::count_if(shown.begin(), shown.end(), [](const Shown& s) { return !s.record; });
  if (missing == 0) return "";
  return fmt::format(
      "{} has no record of {} of the {} sentences, and no model to align them, or not their pictures in its size",
      run_name(path), missing, shown.size());
}

}  // namespace

PageData page_data(const PageOptions& o) {
  PageData page;
  page.title = run_name(o.run);
  std::vector<std::vector<Shown>> shown;
  std::vector<Sentence> sentences;
  Json runs = Json::array(), list = Json::array();
  std::vector<std::string> paths = {o.run};
  paths.insert(paths.end(), o.compare.begin(), o.compare.end());
  for (const std::string& path : paths) {
    ShownRun run(path, o.tell);
    if (shown.empty()) sentences = sentences_of(run, o, page.notes);
    shown.push_back(show(run, sentences, is_given(o.files)));
    runs.push_back(run.description());
    page.notes.insert(page.notes.end(), run.notes().begin(), run.notes().end());
    if (const std::string note = missing_note(path, shown.back()); !note.empty()) page.notes.push_back(note);
  }
  page.sentences = sentences.size();
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto& [pair, id, tracked, source] = sentences[i];
    Json sentence{{"id", id}, {"tracked", tracked}, {"tags", pair.tags}, {"runs", Json::array()}};
    Packing packing;
    for (const auto& of_run : shown) sentence["runs"].push_back(packing.add(of_run[i]));
    page.pictures = page.pictures || packing.is_picture();
    list.push_back(std::move(sentence));
  }
  page.json = Json{{"schema", "softalign-page/2"},
                   {"title", page.title},
                   {"notes", page.notes},
                   {"runs", std::move(runs)},
                   {"sentences", std::move(list)}}
                  .dump();
  return page;
}

}  // namespace softalign::apps
