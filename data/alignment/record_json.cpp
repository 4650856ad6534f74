#include "data/alignment/record_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "data/corpus/vocabulary.h"
#include "data/io/choice.h"
#include "data/io/error.h"
#include "data/io/json.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

using Json = nlohmann::ordered_json;

// --- writing ---

Json number(double units) {
  return units == std::floor(units / 1e6) * 1e6 ? Json(static_cast<int>(units / 1e6)) : Json(units / 1e6);
}
Json rounded(double x) { return number(std::round(x * 1e6)); }

// list_of returns the list of of(x) for each x of a container. It allocates the list at once, because records have many
// lists.
template <class Container, class Of>
Json list_of(const Container& container, Of&& of) {
  Json::array_t values;
  values.reserve(container.size());
  for (const auto& x : container) values.push_back(of(x));
  return values;
}

// json_of_row writes a row in millionths that sum to one. It rounds all numbers down, and then rounds those with the
// largest remainders up. A row of zeros stays 0.
Json json_of_row(const std::vector<float>& row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (sum == 0) return Json(std::vector<int>(row.size()));
  std::vector<double> units(row.size()), remainders(row.size());
  for (std::size_t s = 0; s < row.size(); ++s) {
    const double exact = row[s] / sum * 1e6;
    units[s] = std::floor(exact);
    remainders[s] = exact - units[s];
  }
  std::vector<std::size_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return remainders[a] != remainders[b] ? remainders[a] > remainders[b] : a < b;
  });
  const auto missing = static_cast<std::size_t>(1e6 - std::accumulate(units.begin(), units.end(), 0.0));
  for (std::size_t i = 0; i < std::min(missing, order.size()); ++i) units[order[i]] += 1;
  return list_of(units, number);
}

Json json_of(const Matrix& matrix) { return list_of(matrix, json_of_row); }

Json json_of(const Links& links) {
  return list_of(links, [](const Link& link) { return Json(Json::array_t{link.source, link.target}); });
}

Json json_of(const std::vector<float>& numbers) { return list_of(numbers, rounded); }

// json_of_scores writes the scores. It writes null for a position that the step may not attend to.
Json json_of_scores(const Matrix& scores) {
  return list_of(scores, [](const std::vector<float>& row) {
    return list_of(row, [](float e) { return std::isinf(e) ? Json() : rounded(e); });
  });
}

Json json_of(const Head& head) {
  Json json{{"layer", head.layer},
            {"head", head.head},
            {"kind", autograd::name_of(head.kind)},
            {"matrix", json_of(head.matrix)}};
  if (!head.scores.empty()) json["scores"] = json_of_scores(head.scores);
  return json;
}

Tokens with_eos(Tokens words, bool eos) {
  if (eos) words.emplace_back(end_token);
  return words;
}

// add writes SIDE_line and SIDE_spans of one side.
void add(Json& json, const char* side, const std::optional<Original>& original) {
  if (!original) return;
  json[fmt::format("{}_line", side)] = original->line;
  if (original->spans.empty()) return;
  json[fmt::format("{}_spans", side)] = list_of(original->spans, [](const Span& span) {
    return Json(Json::array_t{span.begin, span.end});
  });
}

Json json_of(const Change& change) {
  Json json;
  if (change.step) json["step"] = *change.step;
  json["kind"] = autograd::name_of(change.kind);
  if (change.source) json["source"] = *change.source;
  if (change.word) json["word"] = *change.word;
  return json;
}

// --- reading ---

// The JSON library would turn true and 0.9 into whole numbers, and would read the values of an object as a list. The
// next functions refuse such values.

[[noreturn]] void refuse(const std::string& key, const Json& value, const char* expected) {
  const bool is_short = !value.is_structured() && !value.is_string();
  const std::string shown = value.is_string() ? in_quotes(value.get_ref<const std::string&>()) : value.type_name();
  throw std::invalid_argument(
      fmt::format("{} holds {}; expected {}", key, is_short ? value.dump() : "an " + shown, expected));
}

const Json& list(const Json& value, const std::string& key) {
  if (!value.is_array()) refuse(key, value, "a list");
  return value;
}

const Json& object(const Json& value, const std::string& key) {
  if (!value.is_object()) refuse(key, value, "an object");
  return value;
}

