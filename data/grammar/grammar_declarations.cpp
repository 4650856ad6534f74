// Declarations of a grammar: features, sets, categories, what neighbouring words do to each other, heads and values.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "data/grammar/grammar_parser.h"

namespace data {

void GrammarParser::declare(const GrammarLine& line) {
  const std::string& word = line.fields[0];
  if (word == "start" || std::isupper(static_cast<unsigned char>(word[0]))) return;  // second pass
  if (word == "languages") {
    need_fields(line, 3, "languages SOURCE TARGET");
    grammar_.languages = {line.fields[1], line.fields[2]};
    return;
  }
  if (grammar_.languages[0].empty()) fail(line.number, "the first line must be \"languages SOURCE TARGET\"");
  if (word == "feature") {
    parse_feature(line);
  } else if (word == "set") {
    parse_set(line);
  } else if (word == "category") {
    need_fields(line, 2, "category NAME[feature ...]");
    Category category;
    category.features = parse_signature(line, line.fields[1], category.name);
    category.line = line.number;
    add_name(line, category.name, {Meaning::category, grammar_.categories.size()});
    grammar_.categories.push_back(category);
  } else if (word == "table") {
    parse_table(line);
  } else if (word == "paradigm") {
    parse_paradigm(line);
  } else if (word == "vowels" || word == "before-vowel" || word == "contract") {
    parse_phonology(line);
  } else if (word == "reserve") {
    need_fields(line, 2, "reserve WORD ...");
    grammar_.reserved.emplace_back(line.fields.begin() + 1, line.fields.end());
  } else {
    fail(line.number, fmt::format("\"{}\" begins no kind of line; expected languages, start, feature, set, category, "
                                  "class, table, paradigm, vowels, before-vowel, contract, reserve, or the upper-case "
                                  "name of a category or class",
                                  word));
  }
}

void GrammarParser::add_name(const GrammarLine& line, const std::string& name, Named meaning) {
  if (!names_.emplace(name, meaning).second) fail(line.number, fmt::format("{} is declared twice", name));
}

void GrammarParser::parse_feature(const GrammarLine& line) {
  need_fields(line, 3, "feature NAME VALUE ...");
  const size_t number = grammar_.features.size();
  Feature feature{line.fields[1], {line.fields.begin() + 2, line.fields.end()}};
  if (std::isdigit(static_cast<unsigned char>(feature.name.back()))) {
    fail(line.number, "the name of a feature ends in no digit: digits tell its variables apart");
  }
  if (feature.values.size() > 31) fail(line.number, "a feature has at most 31 values");
  add_name(line, feature.name, {Meaning::feature, number});
  for (size_t i = 0; i < feature.values.size(); ++i) {
    add_name(line, feature.values[i], {Meaning::value, number, Values{1} << i, number});
  }
  grammar_.features.push_back(std::move(feature));
}

void GrammarParser::parse_set(const GrammarLine& line) {
  need_fields(line, 3, "set NAME VALUE ...");
  const std::string& first = line.fields[2];
  const Named& named = lookup(line, first.substr(0, first.find('/')));
  if (named.values == 0) fail(line.number, fmt::format("{} is no value of a feature", first));
  const size_t feature = named.feature;
  Values values = 0;
  for (size_t i = 2; i < line.fields.size(); ++i) values |= parse_values(line, line.fields[i], feature);
  add_name(line, line.fields[1], {Meaning::set, feature, values, feature});
}

Side GrammarParser::side(const GrammarLine& line, const std::string& language) const {
  if (language == grammar_.languages[0]) return source_side;
  if (language == grammar_.languages[1]) return target_side;
  fail(line.number,
       fmt::format("\"{}\" is no side; expected {} or {}", language, grammar_.languages[0], grammar_.languages[1]));
}

std::vector<std::string> GrammarParser::trailing_tags(const GrammarLine& line, size_t first) const {
  std::vector<std::string> tags;
  for (size_t i = first; i < line.fields.size(); ++i) {
    if (line.fields[i][0] != '@' || line.fields[i].size() == 1) {
      fail(line.number, fmt::format("\"{}\" is one too many; only @tags may follow", line.fields[i]));
    }
    tags.push_back(line.fields[i].substr(1));
  }
  return tags;
}

void GrammarParser::parse_phonology(const GrammarLine& line) {
  const std::string& word = line.fields[0];
  need_fields(line, 3, fmt::format("{} LANGUAGE ...", word));
  Phonology& phonology = grammar_.phonology[side(line, line.fields[1])];
  if (word == "vowels") {
    phonology.vowels = line.fields[2];
    if (line.fields.size() == 3) return;
    if (line.fields[3] != "except") fail(line.number, "expected vowels LANGUAGE LETTERS except WORD ...");
    phonology.exceptions.assign(line.fields.begin() + 4, line.fields.end());
  } else if (word == "before-vowel") {
    need_fields(line, 4, "before-vowel LANGUAGE WORD CHANGED");
    if (!phonology.elisions.emplace(line.fields[2], Elision{line.fields[3], trailing_tags(line, 4)}).second) {
      fail(line.number, fmt::format("{} changes before a vowel in two ways", line.fields[2]));
    }
  } else {
    need_fields(line, 5, "contract LANGUAGE FIRST SECOND JOINED");
    phonology.contractions.push_back({line.fields[2], line.fields[3], line.fields[4], trailing_tags(line, 5)});
  }
}

const Named& GrammarParser::lookup(const GrammarLine& line, const std::string& name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) fail(line.number, fmt::format("{} is not declared", name));
  return found->second;
}

