#include "apps/pages/viewer/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "apps/inference/align_pairs.h"
#include "apps/inference/unknown_words.h"
#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/pages/viewer/shown_run.h"
#include "apps/run/run_folder.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/json.h"

namespace softalign::apps {

namespace {

using Json = nlohmann::ordered_json;

// The next functions shorten alignment records for a page. Weights become text, and fields that follow from other
// fields are left out.

constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Returns nothing if the weight is not exactly a number of millionths, because units / 1e6 would be another weight.
std::optional<std::uint32_t> in_millionths(double weight) {
  const double units = std::round(weight * 1e6);
  if (!(units >= 0 && units <= 1e6) || units / 1e6 != weight) return std::nullopt;
  return static_cast<std::uint32_t>(units);
}

void append(std::string& text, std::uint32_t units) {
  for (; units >= 32; units /= 32) text += base64url[32 + units % 32];
  text += base64url[units];
}

// Packs a matrix row by row. `align` rounds weights to millionths, so each weight is a number of millionths, written in
// base 32 with the lowest digit first. Each digit is one character of base64url (RFC 4648, section 5). The sixth bit of
// the character says that another digit follows. A weight has at most four characters, and a weight below 0.000032 has
// one. If a weight is no whole number of millionths, the matrix is returned unchanged, so that no weight is rounded.
Json packed_matrix(const Json& matrix) {
  std::string text;
  for (const Json& row : matrix) {
    for (const Json& weight : row) {
      const auto units = in_millionths(weight.get<double>());
      if (!units) return matrix;
      append(text, *units);
    }
  }
  return text;
}

// Packs a record. Its "weights" replace the "matrix" of the record and of its heads. It leaves out keys that follow
// from other keys or occur elsewhere in the page. These keys are schema, id, source_sent, target_sent, tags,
// orientation, rule, entropy, total_logprob and prob.
Json packed_record(const Json& record) {
  static const std::set<std::string_view> left_out{"schema", "id",          "source_sent", "target_sent",   "tags",
                                                   "rule",   "orientation", "entropy",     "total_logprob", "prob"};
  Json packed = Json::object();
  for (const auto& [key, value] : record.items()) {
    if (left_out.count(key) > 0) continue;
    if (key == "matrix") {
      packed["weights"] = packed_matrix(value);
    } else if (key == "heads") {
      for (Json head : value) {
        const Json matrix = head.at("matrix");
        head.erase("matrix");
        if (head.at("kind") != "cross") head["columns"] = matrix.empty() ? 0 : matrix.front().size();
        head["weights"] = packed_matrix(matrix);
        packed[key].push_back(std::move(head));
      }
    } else {
      packed[key] = value;
    }
  }
  return packed;
}

// Returns the keys whose values differ between a packed record and the first record of its sentence. A key is null if
// only the first record has it.
Json otherwise_than(const Json& first, const Json& record) {
  Json other = Json::object();
  for (const auto& [key, value] : record.items()) {
    if (!first.contains(key) || first[key] != value) other[key] = value;
  }
  for (const auto& [key, value] : first.items()) {
    if (!record.contains(key)) other[key] = nullptr;
  }
  return other;
}

std::vector<Sentence> corpus(const RunView& run, const PageOptions& o) {
  std::vector<Sentence> sentences;
  if (!is_given(o.files)) {
    for (const RecordLine& line : run.alignments()) sentences.push_back({line.pair, line.id, false, line.source});
    return sentences;
  }
  if (!run.has_model()) {
    throw data::Error(data::ErrorKind::missing_file,
                      fmt::format("--run {}: --data needs a model, and the folder has no model.safetensors. Remove "
                                  "--data, or finish an epoch of the training",
                                  o.run));
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

// Returns the sentences of the corpus that the user asks for. Adds a note if others are left out.
std::vector<Sentence> first_of_corpus(const RunView& run, const PageOptions& o, std::vector<std::string>& notes) {
  std::vector<Sentence> sentences = corpus(run, o);
  if (o.sentences == 0 || sentences.size() <= o.sentences) return sentences;
  notes.push_back(fmt::format("this page shows the first {} of {} {} (--sentences), and its scores are over these",
                              o.sentences, sentences.size(), noun_of(sentences, sentences.size())));
  sentences.resize(o.sentences);
  return sentences;
}

std::vector<Sentence> sentences_of(const RunView& run, const PageOptions& o, std::vector<std::string>& notes) {
  std::vector<Sentence> sentences;
  if (!o.own.empty()) {
    for (const data::Record& record : o.own) {
      RecordLine line = run.line(record);
      sentences.push_back({std::move(line.pair), record.id, false, std::move(line.source)});
    }
    return sentences;
  }
  std::vector<Sentence> of_corpus = first_of_corpus(run, o, notes);
  std::set<std::string> known;
  for (const Sentence& sentence : of_corpus) known.insert(pair_key(sentence));
  for (const RecordLine& line : o.tracked ? run.history() : RecordLines{}) {
    if (known.insert(pair_key(line)).second) sentences.push_back({line.pair, line.id, true, line.source});
  }
  std::move(of_corpus.begin(), of_corpus.end(), std::back_inserter(sentences));
  if (!sentences.empty()) return sentences;
  if (is_record_file(o.run))
    throw data::Error(data::ErrorKind::bad_data, fmt::format("{}: the file has no alignment to show", o.run));
  const std::string advice =  // align refuses a model without attention
      run.has_model() && !has_attention(run.model())
          ? ""
          : fmt::format(", or first run: {} --run {} --data FILE --out {}/alignments.jsonl", data::command("align"),
                        o.run, o.run);
  throw data::Error(data::ErrorKind::missing_file,
                    fmt::format("--run {}: the files alignments.jsonl and history.jsonl have no sentence to show. Add "
                                "--data FILE{}",
                                o.run, advice));
}

// Shown has the data of a run for one sentence.
struct Shown {
  std::optional<RecordLine> record;
  RecordLines epochs, beam, interventions;
};

// Beams and interventions need much space and time, so only some sentences have them.
constexpr std::size_t most_with_beams = 32, most_with_interventions = 32;

std::vector<Sentence> first_of(const std::vector<Sentence>& sentences, std::size_t most) {
  return {sentences.begin(), sentences.begin() + static_cast<std::ptrdiff_t>(std::min(most, sentences.size()))};
}

// Returns the indices of the sentences that get beams. Sentences with a history are preferred. If there are few, other
// sentences follow in their order.
std::vector<std::size_t> with_beams(const RunView& run, const std::vector<Sentence>& sentences) {
  std::vector<std::size_t> places(sentences.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_partition(places.begin(), places.end(), [&](std::size_t i) { return !run.epochs(sentences[i]).empty(); });
  places.resize(std::min(most_with_beams, places.size()));
  return places;
}

// Returns one entry per sentence.
std::vector<Shown> show(RunView& run, const std::vector<Sentence>& sentences, const PageOptions& o) {
  std::vector<Shown> shown(sentences.size());
  const bool without = o.without_attention && run.has_model() && !has_attention(run.model());
  const auto records =
      run.records(sentences, is_given(o.files), without ? AttentionDetail::none : AttentionDetail::all);
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

// Packing packs the records of one sentence. The first record is complete, and each other record has only its
// differences from the first.
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

// Returns the run's data for the user's own sentences. Their translations are given, and beams and interventions are
// computed now.
std::vector<Shown> show_own(RunView& run, const std::vector<Sentence>& sentences, const PageOptions& o) {
  std::vector<Shown> shown(sentences.size());
  const std::vector<RecordLines> beams = run.beams(first_of(sentences, most_with_beams));
  const std::vector<RecordLines> interventions = run.intervene(first_of(sentences, most_with_interventions), o.seed);
  if (sentences.size() > most_with_interventions)
    run.add_note(
        fmt::format("only the first {} of {} sentences have interventions", most_with_interventions, sentences.size()));
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    shown[i].record = run.own(o.own[i]);
    if (i < beams.size()) shown[i].beam = beams[i];
    if (i < interventions.size()) shown[i].interventions = interventions[i];
  }
  return shown;
}

std::string missing_note(const std::string& path, const std::vector<Shown>& shown, const std::string& noun) {
  const auto missing = std::count_if(shown.begin(), shown.end(), [](const Shown& s) { return !s.record; });
  if (missing == 0) return "";
  return fmt::format("{} has no record of {} of the {} {}, and no model that can read these{}", run_name(path), missing,
                     shown.size(), noun, noun.rfind("picture", 0) == 0 ? " in their size" : "");
}

// Returns a note if most of the words are unknown to the run's model, and "" otherwise. Words of pictures and stories
// do not count.
std::string unknown_note(const RunView& run, const std::vector<Sentence>& sentences) {
  constexpr std::size_t enough = 200;  // sentences
  if (!run.has_model()) return "";
  const LoadedRun& model = run.model();
  std::size_t words = 0, unknown = 0;
  const auto count = [&](const data::Tokens& side, const data::Segmenter& segmenter, const data::Vocabulary& known) {
    for (const std::string& word : side) unknown += is_unknown(word, segmenter, known);
    words += side.size();
  };
  for (const auto& [pair, id, tracked, source] : first_of(sentences, enough)) {
    if (is_picture(pair) || is_story(pair)) continue;
    count(pair.source, model.source_segmenter, model.source);
    count(pair.target, model.target_segmenter, model.target);
  }
  if (2 * unknown <= words) return "";
  return fmt::format(
      "{}: {} of {} words are not in the vocabulary of this run, so it was probably trained on another corpus and its "
      "attention to these sentences means little",
      run_name(run.path()), unknown, words);
}

// Throws data::Error if the runs have different tasks, because such runs have no sentences in common. A folder without
// config.json has alignments of another program, and its task does not matter.
void check_one_task(const std::vector<std::string>& paths) {
  std::string first;
  for (const std::string& path : paths) {
    if (is_record_file(path)) continue;
    check_is_run(path);
    const RunFolder folder{path};
    if (paths.size() == 1 || !data::exists(folder.config())) continue;
    std::string text;
    const std::string task = autograd::name_of(read_config(folder, text).task);
    if (first.empty()) first = task;
    if (task != first)
      throw data::Error(
          data::ErrorKind::bad_data,
          fmt::format("--compare {}: this run was trained for the task {}, but the run of --run {} was trained "
                      "for the task {}. Compare runs of one task",
                      path, task, paths.front(), first));
  }
}

}  // namespace

PageData page_data(const PageOptions& o) {
  PageData page;
  page.title = run_name(o.run);
  std::vector<std::vector<Shown>> shown;
  std::vector<Sentence> sentences;
  Json runs = Json::array(), list = Json::array();
  std::optional<Languages> languages;
  std::vector<std::string> paths = {o.run};
  paths.insert(paths.end(), o.compare.begin(), o.compare.end());
  check_one_task(paths);
  for (const std::string& path : paths) {
    RunView run(path, o.report, o.matrix);
    if (shown.empty()) {
      sentences = sentences_of(run, o, page.notes);
      languages = o.languages ? o.languages : languages_of(run.has_model() ? &run.model().options : nullptr, o.files);
    }
    shown.push_back(o.own.empty() ? show(run, sentences, o) : show_own(run, sentences, o));
    runs.push_back(run.description());
    page.notes.insert(page.notes.end(), run.notes().begin(), run.notes().end());
    if (const std::string note = missing_note(path, shown.back(), noun_of(sentences, sentences.size())); !note.empty())
      page.notes.push_back(note);
    if (const std::string note = unknown_note(run, sentences); !note.empty()) page.notes.push_back(note);
  }
  page.sentences = sentences.size();
  page.noun = noun_of(sentences, sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto& [pair, id, tracked, source] = sentences[i];
    Json sentence{{"id", id}, {"tracked", tracked}, {"tags", pair.tags}, {"runs", Json::array()}};
    Packing packing;
    for (const auto& of_run : shown) sentence["runs"].push_back(packing.add(of_run[i]));
    page.pictures = page.pictures || packing.is_picture();
    list.push_back(std::move(sentence));
  }
  Json data{{"schema", "softalign-page/2"}, {"title", page.title}, {"notes", page.notes}, {"languages", nullptr}};
  if (languages) data["languages"] = {{"source", languages->source}, {"target", languages->target}};
  data["runs"] = std::move(runs);
  data["sentences"] = std::move(list);
  page.json = data.dump();
  return page;
}

std::string escape_json(std::string_view json) {
  std::string escaped;
  escaped.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string_view three = json.substr(i, 3);
    if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
      escaped += fmt::format("\\u{:04x}", static_cast<unsigned>(json[i]));
    } else if (three == "\u2028" || three == "\u2029") {
      escaped += three == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      escaped += json[i];
    }
  }
  return escaped;
}

namespace {

// One function contains all scripts of a page. On a live page, the function first unpacks the data (live/engine.js).
constexpr std::string_view viewer_begin = "(() => {\n\"use strict\";\n",
                           live_begin = "(async () => {\n\"use strict\";\nif (!(await unpackData())) return;\n",
                           script_end = "})();\n";

}  // namespace

bool is_page_name(const std::string& path) {
  const std::filesystem::path ending = std::filesystem::path(path).extension();
  return ending.empty() || ending == ".html" || ending == ".htm";
}

std::string make_page(std::string_view title, std::string_view json, bool pictures, const LiveParts* live) {
  const std::string name = escape_html(title), data = live ? "" : escape_json(json);
  const std::string policy = live ? live_policy(*live) : "", elements = live ? live_elements(*live, json) : "";
  std::string style{viewer_style}, script{live ? live_begin : viewer_begin};
  if (live) style += live_style;
  script += viewer_script;
  if (live) script += live_script;
  script += viewer_start;
  script += script_end;
  const std::string style_hash = policy_hash(style), script_hash = policy_hash(script);
  return fill_template(viewer_template, {{"title", name},
                                         {"style_hash", style_hash},
                                         {"script_hash", script_hash},
                                         {"live_policy", policy},
                                         {"images", pictures ? "; img-src data:" : ""},
                                         {"style", style},
                                         {"script", script},
                                         {"live", elements},
                                         {"data", data}});
}

}  // namespace softalign::apps
