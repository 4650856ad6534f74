#include "apps/cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/terminal/wrap.h"

namespace softalign::apps {

namespace {

std::string paragraph(const std::string& text, std::size_t columns) {
  return fmt::format("{}\n", fmt::join(wrap(text, columns), "\n"));
}

std::string label_of(const Entry& entry, bool all) {
  const std::string value = value_name(entry);
  if (entry.is_word) return fmt::format("  {}", entry.option.name);
  const std::string names = entry.is_pair && !all ? fmt::format("--[no-]{}", entry.option.name)
                                                  : fmt::format("{}", fmt::join(spellings(entry, all), ", "));
  return value.empty() ? fmt::format("  {}", names) : fmt::format("  {} {}", names, value);
}

// Options whose help is too far to the right to be read are rather wrapped.
std::string options_text(const std::vector<Entry>& entries, bool all, std::size_t columns) {
  const std::size_t indent = columns < 70 ? 22 : 28;
  std::string text;
  for (const Entry& entry : entries) text += beside(label_of(entry, all), about(entry, all), indent, columns);
  return text;
}

// A command that is too long goes on in the next line as a shell accepts it, its comment above.
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
  std::string text =
      fmt::format("Usage: {} {}\n\n{}", manual.called, manual.arguments, paragraph(manual.description, columns));
  std::size_t left_out = 0;
  const auto hidden = [&](const Entry& entry) {
    const std::vector<std::string>& first = manual.first;
    return !all && !first.empty() && entry.option.group != general &&
           std::find(first.begin(), first.end(), entry.option.name) == first.end();
  };
  for (auto [heading, entries] : groups(manual)) {
    left_out += std::erase_if(entries, hidden);
    if (!entries.empty()) text += fmt::format("\n{}:\n{}", heading, options_text(entries, all, columns));
  }
  if (left_out > 0) text += fmt::format("\n{} --help-all shows {} more options.\n", manual.called, left_out);
  text += "\nExamples:\n";
  for (const std::string& example : manual.examples) text += example_text(manual, example, columns);
  for (const std::string& note : manual.notes) text += "\n" + paragraph(note, columns);
  return text;
}

}  // namespace softalign::apps
