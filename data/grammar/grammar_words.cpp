// Words of a grammar: tables, classes, paradigms and lexemes.
#include <fmt/format.h>

#include <algorithm>

#include "data/grammar/grammar_parser.h"

namespace data {
namespace {

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

Spelling GrammarParser::parse_spelling(const GrammarLine& line, const std::string& text) const {
  const std::vector<std::string> parts = split_at(text, '|');
  const bool one_empty = std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (parts.size() > 2 || one_empty) {
    fail(line.number, fmt::format("\"{}\" is no word; expected WORD or WORD|BEFORE_VOWEL", text));
  }
  return {parts[0], parts.size() == 2 ? parts[1] : ""};
}

// table NAME form/form=word ...
void GrammarParser::parse_table(const GrammarLine& line) {
  need_fields(line, 3, "table NAME form=word ...");
  Table table{line.fields[1], {}};
  for (size_t i = 2; i < line.fields.size(); ++i) {
    const std::vector<std::string> parts = split_at(line.fields[i], '=');
    if (parts.size() != 2) fail(line.number, fmt::format("\"{}\": expected form=word", line.fields[i]));
    for (const std::string& form : split_at(parts[0], '/')) {
      if (!table.forms.emplace(form, parse_spelling(line, parts[1])).second) {
        fail(line.number, fmt::format("table {} has form {} twice", table.name, form));
      }
    }
  }
  const size_t number = grammar_.tables.size();
  if (!names_.emplace(table_key(table.name), Named{Meaning::table, number}).second) {
    fail(line.number, fmt::format("table {} is declared twice", table.name));
  }
  grammar_.tables.push_back(std::move(table));
}

// class NAME[feature ...], then for each side a line with the names of its forms
void GrammarParser::parse_class(size_t& position) {
  const GrammarLine& line = lines_[position];
  need_fields(line, 2, "class NAME[feature ...]");
  WordClass words;
  words.features = parse_signature(line, line.fields[1], words.name);
  words.line = line.number;
  for (const Side on : {source_side, target_side}) {
    const bool there = ++position < lines_.size() && lines_[position].indented;
    if (!there || side(lines_[position], lines_[position].fields[0]) != on || lines_[position].fields.size() < 2) {
      fail(line.number, fmt::format("class {} needs two indented lines with the names of its forms: \"{} ...\" and "
                                    "\"{} ...\"",
                                    words.name, grammar_.languages[0], grammar_.languages[1]));
    }
    const std::vector<std::string>& forms = lines_[position].fields;
    words.form_count[on] = forms.size() - 1;
    for (size_t i = 1; i < forms.size(); ++i) {
      for (const std::string& name : split_at(forms[i], '/')) {
        if (!words.form_names[on].emplace(name, i - 1).second) {
          fail(lines_[position].number, fmt::format("class {} has form {} twice", words.name, name));
        }
      }
    }
  }
  add_name(line, words.name, {Meaning::word_class, grammar_.classes.size()});
  grammar_.classes.push_back(std::move(words));
}

// paradigm LANGUAGE +name ending ...
void GrammarParser::parse_paradigm(const GrammarLine& line) {
  need_fields(line, 4, "paradigm LANGUAGE +NAME ENDING ...");
  if (line.fields[2][0] != '+') fail(line.number, "the name of a paradigm begins with +");
  std::vector<std::string> endings(line.fields.begin() + 3, line.fields.end());
  for (std::string& ending : endings) {
    if (ending == "-") ending.clear();
  }
  const auto key = std::make_tuple(size_t{side(line, line.fields[1])}, line.fields[2], endings.size());
  if (!paradigms_.emplace(key, endings).second) {
    fail(line.number, fmt::format("paradigm {} with {} endings is declared twice", line.fields[2], endings.size()));
  }
}

// Fields first .. last-1 of a lexeme: `count` forms, or one stem+paradigm that makes up for the forms not given.
std::vector<Spellings> GrammarParser::parse_forms(const GrammarLine& line, size_t first, size_t last, Side of,
                                                  size_t count) const {
  std::vector<Spellings> forms;
  for (size_t i = first; i < last; ++i) {
    const std::string& field = line.fields[i];
    const size_t plus = field.find('+');
    if (plus == std::string::npos) {
      Spellings words;
      for (const std::string& word : split_at(field, '_')) words.push_back(parse_spelling(line, word));
      forms.push_back(std::move(words));
      continue;
    }
    const size_t others = last - first - 1;
    const std::string name = field.substr(plus);
    const auto found = paradigms_.find({of, name, count > others ? count - others : 0});
    if (found == paradigms_.end()) {
      fail(line.number, fmt::format("{}: no paradigm {} with {} endings on this side", field, name,
                                    count - std::min(others, count)));
    }
    for (const std::string& ending : found->second) {
      forms.push_back({parse_spelling(line, field.substr(0, plus) + ending)});
    }
  }
  if (forms.size() != count) {
    fail(line.number, fmt::format("{} {} forms, expected {}", forms.size(), grammar_.languages[of], count));
  }
  return forms;
}

// CLASS[values] *weight @tag forms = forms
void GrammarParser::parse_lexeme(const GrammarLine& line) {
  const GrammarHead head = parse_head(line);
  WordClass& words = grammar_.classes[lookup(line, head.name).number];
  if (head.arguments.size() != words.features.size()) {
    fail(line.number,
         fmt::format("{} has {} features, here are {}", words.name, words.features.size(), head.arguments.size()));
  }
  Lexeme lexeme;
  lexeme.weight = head.weight;
  lexeme.tags = head.tags;
  lexeme.line = line.number;
  for (size_t i = 0; i < head.arguments.size(); ++i) {
    lexeme.features.push_back(parse_values(line, head.arguments[i], words.features[i]));
  }
  const auto equals = std::find(line.fields.begin(), line.fields.end(), "=");
  if (equals == line.fields.end()) fail(line.number, "expected CLASS[features] source forms = target forms");
  const size_t middle = static_cast<size_t>(equals - line.fields.begin());
  lexeme.forms[source_side] = parse_forms(line, head.fields, middle, source_side, words.form_count[source_side]);
  lexeme.forms[target_side] =
      parse_forms(line, middle + 1, line.fields.size(), target_side, words.form_count[target_side]);
  words.lexemes.push_back(std::move(lexeme));
}

}  // namespace data
