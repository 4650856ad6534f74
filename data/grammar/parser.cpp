#include "data/grammar/internal/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

GrammarLine cut(const std::string& text, std::size_t number) {
  GrammarLine line{number, !text.empty() && (text[0] == ' ' || text[0] == '\t'), {}};
  bool inside_brackets = false, inside_field = false;
  for (const char c : text) {
    if (c == '#') break;
    if ((c == ' ' || c == '\t') && !inside_brackets) {
      inside_field = false;
      continue;
    }
    if (!inside_field) line.fields.emplace_back();
    inside_field = true;
    if (c == '[') inside_brackets = true;
    if (c == ']') inside_brackets = false;
    line.fields.back() += c;
  }
  return line;
}

}  // namespace

Parser::Parser(Grammar& of, const std::vector<std::string>& text) : grammar(of) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    GrammarLine line = cut(text[i], i + 1);
    if (!line.fields.empty()) lines.push_back(std::move(line));
  }
}

void Parser::fail(std::size_t line, const std::string& message) const {
  throw Error(ErrorKind::bad_data, grammar.at(line) + message);
}

void Parser::need_fields(const GrammarLine& line, std::size_t count, const std::string& form) const {
  if (line.fields.size() < count) fail(line.number, fmt::format("expected {}", form));
}

void Parser::need_features(const GrammarLine& line, const std::string& name, std::size_t wanted,
                           std::size_t given) const {
  if (wanted != given) fail(line.number, fmt::format("{} has {} features, here are {}", name, wanted, given));
}

void Parser::add_name(const GrammarLine& line, const std::string& name, Named meaning) {
  if (!names.emplace(name, meaning).second) fail(line.number, fmt::format("{} is declared twice", name));
}

const Named& Parser::lookup(const GrammarLine& line, const std::string& name) const {
  const auto found = names.find(name);
  if (found == names.end()) fail(line.number, fmt::format("{} is not declared", name));
  return found->second;
}

std::optional<std::size_t> Parser::variable_feature(const std::string& name) const {
  const std::size_t end = name.find_last_not_of("0123456789");
  if (end == std::string::npos) return std::nullopt;
  const auto found = names.find(name.substr(0, end + 1));
  if (found == names.end() || found->second.meaning != Meaning::feature) return std::nullopt;
  return found->second.number;
}

Side Parser::side(const GrammarLine& line, const std::string& language) const {
  if (language == grammar.languages[0]) return source_side;
  if (language == grammar.languages[1]) return target_side;
  fail(line.number, fmt::format("{} is not a side of the grammar. Write {} or {}", in_quotes(language),
                                grammar.languages[0], grammar.languages[1]));
}

GrammarHead Parser::parse_head(const GrammarLine& line) const {
  GrammarHead head;
  const std::string& text = line.fields[0];
  const std::size_t bracket = std::min(text.find('['), text.size());
  head.name = text.substr(0, bracket);
  if (!std::isupper(static_cast<unsigned char>(head.name[0]))) {
    fail(line.number, fmt::format("{}: the name of a category or class must begin with a capital letter", head.name));
  }
  if (bracket < text.size()) {
    if (text.back() != ']') fail(line.number, fmt::format("{} lacks its closing bracket", text));
    head.arguments = split_words(std::string_view(text).substr(bracket + 1, text.size() - bracket - 2));
  }
  for (head.fields = 1; head.fields < line.fields.size(); ++head.fields) {
    const std::string& field = line.fields[head.fields];
    if (field[0] == '*') {
      const auto weight = number<double>(std::string_view(field).substr(1));
      if (!weight || *weight <= 0 || *weight > 1e9) {
        fail(line.number,
             fmt::format("{} is not a weight. Write a positive number such as *2 or *0.5", in_quotes(field)));
      }
      head.weight = *weight;
    } else if (field[0] == '@' && field.size() > 1) {
      head.tags.push_back(field.substr(1));
    } else {
      break;
    }
  }
  return head;
}

Values Parser::parse_values(const GrammarLine& line, const std::string& text, std::size_t feature) const {
  const Feature& of = grammar.features[feature];
  if (text == "_") return of.all();
  Values values = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const auto found = names.find(name);
    const bool fits = found != names.end() && found->second.values != 0 && found->second.feature == feature;
    if (!fits) {
      fail(line.number, fmt::format("{} is not a value of {}. Write one or several of {}", in_quotes(name), of.name,
                                    fmt::join(of.values, "/")));
    }
    values |= found->second.values;
    begin = end + 1;
  }
  return values;
}

std::vector<std::string> Parser::trailing_tags(const GrammarLine& line, std::size_t first) const {
  std::vector<std::string> tags;
  for (std::size_t i = first; i < line.fields.size(); ++i) {
    if (line.fields[i][0] != '@' || line.fields[i].size() == 1) {
      fail(line.number,
           fmt::format("{} is one word too many, because only @tags may follow", in_quotes(line.fields[i])));
    }
    tags.push_back(line.fields[i].substr(1));
  }
  return tags;
}

const GrammarLine& Parser::next_side(std::size_t& position, const GrammarLine& head, Side on,
                                     const std::string& needed) const {
  const bool there = ++position < lines.size() && lines[position].indented;
  if (!there || side(lines[position], lines[position].fields[0]) != on || lines[position].fields.size() < 2) {
    fail(head.number, fmt::format("{}, \"{} ...\" and \"{} ...\"", needed, grammar.languages[0], grammar.languages[1]));
  }
  return lines[position];
}

std::string table_key(const std::string& name) { return fmt::format("table {}", name); }

std::vector<std::size_t> parse_signature(const Parser& parser, const GrammarLine& line, const std::string& text,
                                         std::string& name) {
  const GrammarHead head = parser.parse_head({line.number, false, {text}});
  name = head.name;
  std::vector<std::size_t> features;
  for (const std::string& argument : head.arguments) {
    const std::optional<std::size_t> feature = parser.variable_feature(argument);
    if (!feature) parser.fail(line.number, fmt::format("{} is not a feature", argument));
    features.push_back(*feature);
  }
  return features;
}

Spelling parse_spelling(const Parser& parser, const GrammarLine& line, const std::string& text) {
  const std::vector<std::string> parts = split_fields(text, "|");
  const bool one_empty = std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (parts.size() > 2 || one_empty) {
    parser.fail(line.number, fmt::format("{} is not a word. Write WORD or WORD|BEFORE_VOWEL", in_quotes(text)));
  }
  return {parts[0], parts.size() == 2 ? parts[1] : ""};
}

}  // namespace softalign::data
