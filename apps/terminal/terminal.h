// The terminal: whether there is one, its colours and width, and text wrapped to lines that fit.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

enum class Colours { none, grey256, truecolor, grey256_on_light, truecolor_on_light };
bool is_truecolor(Colours colours);
bool is_light(Colours colours);  // for a terminal with a light background

// --color. automatic: colours on a terminal, none if NO_COLOR is set (no-color.org) or TERM is "dumb"; for a light
// background if the terminal has one (apps/terminal/background.h). light and dark: colours for that background.
enum class UseColour { automatic, always, never, light, dark };
constexpr auto names_of(UseColour) {
  return std::to_array<std::pair<const char*, UseColour>>({{"auto", UseColour::automatic},
                                                           {"always", UseColour::always},
                                                           {"never", UseColour::never},
                                                           {"light", UseColour::light},
                                                           {"dark", UseColour::dark}});
}
extern const char* const color_help;

// Truecolor if COLORTERM says "truecolor" or "24bit", else the grey ramp of the 256-colour palette.
Colours choose_colours(UseColour choice, bool is_terminal);

bool is_terminal(int file_descriptor);
bool is_dumb_terminal();  // TERM says that it knows no escape sequences at all
// The columns of the terminal of the file descriptor; or the value of COLUMNS; or `otherwise`.
std::size_t terminal_columns(int file_descriptor, std::size_t otherwise = 100);

// The text in an SGR style ("1": bold, "38;5;32": a blue), or unchanged if there are no colours.
std::string paint(const std::string& style, const std::string& text, Colours colours);
std::string bold(const std::string& text, Colours colours);
std::string dim(const std::string& text, Colours colours);

// The text with every control character and every character that reorders text made visible as U+FFFD, so that a word
// of a corpus cannot command the terminal.
std::string printable(const std::string& text);

// The text cut to `columns` of display width, its last column "…" if something was cut.
std::string clip(const std::string& text, std::size_t columns);
// The text followed by, preceded by, or between spaces, so that it fills `columns`.
std::string pad_right(const std::string& text, std::size_t columns);
std::string pad_left(const std::string& text, std::size_t columns);
std::string centre(const std::string& text, std::size_t columns);

// If the caller has closed a standard stream, the next opened file would take its number, and output would go into that
// file. Therefore the stream is opened for reading, so that writing to it fails as before.
void occupy_standard_streams();

// The words of the text, whatever white space is between them, in lines of at most `columns` of display width; a longer
// word has a line to itself. One empty line for a text without words.
std::vector<std::string> wrap(const std::string& text, std::size_t columns);
std::string wrapped(const std::string& text, std::size_t columns);  // these lines, each with its end

// A label in its own column and a wrapped text to its right. If the label is too wide, the text is below it.
//     --hidden N          size of the recurrent states
//                         [128]
std::string labelled(const std::string& label, const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace softalign::apps