const std::string& text(const Json& value, const std::string& key) {
  if (!value.is_string()) refuse(key, value, "a text");
  return value.get_ref<const std::string&>();
}

bool truth(const Json& value, const std::string& key) {
  if (!value.is_boolean()) refuse(key, value, "true or false");
  return value.get<bool>();
}

std::vector<std::string> texts(const Json& values, const std::string& key) {
  std::vector<std::string> result;
  for (const Json& value : list(values, key)) result.push_back(text(value, key));
  return result;
}

constexpr std::uint64_t most_whole = std::uint64_t{1} << 53;  // JSON readers are exact up to this number

std::size_t whole(const Json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most_whole)
    refuse(key, value, "a whole number from 0");
  return value.get<std::size_t>();
}

float real(const Json& value, const char* key) {
  if (!value.is_number()) refuse(key, value, "a number");
  return value.get<float>();
}

std::vector<std::size_t> wholes(const Json& values, const char* key) {
  std::vector<std::size_t> result;
  for (const Json& value : list(values, key)) result.push_back(whole(value, key));
  return result;
}

std::vector<float> reals(const Json& values, const char* key) {
  std::vector<float> result;
  result.reserve(list(values, key).size());
  for (const Json& value : values) result.push_back(real(value, key));
  return result;
}

Matrix matrix_from(const Json& rows, const char* key) {
  Matrix matrix;
  for (const Json& row : list(rows, key)) matrix.push_back(reals(row, key));
  return matrix;
}

// two reads two whole numbers.
std::pair<std::size_t, std::size_t> two(const Json& pair, const char* key, const char* expected) {
  if (!pair.is_array() || pair.size() != 2) refuse(key, pair, expected);
  return {whole(pair[0], key), whole(pair[1], key)};
}

Links links_from(const Json& pairs, const char* key) {
  Links links;
  for (const Json& pair : list(pairs, key)) {
    const auto [source, target] = two(pair, key, "links [source, target]");
    links.push_back({source, target});
  }
  return links;
}

Tokens words_from(const Json& json, const char* side, bool eos) {
  const std::string key = fmt::format("{}_tokens", side);
  Tokens tokens = texts(json.at(key), key);
  if (eos && (tokens.empty() || tokens.back() != end_token)) {
    throw std::invalid_argument(fmt::format("eos.{} is true, but {} do not end with </s>", side, key));
  }
  if (eos) tokens.pop_back();
  return tokens;
}

void require_sentence(const Json& json, const char* key, const std::string& expected, const char* how) {
  if (text(json.at(key), key) != expected) throw std::invalid_argument(fmt::format("{} is not {}", key, how));
}

template <class Enum>
Enum named(const char* what, const Json& json) {
  const std::string& name = text(json, what);
  if (const auto value = autograd::value_named<Enum>(name)) return *value;
  throw std::invalid_argument(unknown_name(what, name, autograd::all_names<Enum>()));
}

// read_source_kind reads the four keys of a source that is not a sentence.
void read_source_kind(const Json& json, Record& record) {
  if (json.contains("source_kind")) record.source_kind = named<SourceKind>("source_kind", json["source_kind"]);
  if (json.contains("source_grid")) {
    const auto [rows, columns] = two(json["source_grid"], "source_grid", "[rows, columns]");
    record.source_grid = PictureGrid{rows, columns};
  }
  if (json.contains("source_image")) record.source_image = text(json["source_image"], "source_image");
  if (json.contains("question")) record.question = text(json["question"], "question");
}

void require_text(const Json& json, const char* key, const char* expected) {
  const std::string& found = text(json.at(key), key);
  if (found != expected)
    throw std::invalid_argument(fmt::format("{} is {}, expected \"{}\"", key, in_quotes(found), expected));
}

std::optional<Original> original_from(const Json& json, const char* side) {
  const std::string line = fmt::format("{}_line", side), spans = fmt::format("{}_spans", side);
  if (!json.contains(line)) return std::nullopt;
  Original original{text(json[line], line), {}};
  if (!json.contains(spans)) return original;
  for (const Json& span : list(json[spans], spans)) {
    const auto [begin, end] = two(span, spans.c_str(), "places [begin, end)");
    original.spans.push_back({begin, end});
  }
  return original;
}

