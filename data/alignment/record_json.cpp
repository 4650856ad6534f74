#include "data/alignment/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "data/corpus/vocabulary.h"
#include "data/io/files.h"
#include "data/io/json.h"
#include "data/io/quoted.h"

namespace data {
namespace {

using Json = nlohmann::ordered_json;

// --- writing ---

Json number(double units) {
  return units == std::floor(units / 1e6) * 1e6 ? Json(static_cast<int>(units / 1e6)) : Json(units / 1e6);
}
Json rounded(double x) { return number(std::round(x * 1e6)); }

// A row in millionths that add up to one: all rounded down, then the largest remainders rounded up; or all 0.
Json json_of_row(const std::vector<float>& row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (sum == 0) return Json(std::vector<int>(row.size()));
  std::vector<double> units(row.size()), remainders(row.size());
  for (size_t s = 0; s < row.size(); ++s) {
    const double exact = row[s] / sum * 1e6;
    units[s] = std::floor(exact);
    remainders[s] = exact - units[s];
  }
  std::vector<size_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return remainders[a] > remainders[b]; });
  const auto missing = static_cast<size_t>(1e6 - std::accumulate(units.begin(), units.end(), 0.0));
  for (size_t i = 0; i < std::min(missing, order.size()); ++i) units[order[i]] += 1;
  Json result = Json::array();
  for (const double u : units) result.push_back(number(u));
  return result;
}

Json json_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix) rows.push_back(json_of_row(row));
  return rows;
}

Json json_of(const Links& links) {
  Json pairs = Json::array();
  for (const Link& link : links) pairs.push_back({link.source, link.target});
  return pairs;
}

Json json_of(const std::vector<float>& numbers) {
  Json result = Json::array();
  for (const float x : numbers) result.push_back(rounded(x));
  return result;
}

// Scores as they are, null for those that a step may not look at.
Json json_of_scores(const Matrix& scores) {
  Json rows = Json::array();
  for (const auto& row : scores) {
    Json& numbers = rows.emplace_back(Json::array());
    for (const float e : row) numbers.push_back(std::isinf(e) ? Json() : rounded(e));
  }
  return rows;
}

Json json_of(const Head& head) {
  Json json{{"layer", head.layer}, {"head", head.head}, {"kind", head.kind}, {"matrix", json_of(head.matrix)}};
  if (!head.scores.empty()) json["scores"] = json_of_scores(head.scores);
  return json;
}

Tokens with_eos(Tokens words, bool eos) {
  if (eos) words.emplace_back(end_token);
  return words;
}

// KEY_line and KEY_spans of one side.
void add(Json& json, const char* side, const std::optional<Original>& original) {
  if (!original) return;
  json[fmt::format("{}_line", side)] = original->line;
  if (original->spans.empty()) return;
  Json& spans = json[fmt::format("{}_spans", side)] = Json::array();
  for (const Span& span : original->spans) spans.push_back({span.begin, span.end});
}

Json json_of(const Change& change) {
  Json json;
  if (change.step) json["step"] = *change.step;
  json["kind"] = change.kind;
  if (change.source) json["source"] = *change.source;
  if (change.word) json["word"] = *change.word;
  return json;
}

// --- reading ---

Links links_from(const Json& pairs) {
  Links links;
  for (const Json& pair : pairs) {
    if (pair.size() != 2) throw std::invalid_argument("a link is [source, target]");
    links.push_back({pair[0].get<size_t>(), pair[1].get<size_t>()});
  }
  return links;
}

Tokens words_from(const Json& json, const char* side, bool eos) {
  Tokens tokens = json.at(fmt::format("{}_tokens", side)).get<Tokens>();
  if (eos && (tokens.empty() || tokens.back() != end_token)) {
    throw std::invalid_argument(fmt::format("eos.{} is true, but {}_tokens do not end with </s>", side, side));
  }
  if (eos) tokens.pop_back();
  return tokens;
}

