#include "data/grammar/read_grammar.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

#include "data/grammar/check.h"
#include "data/grammar/internal/parse_rules.h"
#include "data/grammar/internal/parse_words.h"
#include "data/grammar/internal/parser.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

void parse_feature(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "feature NAME VALUE ...");
  const std::size_t number = parser.grammar.features.size();
  Feature feature{line.fields[1], {line.fields.begin() + 2, line.fields.end()}};
  if (std::isdigit(static_cast<unsigned char>(feature.name.back()))) {
    parser.fail(line.number,
                "the name of a feature must not end in a digit, because number1 and number2 are two variables of the "
                "feature number");
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

// parse_declaration reads a line that is neither a rule nor a word.
void parse_declaration(Parser& parser, const GrammarLine& line) {
  const std::string& word = line.fields[0];
  if (word == "start" || std::isupper(static_cast<unsigned char>(word[0]))) return;  // the second pass reads it
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

// A name may be used above the line that declares its category. Therefore the second pass reads rules and words.
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

Grammar parse_grammar(const std::vector<std::string>& lines, const std::string& name) {
  Grammar grammar;
  grammar.file = name;
  Parser parser(grammar, lines);
  parse(parser);
  return grammar;
}

Grammar read_grammar(const std::string& path) { return parse_grammar(read_lines(path), path); }

}  // namespace softalign::data
