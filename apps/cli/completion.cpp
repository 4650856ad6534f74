#include "apps/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace softalign::apps {

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// As one word, for bash and zsh.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// The first clause: a list of options is no place for more.
std::string brief(const Entry& entry) { return entry.option.help.substr(0, entry.option.help.find(';')); }

std::string values_of(const Entry& entry) { return fmt::format("{}", fmt::join(entry.option.rule.names, " ")); }

bool takes_any_text(const Entry& entry) { return value_name(entry) == "TEXT" || value_name(entry) == "LIST"; }

}  // namespace

std::string quoted_for_fish(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// _softalign_train() { case $3 in --model) ... }: $2 is the word to complete, $3 the one before it.
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

// '--model[help]:NAME:(rnnsearch luong)'
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

}  // namespace softalign::apps
