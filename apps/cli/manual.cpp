#include "apps/cli/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "apps/terminal/terminal.h"
#include "data/io/choice.h"

namespace softalign::apps {

std::vector<Group> groups(const Manual& manual) {
  std::vector<Group> found;
  for (const Entry& entry : manual.entries) {
    const std::string& heading = entry.option.group;
    const auto same = [&](const Group& group) { return group.first == heading; };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back({heading, {}});
    std::find_if(found.begin(), found.end(), same)->second.push_back(entry);
  }
  std::stable_partition(found.begin(), found.end(), [](const Group& group) { return group.first != general; });
  return found;
}

bool is_list(const Entry& entry) {
  return std::holds_alternative<std::vector<std::string>*>(entry.option.field) ||
         std::holds_alternative<std::vector<std::size_t>*>(entry.option.field);
}

bool is_flag(const Entry& entry) { return std::holds_alternative<bool*>(entry.option.field); }

std::string value_name(const Entry& entry) {
  const models::Field& field = entry.option.field;
  if (is_flag(entry)) return "";
  if (std::holds_alternative<std::vector<std::size_t>*>(field)) return "N,N,..";
  if (entry.option.rule.commas) return "LIST";
  if (!entry.option.rule.names.empty()) return "NAME";
  if (std::holds_alternative<double*>(field)) return "X";
  const bool is_text =
      std::holds_alternative<std::string*>(field) || std::holds_alternative<std::vector<std::string>*>(field);
  return is_text ? "TEXT" : "N";
}

std::string about(const Entry& entry, bool range) {
  const models::Rule& rule = entry.option.rule;
  std::string text = entry.option.help;
  const auto unsaid = [&](const std::string& name) {
    return text.find(fmt::format("`{}`", name)) == std::string::npos;
  };
  if (std::any_of(rule.names.begin(), rule.names.end(), unsaid))
    text += fmt::format(". Values: {}", fmt::join(rule.names, ", "));
  if (range && rule.names.empty() && std::isfinite(rule.lowest)) {
    const std::string also = rule.also.empty() ? "" : fmt::format(", or the word {}", rule.also.front());
    text += fmt::format(" ({} to {}{})", rule.lowest, rule.highest, also);
  }
  if (rule.repeated) text += "; may be given several times";
  if (rule.required) return text + " (required)";
  // Some help texts describe a default that depends on other options or on the data.
  const bool shows_default = !entry.preset.empty() && text.find("Default: ") == std::string::npos;
  return shows_default ? fmt::format("{} [{}]", text, entry.preset) : text;
}

std::vector<std::string> spellings(const Entry& entry, bool others) {
  if (entry.is_word) return {};
  const std::string& name = entry.option.name;
  std::vector<std::string> all{"--" + name};
  if (name == "help") all.insert(all.begin(), "-h");
  if (entry.is_pair) all.push_back("--no-" + name);
  if (others)
    for (const std::string& other : models::other_names(name)) all.push_back("--" + other);
  return all;
}

std::string usage_of(const Entry& word) {
  const std::string name = word.option.name + (is_list(word) ? "..." : "");
  return word.option.rule.required ? name : fmt::format("[{}]", name);
}

Example example_of(const Manual& manual, const std::string& text) {
  const std::size_t gap = std::min(text.find("  "), text.size());
  const std::size_t after = std::min(text.find_first_not_of(' ', gap), text.size());
  Example example{text.substr(0, gap), text.substr(after)};
  const std::string piped = "| " + manual.program + " ";
  const std::string command = example.command + " ";
  if (command.rfind(manual.program + " ", 0) == 0) {
    example.command.replace(0, manual.program.size(), manual.called);
  } else if (const std::size_t at = command.find(piped); at != std::string::npos) {
    example.command.replace(at + 2, manual.program.size(), manual.called);
  }
  return example;
}

namespace {

std::string label_of(const Entry& entry, bool all) {
  const std::string value = value_name(entry);
  if (entry.is_word) return fmt::format("  {}", entry.option.name);
  const std::string names = entry.is_pair && !all ? fmt::format("--[no-]{}", entry.option.name)
                                                  : fmt::format("{}", fmt::join(spellings(entry, all), ", "));
  return value.empty() ? fmt::format("  {}", names) : fmt::format("  {} {}", names, value);
}

// In a narrow terminal, the help texts start further to the left, so that they have enough columns.
std::string options_text(const std::vector<Entry>& entries, bool all, std::size_t columns) {
  const std::size_t indent = columns < 70 ? 22 : 28;
  std::string text;
  for (const Entry& entry : entries) text += labelled(label_of(entry, all), about(entry, all), indent, columns);
  return text;
}

// A command that is too long continues on the next line after a backslash, as a shell requires. Its comment is above
// it.
std::string example_text(const Manual& manual, const std::string& written, std::size_t columns) {
  const auto [command, comment] = example_of(manual, written);
  const std::string line = comment.empty() ? "  " + command : fmt::format("  {:<40}  # {}", command, comment);
  if (line.size() <= columns) return line + "\n";
  std::string text;
  for (const std::string& part : wrap(comment, columns - 4))
    if (!part.empty()) text += fmt::format("  # {}\n", part);
  return text + fmt::format("  {}\n", fmt::join(wrap(command, columns - 8), " \\\n      "));
}

}  // namespace

std::string help_text(const Manual& manual, bool all, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 40);
  const std::string heading = "Usage: ", indent(heading.size(), ' ');
  const std::vector<std::string> usage = wrap(manual.called + " " + manual.arguments, columns - heading.size());
  std::string text =
      fmt::format("{}{}\n\n{}", heading, fmt::join(usage, "\n" + indent), wrapped(manual.description, columns));
  std::size_t left_out = 0;
  const auto hidden = [&](const Entry& entry) {
    const std::vector<std::string>& first = manual.first;
    return !all && !first.empty() && entry.option.group != general &&
           std::find(first.begin(), first.end(), entry.option.name) == first.end();
  };
  for (auto [group, entries] : groups(manual)) {
    left_out += std::erase_if(entries, hidden);
    if (!entries.empty()) text += fmt::format("\n{}:\n{}", group, options_text(entries, all, columns));
  }
  if (left_out > 0)
    text += "\n" + wrapped(fmt::format("{} --help-all shows {} more options.", manual.called, left_out), columns);
  text += "\nExamples:\n";
  for (const std::string& example : manual.examples) text += example_text(manual, example, columns);
  for (const std::string& note : manual.notes) text += "\n" + wrapped(note, columns);
  return text;
}

