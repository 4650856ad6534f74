#include "data/grammar/grammar.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "data/grammar/check.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

// --- the lines of a grammar file, the names it has declared so far, and what every kind of line needs ---

// One line without its comment, cut at spaces outside of brackets.
struct GrammarLine {
  std::size_t number = 0;  // from 1
  bool indented = false;
  std::vector<std::string> fields;
};

// HEAD[arguments] *weight @tag ...
struct GrammarHead {
  std::string name;
  std::vector<std::string> arguments;
  double weight = 1;
  std::vector<std::string> tags;
  std::size_t fields = 0;  // of the line, that belong to the head
};

// What a name in the file stands for.
enum class Meaning { feature, value, set, table, word_class, category };

struct Named {
  Meaning meaning;
  std::size_t number = 0;   // of the feature, table, class or category
  Values values = 0;        // of a value or set
  std::size_t feature = 0;  // that a value or set belongs to
};

struct Parser {
  Parser(Grammar& grammar, const std::vector<std::string>& lines);

  // Throws std::runtime_error naming file and line.
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;
  void need_fields(const GrammarLine& line, std::size_t count, const std::string& form) const;
  void need_features(const GrammarLine& line, const std::string& name, std::size_t wanted, std::size_t given) const;

  void add_name(const GrammarLine& line, const std::string& name, Named meaning);
  const Named& lookup(const GrammarLine& line, const std::string& name) const;
  // num, num2, num3 ... are variables of feature num; none for another name.
  std::optional<std::size_t> variable_feature(const std::string& name) const;

  Side side(const GrammarLine& line, const std::string& language) const;
  GrammarHead parse_head(const GrammarLine& line) const;
  Values parse_values(const GrammarLine& line, const std::string& text, std::size_t feature) const;
  std::vector<std::string> trailing_tags(const GrammarLine& line, std::size_t first) const;

  Grammar& grammar;
  std::vector<GrammarLine> lines;
  std::unordered_map<std::string, Named> names;  // looked up only, never walked
  // endings by (side, name, how many)
  std::map<std::tuple<std::size_t, std::string, std::size_t>, std::vector<std::string>> paradigms;
};

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

// Tables have names of their own: "was" may be a table and a plain word.
std::string table_key(const std::string& name) { return fmt::format("table {}", name); }

// NAME[feature ...]: the features, and the name.
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

// WORD or WORD|BEFORE_VOWEL
Spelling parse_spelling(const Parser& parser, const GrammarLine& line, const std::string& text) {
  const std::vector<std::string> parts = split_fields(text, "|");
  const bool one_empty = std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (parts.size() > 2 || one_empty) {
    parser.fail(line.number, fmt::format("{} is not a word. Write WORD or WORD|BEFORE_VOWEL", in_quotes(text)));
  }
  return {parts[0], parts.size() == 2 ? parts[1] : ""};
}

// --- words: tables, classes, paradigms and lexemes ---

// Fields first .. last-1 of a lexeme: `count` forms, or one stem+paradigm that makes up for the forms not given.
std::vector<Spellings> parse_forms(const Parser& parser, const GrammarLine& line, std::size_t first, std::size_t last,
                                   Side of, std::size_t count) {
  std::vector<Spellings> forms;
  for (std::size_t i = first; i < last; ++i) {
    const std::string& field = line.fields[i];
    const std::size_t plus = field.find('+');
    if (plus == std::string::npos) {
      Spellings words;
      for (const std::string& word : split_fields(field, "_")) words.push_back(parse_spelling(parser, line, word));
      forms.push_back(std::move(words));
      continue;
    }
    const std::size_t others = last - first - 1;
    const std::string name = field.substr(plus);
    const auto found = parser.paradigms.find({of, name, count > others ? count - others : 0});
    if (found == parser.paradigms.end()) {
      parser.fail(line.number, fmt::format("{}: there is no paradigm {} with {} endings on this side", field, name,
                                           count - std::min(others, count)));
    }
    for (const std::string& ending : found->second) {
      forms.push_back({parse_spelling(parser, line, field.substr(0, plus) + ending)});
    }
  }
  if (forms.size() != count) {
    parser.fail(line.number,
                fmt::format("{} {} forms, expected {}", forms.size(), parser.grammar.languages[of], count));
  }
  return forms;
}

