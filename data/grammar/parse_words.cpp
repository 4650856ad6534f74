#include "data/grammar/internal/parse_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "data/io/fields.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

// parse_forms reads the fields first .. last-1 of a lexeme. They are `count` forms, or fewer forms and one
// stem+paradigm that supplies the missing forms.
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

}  // namespace

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

void parse_class(Parser& parser, std::size_t& position) {
  const GrammarLine& line = parser.lines[position];
  parser.need_fields(line, 2, "class NAME[feature ...]");
  WordClass words;
  words.features = parse_signature(parser, line, line.fields[1], words.name);
  words.line = line.number;
  for (const Side on : {source_side, target_side}) {
    const GrammarLine& side = parser.next_side(
        position, line, on, fmt::format("class {} needs two indented lines with the names of its forms", words.name));
    const std::vector<std::string>& forms = side.fields;
    words.form_count[on] = forms.size() - 1;
    for (std::size_t i = 1; i < forms.size(); ++i) {
      for (const std::string& name : split_fields(forms[i], "/")) {
        if (!words.form_names[on].emplace(name, i - 1).second) {
          parser.fail(side.number, fmt::format("class {} has form {} twice", words.name, name));
        }
      }
    }
  }
  parser.add_name(line, words.name, {Meaning::word_class, parser.grammar.classes.size()});
  parser.grammar.classes.push_back(std::move(words));
}

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

}  // namespace softalign::data