std::vector<size_t> GrammarParser::parse_signature(const GrammarLine& line, const std::string& text,
                                                   std::string& name) const {
  const GrammarHead head = parse_head({line.number, false, {text}});
  name = head.name;
  std::vector<size_t> features;
  for (const std::string& argument : head.arguments) {
    const std::optional<size_t> feature = variable_feature(argument);
    if (!feature) fail(line.number, fmt::format("{} is not a feature", argument));
    features.push_back(*feature);
  }
  return features;
}

GrammarHead GrammarParser::parse_head(const GrammarLine& line) const {
  GrammarHead head;
  const std::string& text = line.fields[0];
  const size_t bracket = std::min(text.find('['), text.size());
  head.name = text.substr(0, bracket);
  if (!std::isupper(static_cast<unsigned char>(head.name[0]))) {
    fail(line.number, fmt::format("{}: the name of a category or class begins with a capital letter", head.name));
  }
  if (bracket < text.size()) {
    if (text.back() != ']') fail(line.number, fmt::format("{} lacks its closing bracket", text));
    head.arguments = split_words(std::string_view(text).substr(bracket + 1, text.size() - bracket - 2));
  }
  for (head.fields = 1; head.fields < line.fields.size(); ++head.fields) {
    const std::string& field = line.fields[head.fields];
    if (field[0] == '*') {
      // from_chars reads "nan" and "inf" too, which no weight is
      const auto [end, error] = std::from_chars(field.data() + 1, field.data() + field.size(), head.weight);
      if (error != std::errc() || end != field.data() + field.size() || !(head.weight > 0 && head.weight <= 1e9)) {
        fail(line.number, fmt::format("\"{}\" is no weight; expected a positive number such as *2 or *0.5", field));
      }
    } else if (field[0] == '@' && field.size() > 1) {
      head.tags.push_back(field.substr(1));
    } else {
      break;
    }
  }
  return head;
}

Values GrammarParser::parse_values(const GrammarLine& line, const std::string& text, size_t feature) const {
  const Feature& of = grammar_.features[feature];
  if (text == "_") return of.all();
  Values values = 0;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('/', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const auto found = names_.find(name);
    const bool fits = found != names_.end() && found->second.values != 0 && found->second.feature == feature;
    if (!fits) {
      fail(line.number, fmt::format("\"{}\" is no value of {}; expected one or several of {}", name, of.name,
                                    fmt::join(of.values, "/")));
    }
    values |= found->second.values;
    begin = end + 1;
  }
  return values;
}

}  // namespace data