namespace {

// Returns text that troff prints unchanged. A hyphen can be copied, and a backslash starts no escape sequence. A dot or
// an apostrophe at the start of a line starts no request.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') safe += "\\e";
    else if (c == '-') safe += "\\-";
    else if (c == '\n') safe += ' ';
    else safe += c;
  }
  return !safe.empty() && (safe[0] == '.' || safe[0] == '\'') ? "\\&" + safe : safe;
}

std::string bold(const std::string& text) { return fmt::format("\\fB{}\\fR", plain(text)); }

std::string entry_text(const Entry& entry) {
  std::vector<std::string> names;
  for (const std::string& spelling : spellings(entry, true)) names.push_back(bold(spelling));
  if (entry.is_word) names.push_back(bold(entry.option.name));
  const std::string value = value_name(entry);
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                     value.empty() || entry.is_word ? "" : fmt::format(" \\fI{}\\fR", value),
                     plain(about(entry, true)));
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string man_page(const Manual& manual) {
  std::string text =
      fmt::format(".TH {} 1 \"\" \"softalign {}\" \"softalign\"\n", plain(upper(manual.called)), SOFTALIGN_VERSION);
  const std::string summary = manual.description.substr(0, manual.description.find_first_of(".:;"));
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(manual.called), plain(summary));
  text += fmt::format(".SH SYNOPSIS\n{} {}\n", bold(manual.called), plain(manual.arguments));
  text += fmt::format(".SH DESCRIPTION\n{}\n", plain(manual.description));
  for (const std::string& note : manual.notes) text += fmt::format(".PP\n{}\n", plain(note));
  text += ".SH OPTIONS\n";
  for (const auto& [heading, entries] : groups(manual)) {
    text += fmt::format(".SS {}\n", heading);
    for (const Entry& entry : entries) text += entry_text(entry);
  }
  text +=
      ".SH EXIT STATUS\nThe exit status is 0 after success, 1 for bad data, 2 for wrong usage, and 130 after a "
      "stop.\n.SH EXAMPLES\n";
  for (const std::string& written : manual.examples) {
    const auto [command, comment] = example_of(manual, written);
    text += fmt::format(".PP\n{}.nf\n{}\n.fi\n", comment.empty() ? "" : plain(comment) + "\n", plain(command));
  }
  return text + ".SH SEE ALSO\n\\fBsoftalign\\fR(1)\n";
}

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Returns the text as one word for bash and zsh.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// Returns the first clause of the help text, because a list of options has little space.
std::string brief(const Entry& entry) { return entry.option.help.substr(0, entry.option.help.find(';')); }