// table NAME form/form=word ...
void parse_table(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "table NAME form=word ...");
  Table table{line.fields[1], {}};
  for (std::size_t i = 2; i < line.fields.size(); ++i) {
    const std::vector<std::string> parts = split_fields(line.fields[i], "=");
    if (parts.size() != 2) parser.fail(line.number, fmt::format("{}: expected form=word", in_quotes(line.fields[i])));
    for (const std::string& form : split_fields(parts[0], "/")) {
      if (!table.forms.emplace(form, parse_spelling(parser, line, parts[1])).second) {
        parser.fail(line.number, fmt::format("table {} has form {} twice", table.name, form));
      }
    }
  }
  const std::size_t number = parser.grammar.tables.size();
  if (!parser.names.emplace(table_key(table.name), Named{Meaning::table, number}).second) {
    parser.fail(line.number, fmt::format("table {} is declared twice", table.name));
  }
  parser.grammar.tables.push_back(std::move(table));
}

// class NAME[feature ...], then for each side a line with the names of its forms; `position` goes on to the last.
void parse_class(Parser& parser, std::size_t& position) {
  const GrammarLine& line = parser.lines[position];
  parser.need_fields(line, 2, "class NAME[feature ...]");
  WordClass words;
  words.features = parse_signature(parser, line, line.fields[1], words.name);
  words.line = line.number;
  for (const Side on : {source_side, target_side}) {
    const bool there = ++position < parser.lines.size() && parser.lines[position].indented;
    if (!there || parser.side(parser.lines[position], parser.lines[position].fields[0]) != on ||
        parser.lines[position].fields.size() < 2) {
      parser.fail(
          line.number,
          fmt::format("class {} needs two indented lines with the names of its forms, \"{} ...\" and \"{} ...\"",
                      words.name, parser.grammar.languages[0], parser.grammar.languages[1]));
    }
    const std::vector<std::string>& forms = parser.lines[position].fields;
    words.form_count[on] = forms.size() - 1;
    for (std::size_t i = 1; i < forms.size(); ++i) {
      for (const std::string& name : split_fields(forms[i], "/")) {
        if (!words.form_names[on].emplace(name, i - 1).second) {
          parser.fail(parser.lines[position].number, fmt::format("class {} has form {} twice", words.name, name));
        }
      }
    }
  }
  parser.add_name(line, words.name, {Meaning::word_class, parser.grammar.classes.size()});
  parser.grammar.classes.push_back(std::move(words));
}

// paradigm LANGUAGE +name ending ...
void parse_paradigm(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 4, "paradigm LANGUAGE +NAME ENDING ...");
  if (line.fields[2][0] != '+') parser.fail(line.number, "the name of a paradigm must begin with +");
  std::vector<std::string> endings(line.fields.begin() + 3, line.fields.end());
  for (std::string& ending : endings) {
    if (ending == "-") ending.clear();
  }
  const auto key = std::make_tuple(std::size_t{parser.side(line, line.fields[1])}, line.fields[2], endings.size());
  if (!parser.paradigms.emplace(key, endings).second) {
    parser.fail(line.number,
                fmt::format("paradigm {} with {} endings is declared twice", line.fields[2], endings.size()));
  }
}

// CLASS[values] *weight @tag forms = forms
void parse_lexeme(Parser& parser, const GrammarLine& line) {
  const GrammarHead head = parser.parse_head(line);
  WordClass& words = parser.grammar.classes[parser.lookup(line, head.name).number];
  parser.need_features(line, words.name, words.features.size(), head.arguments.size());
  Lexeme lexeme;
  lexeme.weight = head.weight;
  lexeme.tags = head.tags;
  lexeme.line = line.number;
  for (std::size_t i = 0; i < head.arguments.size(); ++i) {
    lexeme.features.push_back(parser.parse_values(line, head.arguments[i], words.features[i]));
  }
  const auto equals = std::find(line.fields.begin(), line.fields.end(), "=");
  if (equals == line.fields.end())
    parser.fail(line.number, "this line must have the form: CLASS[features] source forms = target forms");
  const std::size_t middle = static_cast<std::size_t>(equals - line.fields.begin());
  lexeme.forms[source_side] =
      parse_forms(parser, line, head.fields, middle, source_side, words.form_count[source_side]);
  lexeme.forms[target_side] =
      parse_forms(parser, line, middle + 1, line.fields.size(), target_side, words.form_count[target_side]);
  words.lexemes.push_back(std::move(lexeme));
}