// scores_from returns the scores of a record or of a head. It returns no rows if there are no scores.
Matrix scores_from(const Json& json) {
  Matrix scores;
  if (!json.contains("scores")) return scores;
  for (const Json& row : list(json["scores"], "scores")) {
    std::vector<float>& numbers = scores.emplace_back();
    for (const Json& e : list(row, "scores"))
      numbers.push_back(e.is_null() ? -std::numeric_limits<float>::infinity() : real(e, "scores"));
  }
  return scores;
}

Change change_from(const Json& json) {
  object(json, "intervention");
  Change change{named<InterventionKind>("kind of intervention", json.at("kind"))};
  if (json.contains("step")) change.step = whole(json["step"], "step");
  if (json.contains("source")) change.source = whole(json["source"], "source");
  if (json.contains("word")) change.word = text(json["word"], "word");
  return change;
}

Record record_from(const Json& json) {
  object(json, "the line");
  require_text(json, "schema", "softalign/1");
  require_text(json, "orientation", "target_by_source");
  require_text(json, "rule", "argmax");
  Record record;
  record.id = whole(json.at("id"), "id");
  const Json& eos = object(json.at("eos"), "eos");
  record.source_eos = truth(eos.at("source"), "eos.source");
  record.target_eos = truth(eos.at("target"), "eos.target");
  record.source = words_from(json, "source", record.source_eos);
  record.target = words_from(json, "target", record.target_eos);
  read_source_kind(json, record);
  require_sentence(json, "source_sent", join_source(record),
                   record.source_kind == SourceKind::sentences ? "source_tokens joined by \" | \""
                                                               : "source_tokens joined by spaces");
  require_sentence(json, "target_sent", join_words(record.target), "target_tokens joined by spaces");
  record.weights.matrix = matrix_from(json.at("matrix"), "matrix");
  record.attends = named<Attends>("attends", json.at("attends"));
  record.mode = named<DecodingMode>("mode", json.at("mode"));
  record.links = links_from(json.at("links"), "links");
  if (json.contains("gold")) {
    const Json& gold = object(json["gold"], "gold");
    record.gold = Gold{links_from(gold.at("sure"), "gold.sure"), links_from(gold.at("possible"), "gold.possible")};
    std::sort(record.gold->sure.begin(), record.gold->sure.end());
    std::sort(record.gold->possible.begin(), record.gold->possible.end());
  }
  record.source_original = original_from(json, "source");
  record.target_original = original_from(json, "target");
  if (json.contains("unknown"))
    record.unknown = Unknown{wholes(json["unknown"], "unknown"), wholes(json.at("target_unknown"), "target_unknown")};
  if (json.contains("tags")) record.tags = texts(json["tags"], "tags");
  record.entropy = reals(json.at("entropy"), "entropy");
  if (json.contains("logprob")) record.logprob = reals(json["logprob"], "logprob");
  record.rank = whole(json.at("rank"), "rank");
  if (json.contains("epoch")) record.epoch = whole(json["epoch"], "epoch");
  if (json.contains("heads")) {
    for (const Json& head : list(json["heads"], "heads")) {
      object(head, "heads");
      record.weights.heads.push_back({whole(head.at("layer"), "layer"), whole(head.at("head"), "head"),
                                      named<HeadKind>("kind of head", head.at("kind")),
                                      matrix_from(head.at("matrix"), "matrix"), scores_from(head)});
    }
  }
  record.weights.scores = scores_from(json);
  if (json.contains("norms")) {
    const Json& norms = object(json["norms"], "norms");
    record.weights.norms =
        Norms{reals(norms.at("source"), "norms.source"), reals(norms.at("context"), "norms.context")};
  }
  if (json.contains("gate")) record.weights.gate = reals(json["gate"], "gate");
  if (json.contains("layer_share")) record.weights.layer_share = real(json["layer_share"], "layer_share");
  if (json.contains("intervention")) record.intervention = change_from(json["intervention"]);
  if (const std::string problem = problem_of(record); !problem.empty()) throw std::invalid_argument(problem);
  return record;
}

