#include "data/grammar/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "data/grammar/grammar_parser.h"
#include "data/io/files.h"

namespace data {
namespace {

GrammarLine cut(const std::string& text, size_t number) {
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

std::string table_key(const std::string& name) { return fmt::format("table {}", name); }

GrammarParser::GrammarParser(Grammar& grammar, const std::vector<std::string>& lines) : grammar_(grammar) {
  for (size_t i = 0; i < lines.size(); ++i) {
    GrammarLine line = cut(lines[i], i + 1);
    if (!line.fields.empty()) lines_.push_back(std::move(line));
  }
}

void GrammarParser::fail(size_t line, const std::string& message) const {
  throw std::runtime_error(grammar_.at(line) + message);
}

void GrammarParser::need_fields(const GrammarLine& line, size_t count, const std::string& form) const {
  if (line.fields.size() < count) fail(line.number, fmt::format("expected {}", form));
}

// Names may be used above the line that declares their category, so rules and words wait for a second pass.
void GrammarParser::parse() {
  if (lines_.empty()) fail(1, "no rule; a grammar begins with \"languages SOURCE TARGET\" and \"start CATEGORY\"");
  for (size_t i = 0; i < lines_.size(); ++i) {
    if (lines_[i].fields[0] == "class") {
      parse_class(i);
    } else if (!lines_[i].indented) {
      declare(lines_[i]);
    }
  }
  std::string start;
  for (size_t i = 0; i < lines_.size(); ++i) {
    const GrammarLine& line = lines_[i];
    const std::string& word = line.fields[0];
    if (word == "class") {
      i += 2;  // its two lines of forms
    } else if (word == "start") {
      need_fields(line, 2, "start CATEGORY");
      const Named& named = lookup(line, line.fields[1]);
      if (named.meaning != Meaning::category || !grammar_.categories[named.number].features.empty()) {
        fail(line.number, fmt::format("{} is not a category without features", line.fields[1]));
      }
      grammar_.start = named.number;
      start = word;
    } else if (line.indented) {
      fail(line.number, "an indented line that belongs to no rule and no class");
    } else if (std::isupper(static_cast<unsigned char>(word[0]))) {
      const GrammarHead head = parse_head(line);
      if (lookup(line, head.name).meaning == Meaning::word_class) {
        parse_lexeme(line);
      } else {
        parse_rule(i);
      }
    }
  }
  if (start.empty()) fail(lines_.back().number, "no start category; add a line \"start CATEGORY\"");
  check_grammar(grammar_);
}

Grammar parse_grammar(const std::vector<std::string>& lines, const std::string& name) {
  Grammar grammar;
  grammar.file = name;
  GrammarParser(grammar, lines).parse();
  return grammar;
}

Grammar read_grammar(const std::string& path) { return parse_grammar(read_lines(path), path); }

}  // namespace data