void require_sentence(const Json& json, const char* key, const std::string& expected, const char* how) {
  if (json.at(key).get<std::string>() != expected) throw std::invalid_argument(fmt::format("{} is not {}", key, how));
}

// The four keys of a source that is no sentence.
void read_source_kind(const Json& json, Record& r) {
  r.source_kind = json.value("source_kind", r.source_kind);
  if (json.contains("source_grid")) {
    const Json& grid = json["source_grid"];
    if (grid.size() != 2) throw std::invalid_argument("source_grid is [rows, columns]");
    r.source_grid = Grid{grid.at(0).get<size_t>(), grid.at(1).get<size_t>()};
  }
  if (json.contains("source_image")) r.source_image = json["source_image"].get<std::string>();
  if (json.contains("question")) r.question = json["question"].get<std::string>();
}

void require_text(const Json& json, const char* key, const char* expected) {
  const auto text = json.at(key).get<std::string>();
  if (text != expected)
    throw std::invalid_argument(fmt::format("{} is {}, expected \"{}\"", key, in_quotes(text), expected));
}

std::optional<Original> original_from(const Json& json, const char* side) {
  const std::string line = fmt::format("{}_line", side), spans = fmt::format("{}_spans", side);
  if (!json.contains(line)) return std::nullopt;
  Original original{json[line].get<std::string>(), {}};
  for (const Json& span : json.value(spans, Json::array())) {
    if (span.size() != 2) throw std::invalid_argument(fmt::format("{} holds [begin, end)", spans));
    original.spans.push_back({span[0].get<size_t>(), span[1].get<size_t>()});
  }
  return original;
}

// Of a record or of a head; none if it has none.
Matrix scores_from(const Json& json) {
  Matrix scores;
  for (const Json& row : json.value("scores", Json::array())) {
    std::vector<float>& numbers = scores.emplace_back();
    for (const Json& e : row) numbers.push_back(e.is_null() ? -std::numeric_limits<float>::infinity() : e.get<float>());
  }
  return scores;
}

Change change_from(const Json& json) {
  Change change{json.at("kind").get<std::string>()};
  if (json.contains("step")) change.step = json["step"].get<size_t>();
  if (json.contains("source")) change.source = json["source"].get<size_t>();
  if (json.contains("word")) change.word = json["word"].get<std::string>();
  return change;
}

Record record_from(const Json& json) {
  require_text(json, "schema", "softalign/1");
  require_text(json, "orientation", "target_by_source");
  require_text(json, "rule", "argmax");
  Record r;
  json.at("id").get_to(r.id);
  json.at("eos").at("source").get_to(r.source_eos);
  json.at("eos").at("target").get_to(r.target_eos);
  r.source = words_from(json, "source", r.source_eos);
  r.target = words_from(json, "target", r.target_eos);
  read_source_kind(json, r);
  require_sentence(json, "source_sent", join_source(r),
                   r.source_kind == "sentences" ? "source_tokens joined by \" | \"" : "source_tokens joined by spaces");
  require_sentence(json, "target_sent", join_words(r.target), "target_tokens joined by spaces");
  json.at("matrix").get_to(r.matrix);
  json.at("attends").get_to(r.attends);
  json.at("mode").get_to(r.mode);
  r.links = links_from(json.at("links"));
  if (json.contains("gold")) {
    r.gold = Gold{links_from(json["gold"].at("sure")), links_from(json["gold"].at("possible"))};
    std::sort(r.gold->sure.begin(), r.gold->sure.end());
    std::sort(r.gold->possible.begin(), r.gold->possible.end());
  }
  r.source_original = original_from(json, "source");
  r.target_original = original_from(json, "target");
  if (json.contains("unknown"))
    r.unknown =
        Unknown{json["unknown"].get<std::vector<size_t>>(), json.at("target_unknown").get<std::vector<size_t>>()};
  if (json.contains("tags")) json["tags"].get_to(r.tags);
  json.at("entropy").get_to(r.entropy);
  if (json.contains("logprob")) json["logprob"].get_to(r.logprob);
  json.at("rank").get_to(r.rank);
  if (json.contains("epoch")) r.epoch = json["epoch"].get<size_t>();
  for (const Json& head : json.value("heads", Json::array())) {
    r.heads.push_back(
        {head.at("layer"), head.at("head"), head.at("kind"), head.at("matrix").get<Matrix>(), scores_from(head)});
  }
  r.scores = scores_from(json);
  if (json.contains("norms")) {
    r.norms = Norms{json["norms"].at("source").get<std::vector<float>>(),
                    json["norms"].at("context").get<std::vector<float>>()};
  }
  if (json.contains("gate")) json["gate"].get_to(r.gate);
  if (json.contains("intervention")) r.intervention = change_from(json["intervention"]);
  if (const std::string problem = problem_of(r); !problem.empty()) throw std::invalid_argument(problem);
  return r;
}

}  // namespace