// written writes the keys of the schema. It does not check the record.
Json written(const Record& record) {
  Json json;
  json["schema"] = "softalign/1";
  json["id"] = record.id;
  if (record.epoch) json["epoch"] = *record.epoch;
  json["source_sent"] = join_source(record);
  json["target_sent"] = join_words(record.target);
  json["source_tokens"] = with_eos(record.source, record.source_eos);
  json["target_tokens"] = with_eos(record.target, record.target_eos);
  if (record.source_kind != SourceKind::words) json["source_kind"] = autograd::name_of(record.source_kind);
  if (record.source_grid) json["source_grid"] = {record.source_grid->H, record.source_grid->W};
  if (record.source_image) json["source_image"] = *record.source_image;
  if (record.question) json["question"] = *record.question;
  add(json, "source", record.source_original);
  add(json, "target", record.target_original);
  if (record.unknown) {
    json["unknown"] = record.unknown->source;
    json["target_unknown"] = record.unknown->target;
  }
  if (!record.tags.empty()) json["tags"] = record.tags;
  json["matrix"] = json_of(record.weights.matrix);
  json["orientation"] = "target_by_source";
  json["eos"] = {{"source", record.source_eos}, {"target", record.target_eos}};
  json["attends"] = autograd::name_of(record.attends);
  json["mode"] = autograd::name_of(record.mode);
  json["rule"] = "argmax";
  json["links"] = json_of(record.links);
  if (record.gold) json["gold"] = {{"sure", json_of(record.gold->sure)}, {"possible", json_of(record.gold->possible)}};
  json["entropy"] = json_of(record.entropy);
  if (!record.logprob.empty()) {
    json["logprob"] = json_of(record.logprob);
    json["total_logprob"] = rounded(std::accumulate(record.logprob.begin(), record.logprob.end(), 0.0));
  }
  json["rank"] = record.rank;
  if (!record.weights.scores.empty()) json["scores"] = json_of_scores(record.weights.scores);
  if (record.weights.norms)
    json["norms"] = {{"source", json_of(record.weights.norms->source)},
                     {"context", json_of(record.weights.norms->context)}};
  if (!record.weights.gate.empty()) json["gate"] = json_of(record.weights.gate);
  if (record.weights.layer_share) json["layer_share"] = rounded(*record.weights.layer_share);
  for (const Head& head : record.weights.heads) json["heads"].push_back(json_of(head));
  if (record.intervention) json["intervention"] = json_of(*record.intervention);
  return json;
}

// take_numbers replaces numbers of `json` by the numbers of `read`, which have all their digits. The numbers of `read`
// have been checked before.
void take_numbers(Json& json, Json& read, const std::vector<const char*>& keys) {
  for (const char* key : keys)
    if (json.contains(key) && read.contains(key)) json[key] = std::move(read[key]);
}

}  // namespace

nlohmann::ordered_json json_of(const Record& record) {
  if (const std::string problem = problem_of(record); !problem.empty()) {
    throw std::invalid_argument(fmt::format("alignment record {}: {}", record.id, problem));
  }
  return written(record);
}

nlohmann::ordered_json json_without_weights(const Record& record) {
  if (!record.weights.matrix.empty())
    throw std::invalid_argument(fmt::format("alignment record {} has weights", record.id));
  return written(record);
}

std::string to_json(const Record& record) { return json_of(record).dump(); }

namespace {

template <class Read>
auto read_line(std::string_view line, const std::string& where, const Read& read) {
  try {
    return read(parse_json(line));
  } catch (const std::exception& error) {  // from the JSON library or from `read`
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: not an alignment record (softalign/1): {}", where, json_problem(error)));
  }
}

}  // namespace

Record from_json(std::string_view line, const std::string& where) { return read_line(line, where, record_from); }

std::pair<Record, Json> with_json_from(std::string_view line, const std::string& where) {
  return read_line(line, where, [](Json read) {
    std::pair<Record, Json> result{record_from(read), {}};
    Record few = result.first;  // without matrices, because their numbers would be rounded
    few.weights.matrix.clear();
    for (Head& head : few.weights.heads) head.matrix.clear();
    Json& json = result.second = written(few);
    take_numbers(json, read, {"matrix", "entropy", "logprob", "total_logprob", "scores", "gate", "layer_share"});
    if (few.weights.norms) take_numbers(json["norms"], read["norms"], {"source", "context"});
    for (std::size_t k = 0; k < few.weights.heads.size(); ++k)
      take_numbers(json["heads"][k], read["heads"][k], {"matrix", "scores"});
    return result;
  });
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

}  // namespace softalign::data