// --- rules: heads, items, features and link numbers ---

// The number of a variable of the rule; each further mention may narrow its values.
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

// VARIABLE, VARIABLE:VALUES or VALUES
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

// "~1?2" from the end of an item
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

// "per.num", "base", "gen2.sg!"
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

// HEAD *weight @tag, then a line for each side
// HEAD *weight @tag, then a line for each side; `position` goes on to the last.
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
    const bool there = ++position < parser.lines.size() && parser.lines[position].indented;
    if (!there || parser.side(parser.lines[position], parser.lines[position].fields[0]) != on ||
        parser.lines[position].fields.size() < 2) {
      parser.fail(line.number,
                  fmt::format("a rule needs two indented lines that are not empty, \"{} ...\" and \"{} ...\"",
                              parser.grammar.languages[0], parser.grammar.languages[1]));
    }
    const GrammarLine& sentence = parser.lines[position];
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

// --- declarations: features, sets, categories, and how neighbouring words change each other ---

void parse_feature(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "feature NAME VALUE ...");
  const std::size_t number = parser.grammar.features.size();
  Feature feature{line.fields[1], {line.fields.begin() + 2, line.fields.end()}};
  if (std::isdigit(static_cast<unsigned char>(feature.name.back()))) {
    parser.fail(line.number, "the name of a feature must not end in a digit, because digits distinguish its variables");
  }
  if (feature.values.size() > 31) parser.fail(line.number, "a feature can have at most 31 values");
  parser.add_name(line, feature.name, {Meaning::feature, number});
  for (std::size_t i = 0; i < feature.values.size(); ++i) {
    parser.add_name(line, feature.values[i], {Meaning::value, number, Values{1} << i, number});
  }
  parser.grammar.features.push_back(std::move(feature));
}

void parse_set(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "set NAME VALUE ...");
  const std::string& first = line.fields[2];
  const Named& named = parser.lookup(line, first.substr(0, first.find('/')));
  if (named.values == 0) parser.fail(line.number, fmt::format("{} is not a value of any feature", first));
  const std::size_t feature = named.feature;
  Values values = 0;
  for (std::size_t i = 2; i < line.fields.size(); ++i) values |= parser.parse_values(line, line.fields[i], feature);
  parser.add_name(line, line.fields[1], {Meaning::set, feature, values, feature});
}

void parse_phonology(Parser& parser, const GrammarLine& line) {
  const std::string& word = line.fields[0];
  parser.need_fields(line, 3, fmt::format("{} LANGUAGE ...", word));
  Phonology& phonology = parser.grammar.phonology[parser.side(line, line.fields[1])];
  if (word == "vowels") {
    phonology.vowels = line.fields[2];
    if (line.fields.size() == 3) return;
    if (line.fields[3] != "except")
      parser.fail(line.number, "this line must have the form: vowels LANGUAGE LETTERS except WORD ...");
    phonology.exceptions.assign(line.fields.begin() + 4, line.fields.end());
  } else if (word == "before-vowel") {
    parser.need_fields(line, 4, "before-vowel LANGUAGE WORD CHANGED");
    if (!phonology.elisions.emplace(line.fields[2], Elision{line.fields[3], parser.trailing_tags(line, 4)}).second) {
      parser.fail(line.number,
                  fmt::format("{} changes before a vowel in two ways. Remove one of the two lines", line.fields[2]));
    }
  } else {
    parser.need_fields(line, 5, "contract LANGUAGE FIRST SECOND JOINED");
    phonology.contractions.push_back({line.fields[2], line.fields[3], line.fields[4], parser.trailing_tags(line, 5)});
  }
}