nlohmann::ordered_json json_of(const Record& r) {
  if (const std::string problem = problem_of(r); !problem.empty()) {
    throw std::invalid_argument(fmt::format("alignment record {}: {}", r.id, problem));
  }
  Json json;
  json["schema"] = "softalign/1";
  json["id"] = r.id;
  if (r.epoch) json["epoch"] = *r.epoch;
  json["source_sent"] = join_source(r);
  json["target_sent"] = join_words(r.target);
  json["source_tokens"] = with_eos(r.source, r.source_eos);
  json["target_tokens"] = with_eos(r.target, r.target_eos);
  if (r.source_kind != "words") json["source_kind"] = r.source_kind;
  if (r.source_grid) json["source_grid"] = {r.source_grid->H, r.source_grid->W};
  if (r.source_image) json["source_image"] = *r.source_image;
  if (r.question) json["question"] = *r.question;
  add(json, "source", r.source_original);
  add(json, "target", r.target_original);
  if (r.unknown) {
    json["unknown"] = r.unknown->source;
    json["target_unknown"] = r.unknown->target;
  }
  if (!r.tags.empty()) json["tags"] = r.tags;
  json["matrix"] = json_of(r.matrix);
  json["orientation"] = "target_by_source";
  json["eos"] = {{"source", r.source_eos}, {"target", r.target_eos}};
  json["attends"] = r.attends;
  json["mode"] = r.mode;
  json["rule"] = "argmax";
  json["links"] = json_of(r.links);
  if (r.gold) json["gold"] = {{"sure", json_of(r.gold->sure)}, {"possible", json_of(r.gold->possible)}};
  json["entropy"] = json_of(r.entropy);
  if (!r.logprob.empty()) {
    json["logprob"] = json_of(r.logprob);
    json["total_logprob"] = rounded(std::accumulate(r.logprob.begin(), r.logprob.end(), 0.0));
  }
  json["rank"] = r.rank;
  if (!r.scores.empty()) json["scores"] = json_of_scores(r.scores);
  if (r.norms) json["norms"] = {{"source", json_of(r.norms->source)}, {"context", json_of(r.norms->context)}};
  if (!r.gate.empty()) json["gate"] = json_of(r.gate);
  for (const Head& head : r.heads) json["heads"].push_back(json_of(head));
  if (r.intervention) json["intervention"] = json_of(*r.intervention);
  return json;
}

std::string to_json(const Record& record) { return json_of(record).dump(); }

Record from_json(std::string_view line, const std::string& where) {
  try {
    return record_from(parse_json(line));
  } catch (const std::exception& error) {  // of the JSON library, or ours
    throw std::runtime_error(fmt::format("{}: not an alignment record (softalign/1): {}", where, json_problem(error)));
  }
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

std::vector<Record> read_records(const std::string& path) {
  std::vector<Record> records;
  for (const std::string& line : read_lines(path)) {
    if (is_blank(line)) records.push_back(blank_record(records.size()));
    else records.push_back(from_json(line, fmt::format("{}:{}", path, records.size() + 1)));
  }
  return records;
}

}  // namespace data
