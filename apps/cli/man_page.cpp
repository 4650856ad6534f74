#include "apps/cli/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace softalign::apps {

namespace {

// Text that troff takes for nothing else: a hyphen that can be copied, no escape, no request at a line's start.
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
  text += ".SH EXIT STATUS\n0 done, 1 a mistake in what was brought, 2 wrong usage, 130 interrupted.\n.SH EXAMPLES\n";
  for (const std::string& written : manual.examples) {
    const auto [command, comment] = example_of(manual, written);
    text += fmt::format(".PP\n{}.nf\n{}\n.fi\n", comment.empty() ? "" : plain(comment) + "\n", plain(command));
  }
  return text + ".SH SEE ALSO\n\\fBsoftalign\\fR(1)\n";
}

}  // namespace softalign::apps
