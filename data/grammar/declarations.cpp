#include "data/grammar/internal/declarations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "data/grammar/internal/words.h"
#include "data/io/quoted.h"

namespace softalign::data {
namespace {

void parse_feature(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "feature NAME VALUE ...");
  const size_t number = parser.grammar.features.size();
  Feature feature{line.fields[1], {line.fields.begin() + 2, line.fields.end()}};
  if (std::isdigit(static_cast<unsigned char>(feature.name.back()))) {
    parser.fail(line.number, "the name of a feature ends in no digit: digits tell its variables apart");
  }
  if (feature.values.size() > 31) parser.fail(line.number, "a feature has at most 31 values");
  parser.add_name(line, feature.name, {Meaning::feature, number});
  for (size_t i = 0; i < feature.values.size(); ++i) {
    parser.add_name(line, feature.values[i], {Meaning::value, number, Values{1} << i, number});
  }
  parser.grammar.features.push_back(std::move(feature));
}

void parse_set(Parser& parser, const GrammarLine& line) {
  parser.need_fields(line, 3, "set NAME VALUE ...");
  const std::string& first = line.fields[2];
  const Named& named = parser.lookup(line, first.substr(0, first.find('/')));
  if (named.values == 0) parser.fail(line.number, fmt::format("{} is no value of a feature", first));
  const size_t feature = named.feature;
  Values values = 0;
  for (size_t i = 2; i < line.fields.size(); ++i) values |= parser.parse_values(line, line.fields[i], feature);
  parser.add_name(line, line.fields[1], {Meaning::set, feature, values, feature});
}

void parse_phonology(Parser& parser, const GrammarLine& line) {
  const std::string& word = line.fields[0];
  parser.need_fields(line, 3, fmt::format("{} LANGUAGE ...", word));
  Phonology& phonology = parser.grammar.phonology[parser.side(line, line.fields[1])];
  if (word == "vowels") {
    phonology.vowels = line.fields[2];
    if (line.fields.size() == 3) return;
    if (line.fields[3] != "except") parser.fail(line.number, "expected vowels LANGUAGE LETTERS except WORD ...");
    phonology.exceptions.assign(line.fields.begin() + 4, line.fields.end());
  } else if (word == "before-vowel") {
    parser.need_fields(line, 4, "before-vowel LANGUAGE WORD CHANGED");
    if (!phonology.elisions.emplace(line.fields[2], Elision{line.fields[3], parser.trailing_tags(line, 4)}).second) {
      parser.fail(line.number, fmt::format("{} changes before a vowel in two ways", line.fields[2]));
    }
  } else {
    parser.need_fields(line, 5, "contract LANGUAGE FIRST SECOND JOINED");
    phonology.contractions.push_back({line.fields[2], line.fields[3], line.fields[4], parser.trailing_tags(line, 5)});
  }
}

}  // namespace

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
    parser.fail(line.number,
                fmt::format("{} begins no kind of line; expected languages, start, feature, set, category, "
                            "class, table, paradigm, vowels, before-vowel, contract, reserve, or the upper-case "
                            "name of a category or class",
                            in_quotes(word)));
  }
}

std::vector<size_t> parse_signature(const Parser& parser, const GrammarLine& line, const std::string& text,
                                    std::string& name) {
  const GrammarHead head = parser.parse_head({line.number, false, {text}});
  name = head.name;
  std::vector<size_t> features;
  for (const std::string& argument : head.arguments) {
    const std::optional<size_t> feature = parser.variable_feature(argument);
    if (!feature) parser.fail(line.number, fmt::format("{} is not a feature", argument));
    features.push_back(*feature);
  }
  return features;
}

}  // namespace softalign::data
