// Rules of a grammar: heads, items, features and link numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/grammar/grammar_parser.h"

namespace data {

// num, num2, num3 ... are variables of feature num.
std::optional<size_t> GrammarParser::variable_feature(const std::string& name) const {
  const size_t end = name.find_last_not_of("0123456789");
  if (end == std::string::npos) return std::nullopt;
  const auto found = names_.find(name.substr(0, end + 1));
  if (found == names_.end() || found->second.meaning != Meaning::feature) return std::nullopt;
  return found->second.number;
}

// The number of a variable of the rule; each further mention may narrow its values.
size_t GrammarParser::variable(const GrammarLine& line, const std::string& name, Values allowed, Rule& rule) const {
  for (size_t i = 0; i < rule.variables.size(); ++i) {
    if (rule.variables[i].name != name) continue;
    ++rule.variables[i].mentions;
    rule.variables[i].allowed &= allowed;
    if (rule.variables[i].allowed == 0) fail(line.number, fmt::format("no value is left for {}", name));
    return i;
  }
  rule.variables.push_back({name, *variable_feature(name), allowed, 1});
  return rule.variables.size() - 1;
}

// VARIABLE, VARIABLE:VALUES or VALUES
Argument GrammarParser::parse_argument(const GrammarLine& line, const std::string& text, size_t feature,
                                       Rule& rule) const {
  const size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon);
  const std::optional<size_t> of = variable_feature(name);
  if (!of && colon == text.size()) return {Argument::none, parse_values(line, text, feature)};
  if (of != feature) {
    fail(line.number, fmt::format("{} stands where {} is expected", text, grammar_.features[feature].name));
  }
  const Values allowed =
      colon < text.size() ? parse_values(line, text.substr(colon + 1), feature) : grammar_.features[feature].all();
  return {variable(line, name, allowed, rule), 0};
}

// "~1?2" from the end of an item
std::vector<Mark> GrammarParser::cut_marks(const GrammarLine& line, std::string& text) const {
  std::vector<Mark> marks;
  while (true) {
    const size_t digits = text.find_last_not_of("0123456789") + 1;
    const bool mark = digits > 1 && digits < text.size() && (text[digits - 1] == '~' || text[digits - 1] == '?');
    if (!mark) break;
    if (text.size() - digits > 3) fail(line.number, fmt::format("\"{}\": link numbers have at most 3 digits", text));
    marks.push_back({std::stoul(text.substr(digits)), text[digits - 1] == '~'});
    text.resize(digits - 1);
  }
  return marks;
}

// "per.num", "base", "gen2.sg!"
FormName GrammarParser::parse_form(const GrammarLine& line, std::string text, Rule& rule) const {
  FormName form;
  if (!text.empty() && text.back() == '!') {
    form.plain = true;
    text.pop_back();
  }
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('.', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const std::optional<size_t> feature = variable_feature(name);
    if (feature) {
      form.parts.push_back({variable(line, name, grammar_.features[*feature].all(), rule), ""});
    } else {
      form.parts.push_back({Argument::none, name});
    }
    begin = end + 1;
  }
  return form;
}

Item GrammarParser::parse_item(const GrammarLine& line, const std::string& written, Rule& rule, Side on) const {
  Item item;
  std::string text = written;
  item.marks = cut_marks(line, text);
  if (!std::isupper(static_cast<unsigned char>(text[0]))) {
    const size_t dot = text.find('.', 1);
    const auto table = names_.find(table_key(text.substr(0, std::min(dot, text.size()))));
    if (dot != std::string::npos) {
      if (table == names_.end()) fail(line.number, fmt::format("{}: there is no such table", text));
      item.kind = Item::Kind::table;
      item.symbol = table->second.number;
      item.form = parse_form(line, text.substr(dot + 1), rule);
    } else {
      item.word = parse_spelling(line, text);
    }
    return item;
  }

  const size_t name_end = std::min(text.find_first_of("[.!"), text.size());
  const std::string name = text.substr(0, name_end);
  const Named& named = lookup(line, name);
  item.symbol = named.number;
  const bool is_class = named.meaning == Meaning::word_class;
  item.kind = is_class ? Item::Kind::lexeme : Item::Kind::phrase;
  const std::vector<size_t>& features =
      is_class ? grammar_.classes[named.number].features : grammar_.categories[named.number].features;
  size_t rest = name_end;
  if (rest < text.size() && text[rest] == '[') {
    const size_t close = text.find(']');
    if (close == std::string::npos) fail(line.number, fmt::format("{} lacks its closing bracket", text));
    const Tokens arguments = split_words(std::string_view(text).substr(rest + 1, close - rest - 1));
    if (on == target_side) fail(line.number, fmt::format("{}: features stand on the source side only", text));
    if (arguments.size() != features.size()) {
      fail(line.number, fmt::format("{} has {} features, here are {}", name, features.size(), arguments.size()));
    }
    for (size_t i = 0; i < features.size(); ++i) {
      item.arguments.push_back(parse_argument(line, arguments[i], features[i], rule));
    }
    rest = close + 1;
  }
  if (rest < text.size()) {
    if (!is_class || text[rest] != '.') {
      fail(line.number, fmt::format("{}: \"{}\" cannot stand here; only words have forms", text, text.substr(rest)));
    }
    item.form = parse_form(line, text.substr(rest + 1), rule);
  }
  if (item.marks.size() != 1 || !item.marks[0].sure) {
    fail(line.number, fmt::format("{} needs one number, as in {}~1, that pairs it with the other side", text, name));
  }
  return item;
}

// HEAD *weight @tag, then a line for each side
void GrammarParser::parse_rule(size_t& position) {
  const GrammarLine& line = lines_[position];
  const GrammarHead head = parse_head(line);
  const Named& named = lookup(line, head.name);
  if (named.meaning != Meaning::category) fail(line.number, fmt::format("{} is no category", head.name));
  Category& category = grammar_.categories[named.number];
  if (head.fields != line.fields.size()) {
    fail(line.number, fmt::format("\"{}\" is one too many; a rule begins with CATEGORY[features] *weight @tag, and its "
                                  "two sides follow on indented lines",
                                  line.fields[head.fields]));
  }
  if (head.arguments.size() != category.features.size()) {
    fail(line.number, fmt::format("{} has {} features, here are {}", category.name, category.features.size(),
                                  head.arguments.size()));
  }
  Rule rule;
  rule.category = named.number;
  rule.weight = head.weight;
  rule.tags = head.tags;
  rule.line = line.number;
  for (size_t i = 0; i < head.arguments.size(); ++i) {
    rule.head.push_back(parse_argument(line, head.arguments[i], category.features[i], rule));
  }
  for (const Side on : {source_side, target_side}) {
    const bool there = ++position < lines_.size() && lines_[position].indented;
    if (!there || side(lines_[position], lines_[position].fields[0]) != on || lines_[position].fields.size() < 2) {
      fail(line.number, fmt::format("a rule needs two indented lines, neither empty: \"{} ...\" and \"{} ...\"",
                                    grammar_.languages[0], grammar_.languages[1]));
    }
    const GrammarLine& sentence = lines_[position];
    for (size_t i = 1; i < sentence.fields.size(); ++i) {
      rule.sides[on].push_back(parse_item(sentence, sentence.fields[i], rule, on));
    }
  }
  for (const Variable& each : rule.variables) {
    if (each.mentions == 1)
      fail(line.number, fmt::format("{} stands alone and agrees with nothing; write _", each.name));
  }
  check_links(rule);
  check_forms(rule);
  category.rules.push_back(grammar_.rules.size());
  grammar_.rules.push_back(std::move(rule));
}

}  // namespace data
