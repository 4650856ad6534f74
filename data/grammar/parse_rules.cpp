#include "data/grammar/internal/parse_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "data/grammar/check.h"
#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

// variable returns the number of a variable of the rule. Each further mention may leave fewer values.
std::size_t variable(const Parser& parser, const GrammarLine& line, const std::string& name, Values allowed,
                     Rule& rule) {
  for (std::size_t i = 0; i < rule.variables.size(); ++i) {
    if (rule.variables[i].name != name) continue;
    ++rule.variables[i].mentions;
    rule.variables[i].allowed &= allowed;
    if (rule.variables[i].allowed == 0)
      parser.fail(line.number, fmt::format("these conditions leave no value for {}", name));
    return i;
  }
  rule.variables.push_back({name, *parser.variable_feature(name), allowed, 1});
  return rule.variables.size() - 1;
}

// An argument is VARIABLE, VARIABLE:VALUES or VALUES.
Argument parse_argument(const Parser& parser, const GrammarLine& line, const std::string& text, std::size_t feature,
                        Rule& rule) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string name = text.substr(0, colon);
  const std::optional<std::size_t> of = parser.variable_feature(name);
  if (!of && colon == text.size()) return {Argument::none, parser.parse_values(line, text, feature)};
  if (of != feature) {
    parser.fail(line.number,
                fmt::format("{} stands where {} is expected", text, parser.grammar.features[feature].name));
  }
  const Values allowed = colon < text.size() ? parser.parse_values(line, text.substr(colon + 1), feature)
                                             : parser.grammar.features[feature].all();
  return {variable(parser, line, name, allowed, rule), 0};
}

// cut_marks removes marks such as "~1?2" from the end of an item, and returns them.
std::vector<Mark> cut_marks(const Parser& parser, const GrammarLine& line, std::string& text) {
  std::vector<Mark> marks;
  while (true) {
    const std::size_t digits = text.find_last_not_of("0123456789") + 1;
    const bool mark = digits > 1 && digits < text.size() && (text[digits - 1] == '~' || text[digits - 1] == '?');
    if (!mark) break;
    if (text.size() - digits > 3)
      parser.fail(line.number, fmt::format("{}: link numbers have at most 3 digits", in_quotes(text)));
    marks.push_back({std::stoul(text.substr(digits)), text[digits - 1] == '~'});
    text.resize(digits - 1);
  }
  return marks;
}

// A form is, for example, "per.num", "base" or "gen2.sg!".
FormName parse_form(const Parser& parser, const GrammarLine& line, std::string text, Rule& rule) {
  FormName form;
  if (!text.empty() && text.back() == '!') {
    form.plain = true;
    text.pop_back();
  }
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string name = text.substr(begin, end - begin);
    const std::optional<std::size_t> feature = parser.variable_feature(name);
    if (feature) {
      form.parts.push_back({variable(parser, line, name, parser.grammar.features[*feature].all(), rule), ""});
    } else {
      form.parts.push_back({Argument::none, name});
    }
    begin = end + 1;
  }
  return form;
}

Item parse_item(const Parser& parser, const GrammarLine& line, const std::string& written, Rule& rule, Side on) {
  Item item;
  std::string text = written;
  item.marks = cut_marks(parser, line, text);
  if (!std::isupper(static_cast<unsigned char>(text[0]))) {
    const std::size_t dot = text.find('.', 1);
    const auto table = parser.names.find(table_key(text.substr(0, std::min(dot, text.size()))));
    if (dot != std::string::npos) {
      if (table == parser.names.end()) parser.fail(line.number, fmt::format("{}: there is no such table", text));
      item.kind = Item::Kind::table;
      item.symbol = table->second.number;
      item.form = parse_form(parser, line, text.substr(dot + 1), rule);
    } else {
      item.word = parse_spelling(parser, line, text);
    }
    return item;
  }

  const std::size_t name_end = std::min(text.find_first_of("[.!"), text.size());
  const std::string name = text.substr(0, name_end);
  const Named& named = parser.lookup(line, name);
  item.symbol = named.number;
  const bool is_class = named.meaning == Meaning::word_class;
  item.kind = is_class ? Item::Kind::lexeme : Item::Kind::phrase;
  const std::vector<std::size_t>& features =
      is_class ? parser.grammar.classes[named.number].features : parser.grammar.categories[named.number].features;
  std::size_t rest = name_end;
  if (rest < text.size() && text[rest] == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string::npos) parser.fail(line.number, fmt::format("{} lacks its closing bracket", text));
    const Tokens arguments = split_words(std::string_view(text).substr(rest + 1, close - rest - 1));
    if (on == target_side)
      parser.fail(line.number,
                  fmt::format("{}: only the source side may have features. Remove them from the target side", text));
    parser.need_features(line, name, features.size(), arguments.size());
    for (std::size_t i = 0; i < features.size(); ++i) {
      item.arguments.push_back(parse_argument(parser, line, arguments[i], features[i], rule));
    }
    rest = close + 1;
  }
  if (rest < text.size()) {
    if (!is_class || text[rest] != '.') {
      parser.fail(line.number, fmt::format("{}: {} is not allowed here, because only words have forms", shortened(text),
                                           in_quotes(text.substr(rest))));
    }
    item.form = parse_form(parser, line, text.substr(rest + 1), rule);
  }
  if (item.marks.size() != 1 || !item.marks[0].sure) {
    parser.fail(line.number,
                fmt::format("{} needs one number, as in {}~1, that pairs it with the other side", text, name));
  }
  return item;
}

}  // namespace

void parse_rule(Parser& parser, std::size_t& position) {
  const GrammarLine& line = parser.lines[position];
  const GrammarHead head = parser.parse_head(line);
  const Named& named = parser.lookup(line, head.name);
  if (named.meaning != Meaning::category) parser.fail(line.number, fmt::format("{} is no category", head.name));
  Category& category = parser.grammar.categories[named.number];
  if (head.fields != line.fields.size()) {
    parser.fail(line.number, fmt::format("{} is one word too many. A rule begins with CATEGORY[features] *weight @tag, "
                                         "and its two sides follow on indented lines",
                                         in_quotes(line.fields[head.fields])));
  }
  parser.need_features(line, category.name, category.features.size(), head.arguments.size());
  Rule rule;
  rule.category = named.number;
  rule.weight = head.weight;
  rule.tags = head.tags;
  rule.line = line.number;
  for (std::size_t i = 0; i < head.arguments.size(); ++i) {
    rule.head.push_back(parse_argument(parser, line, head.arguments[i], category.features[i], rule));
  }
  for (const Side on : {source_side, target_side}) {
    const GrammarLine& sentence =
        parser.next_side(position, line, on, "a rule needs two indented lines that are not empty");
    for (std::size_t i = 1; i < sentence.fields.size(); ++i) {
      rule.sides[on].push_back(parse_item(parser, sentence, sentence.fields[i], rule, on));
    }
  }
  for (const Variable& each : rule.variables) {
    if (each.mentions == 1)
      parser.fail(
          line.number,
          fmt::format("the variable {} occurs only once, so nothing agrees with it. Write _ instead", each.name));
  }
  check_links(parser.grammar, rule);
  check_forms(parser.grammar, rule);
  category.rules.push_back(parser.grammar.rules.size());
  parser.grammar.rules.push_back(std::move(rule));
}

}  // namespace softalign::data