// A line that is neither a rule nor a word.
void parse_declaration(Parser& parser, const GrammarLine& line) {
  const std::string& word = line.fields[0];
  if (word == "start" || std::isupper(static_cast<unsigned char>(word[0]))) return;  // second pass
  if (word == "languages") {
    parser.need_fields(line, 3, "languages SOURCE TARGET");
    parser.grammar.languages = {line.fields[1], line.fields[2]};
    return;
  }
  if (parser.grammar.languages[0].empty())
    parser.fail(line.number, "the first line must be \"languages SOURCE TARGET\"");
  if (word == "feature") {
    parse_feature(parser, line);
  } else if (word == "set") {
    parse_set(parser, line);
  } else if (word == "category") {
    parser.need_fields(line, 2, "category NAME[feature ...]");
    Category category;
    category.features = parse_signature(parser, line, line.fields[1], category.name);
    category.line = line.number;
    parser.add_name(line, category.name, {Meaning::category, parser.grammar.categories.size()});
    parser.grammar.categories.push_back(category);
  } else if (word == "table") {
    parse_table(parser, line);
  } else if (word == "paradigm") {
    parse_paradigm(parser, line);
  } else if (word == "vowels" || word == "before-vowel" || word == "contract") {
    parse_phonology(parser, line);
  } else if (word == "reserve") {
    parser.need_fields(line, 2, "reserve WORD ...");
    parser.grammar.reserved.emplace_back(line.fields.begin() + 1, line.fields.end());
  } else {
    parser.fail(
        line.number,
        fmt::format(
            "{} does not begin a line of a grammar. A line begins with languages, start, feature, set, category, "
            "class, table, paradigm, vowels, before-vowel, contract, reserve, or the upper-case "
            "name of a category or class",
            in_quotes(word)));
  }
}

// --- the whole file ---

// Names may be used above the line that declares their category, so rules and words wait for a second pass.
void parse(Parser& parser) {
  if (parser.lines.empty())
    parser.fail(1, "the grammar has no rule. A grammar begins with \"languages SOURCE TARGET\" and \"start CATEGORY\"");
  for (std::size_t i = 0; i < parser.lines.size(); ++i) {
    if (parser.lines[i].fields[0] == "class") {
      parse_class(parser, i);
    } else if (!parser.lines[i].indented) {
      parse_declaration(parser, parser.lines[i]);
    }
  }
  std::string start;
  for (std::size_t i = 0; i < parser.lines.size(); ++i) {
    const GrammarLine& line = parser.lines[i];
    const std::string& word = line.fields[0];
    if (word == "class") {
      i += 2;  // its two lines of forms
    } else if (word == "start") {
      parser.need_fields(line, 2, "start CATEGORY");
      const Named& named = parser.lookup(line, line.fields[1]);
      if (named.meaning != Meaning::category || !parser.grammar.categories[named.number].features.empty()) {
        parser.fail(line.number, fmt::format("the start category must be a category without features, but {} is none",
                                             line.fields[1]));
      }
      parser.grammar.start = named.number;
      start = word;
    } else if (line.indented) {
      parser.fail(line.number, "this indented line belongs to no rule and to no class");
    } else if (std::isupper(static_cast<unsigned char>(word[0]))) {
      const GrammarHead head = parser.parse_head(line);
      if (parser.lookup(line, head.name).meaning == Meaning::word_class) {
        parse_lexeme(parser, line);
      } else {
        parse_rule(parser, i);
      }
    }
  }
  if (start.empty())
    parser.fail(parser.lines.back().number, "the grammar has no start category. Add a line \"start CATEGORY\"");
  check_grammar(parser.grammar);
}

}  // namespace

std::string Grammar::at(std::size_t line) const { return fmt::format("{}:{}: ", file, line); }

std::string form_name(const Grammar& grammar, const Rule& rule, const FormName& form,
                      const std::vector<std::size_t>& assignment) {
  std::string name;
  for (const FormName::Part& part : form.parts) {
    if (!name.empty()) name += '.';
    if (part.variable == Argument::none) {
      name += part.name;
    } else {
      name += grammar.features[rule.variables[part.variable].feature].values[assignment[part.variable]];
    }
  }
  return name;
}

std::size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item,
                       const std::vector<std::size_t>& values, Side side) {
  const WordClass& words = grammar.classes[item.symbol];
  if (item.form.parts.empty()) return 0;  // the only one: check_form
  return words.form_names[side].at(form_name(grammar, rule, item.form, values));
}

Grammar parse_grammar(const std::vector<std::string>& lines, const std::string& name) {
  Grammar grammar;
  grammar.file = name;
  Parser parser(grammar, lines);
  parse(parser);
  return grammar;
}

Grammar read_grammar(const std::string& path) { return parse_grammar(read_lines(path), path); }

}  // namespace softalign::data
