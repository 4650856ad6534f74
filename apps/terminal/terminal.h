// This file finds out whether there is a terminal, and which colours and width it has. It also wraps text to lines that
// fit.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

enum class Colours { none, grey256, truecolor, grey256_on_light, truecolor_on_light };
bool is_truecolor(Colours colours);
bool is_light(Colours colours);  // true if the colours are for a light background

// UseColour is the value of --color. `automatic` uses colours on a terminal, but not if NO_COLOR is set (no-color.org)
// or TERM is "dumb". If the terminal has a light background (apps/terminal/background.h), it uses colours for a light
// background. `light` and `dark` use colours for a light or a dark background.
enum class UseColour { automatic, always, never, light, dark };
constexpr auto names_of(UseColour) {
  return std::to_array<std::pair<const char*, UseColour>>({{"auto", UseColour::automatic},
                                                           {"always", UseColour::always},
                                                           {"never", UseColour::never},
                                                           {"light", UseColour::light},
                                                           {"dark", UseColour::dark}});
}
extern const char* const color_help;

// Returns the colours to draw with, or Colours::none for a drawing without colours. The colours are 24-bit colours if
// COLORTERM is "truecolor" or "24bit", and otherwise the grey ramp of the 256-colour palette.
Colours choose_colours(UseColour choice, bool is_terminal);

bool is_terminal(int file_descriptor);
bool is_dumb_terminal();  // TERM is "dumb": the terminal knows no escape sequences at all
// Returns the number of columns of the terminal of the file descriptor. If the file is not a terminal, the result is
// the value of COLUMNS, or `otherwise` if COLUMNS is not set.
std::size_t terminal_columns(int file_descriptor, std::size_t otherwise = 100);

// Returns the text in an SGR style, for example "1" for bold or "38;5;32" for a blue. Without colours, the text does
// not change.
std::string paint(const std::string& style, const std::string& text, Colours colours);
std::string bold(const std::string& text, Colours colours);
std::string dim(const std::string& text, Colours colours);

// Returns the text with every control character and every character that reorders text replaced by U+FFFD. Therefore a
// word of a corpus cannot control the terminal.
std::string printable(const std::string& text);

// Cuts the text to a display width of `columns`. If something was cut, the last column is "…".
std::string clip(const std::string& text, std::size_t columns);
// These functions add spaces after the text, before it, or on both sides, until it is `columns` wide.
std::string pad_right(const std::string& text, std::size_t columns);
std::string pad_left(const std::string& text, std::size_t columns);
std::string centre(const std::string& text, std::size_t columns);

// A caller may start the program with a closed standard stream. Then the next file that the program opens would get the
// number of this stream, and output would go into the file. Therefore this function opens each closed stream. It opens
// the stream only for reading, so writing to it still fails.
void occupy_standard_streams();

// Wraps the words of the text into lines that are at most `columns` wide. White space between words does not matter. A
// word that is wider than `columns` has its own line. A text without words gives one empty line.
std::vector<std::string> wrap(const std::string& text, std::size_t columns);
std::string wrapped(const std::string& text, std::size_t columns);  // returns the lines of wrap(), each with a newline

// Returns a label in its own column, with a wrapped text to its right. If the label is too wide, the text is below it.
// For example:
//     --hidden N          size of the recurrent states
//                         [128]
std::string labelled(const std::string& label, const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace softalign::apps
