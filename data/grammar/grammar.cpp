#include "data/grammar/grammar.h"

#include <fmt/format.h>

#include <cctype>

#include "data/grammar/internal/check.h"
#include "data/grammar/internal/declarations.h"
#include "data/grammar/internal/rules.h"
#include "data/grammar/internal/words.h"
#include "data/io/files.h"

namespace softalign::data {
namespace {

// Names may be used above the line that declares their category, so rules and words wait for a second pass.
void parse(Parser& parser) {
  if (parser.lines.empty())
    parser.fail(1, "no rule; a grammar begins with \"languages SOURCE TARGET\" and \"start CATEGORY\"");
  for (size_t i = 0; i < parser.lines.size(); ++i) {
    if (parser.lines[i].fields[0] == "class") {
      parse_class(parser, i);
    } else if (!parser.lines[i].indented) {
      parse_declaration(parser, parser.lines[i]);
    }
  }
  std::string start;
  for (size_t i = 0; i < parser.lines.size(); ++i) {
    const GrammarLine& line = parser.lines[i];
    const std::string& word = line.fields[0];
    if (word == "class") {
      i += 2;  // its two lines of forms
    } else if (word == "start") {
      parser.need_fields(line, 2, "start CATEGORY");
      const Named& named = parser.lookup(line, line.fields[1]);
      if (named.meaning != Meaning::category || !parser.grammar.categories[named.number].features.empty()) {
        parser.fail(line.number, fmt::format("{} is not a category without features", line.fields[1]));
      }
      parser.grammar.start = named.number;
      start = word;
    } else if (line.indented) {
      parser.fail(line.number, "an indented line that belongs to no rule and no class");
    } else if (std::isupper(static_cast<unsigned char>(word[0]))) {
      const GrammarHead head = parser.parse_head(line);
      if (parser.lookup(line, head.name).meaning == Meaning::word_class) {
        parse_lexeme(parser, line);
      } else {
        parse_rule(parser, i);
      }
    }
  }
  if (start.empty()) parser.fail(parser.lines.back().number, "no start category; add a line \"start CATEGORY\"");
  check_grammar(parser.grammar);
}

}  // namespace

std::string Grammar::at(size_t line) const { return fmt::format("{}:{}: ", file, line); }

std::string form_name(const Grammar& grammar, const Rule& rule, const FormName& form,
                      const std::vector<size_t>& assignment) {
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

size_t form_index(const Grammar& grammar, const Rule& rule, const Item& item, const std::vector<size_t>& values,
                  Side side) {
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
