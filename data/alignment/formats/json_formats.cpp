#include "data/alignment/formats/json_formats.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "data/alignment/record_json.h"
#include "data/corpus/vocabulary.h"
#include "data/io/fields.h"
#include "data/io/json.h"

namespace softalign::data {

namespace {

Record scorer_record(const std::string& line, const std::string& where) {
  Record record;
  try {
    const auto json = parse_json(line);
    json.at("id").get_to(record.id);
    record.source = split_words(json.at("source_sent").get<std::string>());
    record.target = split_words(json.at("target_sent").get<std::string>());
    json.at("matrix").get_to(record.weights.matrix);
  } catch (const std::exception& error) {
    fail(where, fmt::format("neither a record of softalign/1 nor one of the Nematus scorer: {}", json_problem(error)));
  }
  return completed(std::move(record), where);
}

}  // namespace

std::vector<Record> read_jsonl(const AlignmentFile& file) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    if (is_blank(line)) {
      records.push_back(blank_record(i));
      continue;
    }
    const bool ours = line.find("\"schema\"") != std::string::npos;
    records.push_back(ours ? from_json(line, file.where(i)) : scorer_record(line, file.where(i)));
  }
  return records;
}

namespace {

using Json = nlohmann::ordered_json;

Json text_of(Tokens words, bool eos) {
  if (eos) words.emplace_back(end_token);
  return words;
}

// json_of writes the shortest decimals that read back as the same float. A float that is printed as a double could
// become 0.9399999976158142.
Json json_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix) {
    Json& numbers = rows.emplace_back(Json::array());
    for (const float weight : row) numbers.push_back(std::stod(fmt::format("{}", weight)));
  }
  return rows;
}

Json matrices_of(const Record& record) {
  std::map<std::size_t, std::map<std::size_t, const Matrix*>> layers;
  for (const Head& head : record.weights.heads) {
    if (head.kind == HeadKind::cross) layers[head.layer][head.head] = &head.matrix;
  }
  if (layers.empty()) layers[0][0] = &record.weights.matrix;
  Json attention = Json::array();
  for (const auto& [layer, heads] : layers) {
    Json matrices = Json::array();
    for (const auto& [head, matrix] : heads) matrices.push_back(json_of(*matrix));
    attention.push_back(std::move(matrices));
  }
  return attention;
}

Matrix mean_of(const std::vector<Head>& heads) {
  Matrix mean = heads.front().matrix;
  for (std::size_t t = 0; t < mean.size(); ++t) {
    for (std::size_t s = 0; s < mean[t].size(); ++s) {
      double sum = 0;
      for (const Head& head : heads) sum += head.matrix.at(t).at(s);
      mean[t][s] = static_cast<float>(sum / static_cast<double>(heads.size()));
    }
  }
  return mean;
}

Tokens words_from(const Json& text, bool& eos) {
  Tokens words = text.get<Tokens>();
  eos = !words.empty() && words.back() == end_token;
  if (eos) words.pop_back();
  return words;
}

Record record_from(const Json& attention, const Json& source, const Json& target) {
  Record record;
  record.source = words_from(source, record.source_eos);
  record.target = words_from(target, record.target_eos);
  for (std::size_t layer = 0; layer < attention.size(); ++layer) {
    for (std::size_t head = 0; head < attention[layer].size(); ++head) {
      record.weights.heads.push_back({layer, head, HeadKind::cross, attention[layer][head].get<Matrix>()});
      const Matrix &now = record.weights.heads.back().matrix, &first = record.weights.heads.front().matrix;
      for (std::size_t t = 0; t < std::max(now.size(), first.size()); ++t) {
        if (now.size() != first.size() || now[t].size() != first[t].size()) {
          throw std::invalid_argument(
              fmt::format("head {} of layer {} and the first head are of different sizes", head, layer));
        }
      }
    }
  }
  if (record.weights.heads.empty()) throw std::invalid_argument("no layer with a head");
  record.weights.matrix = mean_of(record.weights.heads);
  if (record.weights.heads.size() == 1) record.weights.heads.clear();
  return record;
}

// read_json_lines reads one record per line. `read` makes the record from the JSON of the line.
template <class Read>
std::vector<Record> read_json_lines(const AlignmentFile& file, const char* expected, const Read& read) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string where = file.where(i);
    Record record;
    try {
      record = read(parse_json(file.lines[i]));
    } catch (const std::exception& error) {  // from the JSON library or from `read`
      fail(where, fmt::format("{}; expected {}", json_problem(error), expected));
    }
    record.id = i;
    records.push_back(completed(std::move(record), where));
  }
  return records;
}

}  // namespace

std::string write_bertviz(const Record& record) {
  const Json cross{{"name", "Cross"},
                   {"attn", matrices_of(record)},
                   {"left_text", text_of(record.target, record.target_eos)},
                   {"right_text", text_of(record.source, record.source_eos)}};
  return Json{{"attention", Json::array({cross})}}.dump() + "\n";
}

std::vector<Record> read_bertviz(const AlignmentFile& file) {
  return read_json_lines(
      file, R"({"attention":[{"name":"Cross","attn":[layer][head][target][source],"left_text":..,"right_text":..}]})",
      [](const Json& json) {
        for (const Json& entry : json.at("attention")) {
          if (entry.at("name") == "Cross") {
            return record_from(entry.at("attn"), entry.at("right_text"), entry.at("left_text"));
          }
        }
        throw std::invalid_argument("no attention named \"Cross\"");
      });
}

std::string write_t2t(const Record& record) {
  const Json json{{"inp_out",
                   {{"att", matrices_of(record)},
                    {"top_text", text_of(record.source, record.source_eos)},
                    {"bot_text", text_of(record.target, record.target_eos)}}}};
  return json.dump() + "\n";
}

std::vector<Record> read_t2t(const AlignmentFile& file) {
  return read_json_lines(file, R"({"inp_out":{"att":[layer][head][target][source],"top_text":..,"bot_text":..}})",
                         [](const Json& json) {
                           const Json& entry = json.at("inp_out");
                           return record_from(entry.at("att"), entry.at("top_text"), entry.at("bot_text"));
                         });
}

}  // namespace softalign::data