std::string values_of(const Entry& entry) { return fmt::format("{}", fmt::join(entry.option.rule.names, " ")); }

bool takes_any_text(const Entry& entry) { return value_name(entry) == "TEXT" || value_name(entry) == "LIST"; }

}  // namespace

std::string quoted_for_fish(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// The result has a function like _softalign_train() { case $3 in --model) ... }. In this function, $2 is the word to
// complete, and $3 is the word before it.
std::string bash_completion(const Manual& manual) {
  const std::string function = "_" + replaced(manual.called, "-", "_");
  std::string names, cases, words, files;
  for (const Entry& entry : manual.entries) {
    const std::vector<std::string> all = spellings(entry, false);
    for (const std::string& name : all) names += (names.empty() ? "" : " ") + name;
    if (entry.is_word && entry.option.rule.names.empty()) files = "; compgen -f -- \"$2\"";
    else if (entry.is_word) words += " " + values_of(entry);
    if (entry.is_word || is_flag(entry)) continue;
    const std::string reply = takes_any_text(entry) && entry.option.rule.names.empty()
                                  ? "compgen -f -- \"$2\""
                                  : fmt::format("compgen -W {} -- \"$2\"", quoted(values_of(entry)));
    cases += fmt::format("    {}) mapfile -t COMPREPLY < <({}) ;;\n", fmt::join(all, "|"), reply);
  }
  return fmt::format(
      "# bash completion of {0}\n{1}() {{\n  case $3 in\n{2}"
      "    *) mapfile -t COMPREPLY < <(compgen -W {3} -- \"$2\"{4}) ;;\n  esac\n}}\ncomplete -o filenames -F {1} {0}\n",
      manual.called, function, cases, quoted(names + words), files);
}

// An option becomes a specification such as '--model[help]:NAME:(rnnsearch luong)'.
std::string zsh_completion(const Manual& manual) {
  std::string specs;
  const auto safe = [](std::string text) {
    for (const char* c : {"[", "]", ":"}) text = replaced(text, c, std::string("\\") + c);
    return text;
  };
  for (const Entry& entry : manual.entries) {
    const std::string values = entry.option.rule.names.empty() ? "" : fmt::format("({})", values_of(entry));
    const std::string action = takes_any_text(entry) && values.empty() ? "_files" : values;
    const char* start = is_list(entry) ? "*:" : entry.option.rule.required ? ":" : "::";
    if (entry.is_word) specs += " \\\n  " + quoted(fmt::format("{}{}:{}", start, entry.option.name, action));
    for (const std::string& name : spellings(entry, false)) {
      const std::string value = is_flag(entry) ? "" : fmt::format(":{}:{}", value_name(entry), action);
      specs += " \\\n  " + quoted(fmt::format("{}{}[{}]{}", entry.option.rule.repeated ? "*" : "", name,
                                              safe(brief(entry)), value));
    }
  }
  return fmt::format("#compdef {}\n_arguments{}\n", manual.called, specs);
}

std::string fish_completion(const Manual& manual) {
  std::string lines = fmt::format("# fish completion of {}\n", manual.called);
  for (const Entry& entry : manual.entries) {
    const std::string start = fmt::format("complete -c {}", manual.called);
    const std::string values = fmt::format(" -a {}", quoted_for_fish(values_of(entry)));
    if (entry.is_word && !entry.option.rule.names.empty()) lines += fmt::format("{} -f{}\n", start, values);
    for (const std::string& name : spellings(entry, false)) {
      const std::string value = is_flag(entry)                     ? ""
                                : !entry.option.rule.names.empty() ? " -x" + values
                                : takes_any_text(entry)            ? " -r"
                                                                   : " -x";
      lines += fmt::format("{} {}{} -d {}\n", start, name == "-h" ? "-s h" : "-l " + name.substr(2), value,
                           quoted_for_fish(brief(entry)));
    }
  }
  return lines;
}

namespace {

using Write = std::string (*)(const Manual&);

const data::Choice<Write>& forms() {
  static const data::Choice<Write> choice(
      "form", {{"man", man_page}, {"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}});
  return choice;
}

}  // namespace

const std::vector<std::string>& generated_forms() { return forms().names(); }

std::string generate(const Manual& manual, const std::string& form) {
  Manual installed = manual;
  installed.called = "softalign-" + manual.program;
  return forms().at(form)(installed);
}

}  // namespace softalign::apps
