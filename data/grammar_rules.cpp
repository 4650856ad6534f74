// Rules of a grammar: heads, items, features and links.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "data/grammar_parser.h"

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

// Every number stands on both sides; a phrase once on each, a word of a class at least once on the source side;
// what shares the number of a class or phrase is the same class or phrase, or (with a class) a plain word or table.
void GrammarParser::check_links(const Rule& rule) const {
  std::map<size_t, std::array<std::vector<const Item*>, 2>> by_number;
  for (const Side on : {source_side, target_side}) {
    for (const Item& item : rule.sides[on]) {
      for (const Mark& mark : item.marks) by_number[mark.number][on].push_back(&item);
    }
  }
  for (const auto& [number, sides] : by_number) {
    for (const Side on : {source_side, target_side}) {
      if (sides[on].empty()) {
        fail(rule.line, fmt::format("number {} has no partner on the {} side", number, grammar_.languages[on]));
      }
    }
    const Item* named = nullptr;
    std::array<size_t, 2> mentions{};
    for (const Side on : {source_side, target_side}) {
      for (const Item* item : sides[on]) {
        const bool plain = item->kind == Item::Kind::word || item->kind == Item::Kind::table;
        if (plain) continue;
        ++mentions[on];
        if (named && !item->arguments.empty()) {
          fail(rule.line, fmt::format("number {} has its features twice; the first mention has them", number));
        }
        if (!named) named = item;
        if (named->kind != item->kind || named->symbol != item->symbol) {
          fail(rule.line, fmt::format("number {} stands on two different classes or categories", number));
        }
      }
    }
    if (!named) continue;
    const bool phrase = named->kind == Item::Kind::phrase;
    const bool once = sides[0].size() == 1 && sides[1].size() == 1 && mentions[0] == 1 && mentions[1] == 1;
    if (phrase && !once) {
      fail(rule.line, fmt::format("number {} is a phrase and stands on exactly one item of each side", number));
    }
    if (mentions[source_side] == 0) {
      fail(rule.line, fmt::format("number {} names a class on the {} side only", number, grammar_.languages[1]));
    }
    const size_t features =
        phrase ? grammar_.categories[named->symbol].features.size() : grammar_.classes[named->symbol].features.size();
    if (named->arguments.size() != features) {
      fail(rule.line, fmt::format("number {} lacks its {} features in brackets", number, features));
    }
  }
}

// Every form that the values of the variables can ask for exists.
void GrammarParser::check_forms(const Rule& rule) const {
  for (const Side on : {source_side, target_side}) {
    for (const Item& item : rule.sides[on]) {
      if (item.kind == Item::Kind::word || item.kind == Item::Kind::phrase) continue;
      std::vector<size_t> assignment(rule.variables.size(), 0);
      check_form(rule, item, assignment, on);
    }
  }
}

void GrammarParser::check_form(const Rule& rule, const Item& item, const std::vector<size_t>& start, Side on) const {
  // one variable of the form after the other takes all its values
  std::vector<std::vector<size_t>> assignments{start};
  for (const FormName::Part& part : item.form.parts) {
    if (part.variable == Argument::none) continue;
    const Variable& of = rule.variables[part.variable];
    std::vector<std::vector<size_t>> longer;
    for (std::vector<size_t> assignment : assignments) {
      for (size_t value = 0; value < grammar_.features[of.feature].values.size(); ++value) {
        if (!(of.allowed >> value & 1)) continue;
        assignment[part.variable] = value;
        longer.push_back(assignment);
      }
    }
    assignments = std::move(longer);
  }
  for (const std::vector<size_t>& assignment : assignments) {
    const std::string name = form_name(grammar_, rule, item.form, assignment);
    if (item.kind == Item::Kind::table) {
      const Table& table = grammar_.tables[item.symbol];
      if (!table.forms.count(name)) fail(rule.line, fmt::format("table {} has no form \"{}\"", table.name, name));
    } else {
      const WordClass& words = grammar_.classes[item.symbol];
      const bool only_one = item.form.parts.empty() && words.form_count[on] == 1;
      if (!only_one && !words.form_names[on].count(name)) {
        fail(rule.line, fmt::format("class {} has no {} form \"{}\"", words.name, grammar_.languages[on], name));
      }
    }
  }
}

}  // namespace data
