#include "apps/terminal/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "apps/terminal/background.h"
#include "data/corpus/corpus.h"
#include "data/io/unicode.h"

namespace softalign::apps {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::size_t room(const std::string& text, std::size_t columns) {
  const std::size_t width = data::display_width(text);
  return width < columns ? columns - width : 0;
}

}  // namespace

bool is_truecolor(Colours colours) { return colours == Colours::truecolor || colours == Colours::truecolor_on_light; }
bool is_light(Colours colours) {
  return colours == Colours::grey256_on_light || colours == Colours::truecolor_on_light;
}

const char* const color_help =
    "when to use colours. `auto`: only on a terminal, whose background the program detects; `always`: also in "
    "files and pipes; `never`: no colours; `light`, `dark`: colours for a light or a dark background";

Colours choose_colours(UseColour choice, bool on_terminal) {
  if (choice == UseColour::never) return Colours::none;
  const bool wanted =
      choice != UseColour::automatic || (on_terminal && environment("NO_COLOR").empty() && !is_dumb_terminal());
  if (!wanted) return Colours::none;
  const std::string depth = environment("COLORTERM");
  const bool truecolor = depth == "truecolor" || depth == "24bit";
  const bool light = choice == UseColour::light || (choice != UseColour::dark && on_terminal && has_light_background());
  if (light) return truecolor ? Colours::truecolor_on_light : Colours::grey256_on_light;
  return truecolor ? Colours::truecolor : Colours::grey256;
}

bool is_terminal(int file_descriptor) {
  // Open MPI gives each of its programs a terminal, even if its own output is not a terminal.
  return isatty(file_descriptor) == 1 && !std::getenv("OMPI_COMM_WORLD_SIZE");
}

bool is_dumb_terminal() { return environment("TERM") == "dumb"; }

std::size_t terminal_columns(int file_descriptor, std::size_t otherwise) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string named = environment("COLUMNS");
  const unsigned long columns = std::strtoul(named.c_str(), nullptr, 10);
  return columns >= 20 && columns <= 10000 ? columns : otherwise;
}

std::string paint(const std::string& style, const std::string& text, Colours colours) {
  return colours == Colours::none || text.empty() ? text : fmt::format("\x1b[{}m{}\x1b[0m", style, text);
}
std::string bold(const std::string& text, Colours colours) { return paint("1", text, colours); }
std::string dim(const std::string& text, Colours colours) { return paint("2", text, colours); }

std::string printable(const std::string& text) {
  std::u32string points = data::decode_utf8(text);
  for (char32_t& c : points) {
    if (data::is_hidden_command(c)) c = 0xfffd;
  }
  return data::encode_utf8(points);
}

std::string clip(const std::string& text, std::size_t columns) {
  // Combining marks have no width and may be endless, so code points are counted too.
  const std::string front = data::shortened(text, 8 * columns + 1);
  if (front.size() == text.size() && data::display_width(text) <= columns) return text;
  if (columns == 0) return "";
  std::string kept;
  std::size_t width = 0, points = 0;
  for (const char32_t c : data::decode_utf8(front)) {
    const std::string point = data::encode_utf8(c);
    width += data::display_width(point);
    if (width > columns - 1 || ++points > 8 * columns) break;
    kept += point;
  }
  return kept + "…";
}

std::string pad_right(const std::string& text, std::size_t columns) {
  return text + std::string(room(text, columns), ' ');
}

std::string pad_left(const std::string& text, std::size_t columns) {
  return std::string(room(text, columns), ' ') + text;
}

std::string centre(const std::string& text, std::size_t columns) {
  const std::size_t spaces = room(text, columns);
  return std::string(spaces / 2, ' ') + text + std::string(spaces - spaces / 2, ' ');
}

void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
}

std::vector<std::string> wrap(const std::string& text, std::size_t columns) {
  std::vector<std::string> lines(1);
  for (const std::string& word : data::split_words(text)) {
    std::string& line = lines.back();
    if (line.empty()) line = word;
    else if (data::display_width(line) + 1 + data::display_width(word) <= columns) line += " " + word;
    else lines.push_back(word);
  }
  return lines;
}

std::string wrapped(const std::string& text, std::size_t columns) {
  std::string lines;
  for (const std::string& line : wrap(text, columns)) lines += line + "\n";
  return lines;
}

std::string labelled(const std::string& label, const std::string& text, std::size_t indent, std::size_t columns) {
  std::string result;
  std::string margin = label;
  if (data::display_width(label) + 2 > indent) {
    result = label + "\n";
    margin.clear();
  }
  for (const std::string& line : wrap(text, columns - std::min(columns - 1, indent))) {
    result += pad_right(margin, indent) + line + "\n";
    margin.clear();
  }
  return result;
}

}  // namespace softalign::apps
