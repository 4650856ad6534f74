#include "data/corpus/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "data/corpus/links.h"
#include "data/corpus/pharaoh.h"
#include "data/io/commands.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

bool is_number(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

// words_of returns the words of a column, which contains no tab.
std::vector<std::string> words_of(const std::string& column) {
  std::vector<std::string> words = split_fields(column, " ");
  std::erase(words, "");
  return words;
}

// all_words is true if the column has words and `is` accepts all of them.
template <class Is>
bool all_words(const std::string& column, Is is) {
  const std::vector<std::string> words = words_of(column);
  return !words.empty() && std::all_of(words.begin(), words.end(), [&](const std::string& word) { return is(word); });
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string ending_of(const std::string& path) { return lower_case(std::filesystem::path(path).extension().string()); }

bool names_picture(const std::string& column) {
  static const std::set<std::string> endings{".png", ".jpg", ".jpeg", ".ppm", ".pgm"};
  return endings.count(ending_of(column)) > 0;
}

}  // namespace

std::string task_of_line(const std::string& line) {
  std::vector<std::string> columns = split_fields(line, "\t");
  if (columns.size() == 1) return "";
  columns.resize(5);
  if (names_picture(columns[0])) return "captioning";
  if (words_of(columns[2]).empty() || all_words(columns[2], is_link)) return "translation";
  if (columns[0].find(" | ") != std::string::npos || all_words(columns[3], is_number)) return "questions";
  return all_words(columns[3], is_link) ? "entailment" : "";
}

namespace {

std::size_t count(std::string_view text, char c) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
}

// is_tight is true if the character separates columns. In prose, a space follows a comma or a semicolon. In a number
// such as 1,000, there are digits on both sides.
bool is_tight(const std::string& line, char separator) {
  for (std::size_t at = line.find(separator); at != std::string::npos; at = line.find(separator, at + 1))
    if (at > 0 && at + 1 < line.size() && line[at + 1] != ' ' && line[at - 1] != ' ' &&
        !(std::isdigit(static_cast<unsigned char>(line[at - 1])) &&
          std::isdigit(static_cast<unsigned char>(line[at + 1]))))
      return true;
  return false;
}

// Separator is what the line has instead of a tab, as a message names it, and the command that inserts tabs. Without a
// command, only the user knows which of the `several` separators is meant.
struct Separator {
  std::string name, program, several = "separators";
};

// is_same_in_all is true if all lines of the file have as many separators as this line. One command then converts all
// of them. A file that cannot be read again is not checked.
bool is_same_in_all(const std::string& path, const std::string& line,
                    const std::function<std::size_t(std::string_view)>& separators) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return true;
  const std::size_t expected = separators(line);
  const auto fits = [&](const std::string& other) {
    return other.find('\t') != other.npos || words_of(other).empty() || separators(other) == expected;
  };
  try {
    const std::vector<std::string> lines = read_lines(path);
    return std::all_of(lines.begin(), lines.end(), fits);
  } catch (const Error&) {
    return true;  // a later line has another problem, which is reported when this one is solved
  }
}

// where_once returns a sed command that changes only lines with one separator. The user has to separate the other lines
// by hand, and the next call names the first of them.
std::string where_once(const std::string& separator, const std::string& pattern) {
  return fmt::format("sed '/{0}.*{0}/!s/{1}/\\t/'", separator, pattern);
}

// wide_gaps counts the positions with several spaces between words.
std::size_t wide_gaps(std::string_view text) {
  std::size_t gaps = 0;
  for (std::size_t i = text.find_first_not_of(' '); i < text.size();) {
    const std::size_t space = std::min(text.find(' ', i), text.size());
    i = std::min(text.find_first_not_of(' ', space), text.size());
    gaps += i < text.size() && i - space > 1;
  }
  return gaps;
}

// separator_of looks for a separator in the line. Stories (`of_pairs` is false) have | between their sentences, so | is
// not their separator.
std::optional<Separator> separator_of(const std::string& line, const std::string& path, bool of_pairs) {
  const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
  const std::string csv =
      "python3 -c 'import csv, sys; [print(*row, sep=\"\\t\") for row in csv.reader(sys.stdin, "
      "skipinitialspace=True{})]'";
  if (has("|||")) return Separator{"|||, as fast_align's files do,", "sed 's/ *||| */\\t/g'"};
  if (has("<TAB>") || has("<tab>")) return Separator{"the word <TAB>", "sed 's/<TAB>/\\t/Ig'"};
  if (has("\\t")) return Separator{"a backslash and the letter t", "sed 's/\\\\t/\\t/g'"};
  const bool named_csv = ending_of(path) == ".csv";
  for (const auto& [separator, name] : {std::pair{',', "a comma"}, {';', "a semicolon"}}) {
    const bool quoted = line.starts_with('"') && (has(fmt::format("\"{}\"", separator).c_str()) ||
                                                  has(fmt::format("\"{} \"", separator).c_str()));
    if (!quoted && !is_tight(line, separator) && !(named_csv && count(line, separator) > 0)) continue;
    const bool once = !quoted && count(line, separator) == 1;
    const char* delimiter = separator == ';' ? ", delimiter=\";\"" : "";
    const auto separators = [sign = separator](std::string_view text) { return count(text, sign); };
    if (!quoted && !is_same_in_all(path, line, separators))
      return Separator{fmt::format("{}, as a CSV file does,", name), "", separator == ',' ? "commas" : "semicolons"};
    return Separator{fmt::format("{}, as a CSV file does,", name),
                     once ? where_once(fmt::format("{}", separator), fmt::format("{} *", separator))
                          : fmt::format(fmt::runtime(csv), delimiter)};
  }
  if (of_pairs && count(line, '|') == 1) {
    const bool same = is_same_in_all(path, line, [](std::string_view text) { return count(text, '|'); });
    return Separator{"the character |", same ? where_once("|", " *| *") : "", "characters |"};
  }
  const std::size_t spaces = line.find("  ");
  if (spaces != std::string::npos && spaces > 0 && line.find_first_not_of(' ', spaces) != std::string::npos)
    return Separator{"several spaces", is_same_in_all(path, line, wide_gaps) ? "sed '/  .*[^ ]  /!s/  \\+/\\t/'" : "",
                     "such gaps"};
  return std::nullopt;
}

// converted_name returns the name for a copy of the file with tabs.
std::string converted_name(const std::string& path) {
  std::filesystem::path name(path);
  if (ending_of(path) == ".gz") name.replace_extension();
  if (ending_of(name.string()) == ".tsv") return name.replace_extension("tabs.tsv").string();
  static const std::set<std::string> replaced{".csv", ".txt"};
  if (replaced.count(ending_of(name.string())) > 0) name.replace_extension();
  return name.string() + ".tsv";
}

// other_format returns a sentence about a file that is not a table, or "" if the format is unknown.
std::string other_format(const std::string& line, const std::string& path) {
  const std::string begin = lower_case(line.substr(0, 200));
  const auto has = [&](const char* text) { return begin.find(text) != std::string::npos; };
  const std::size_t at = begin.find_first_not_of(' ');
  const char first = at == std::string::npos ? ' ' : begin[at];
  if (begin.starts_with("{\\rtf")) return "The file is an RTF document. Save it as plain text in UTF-8";
  if (has("<!doctype html") || has("<html"))
    return "The file is a web page, perhaps an error page that was downloaded instead of the file. Download the file "
           "again";
  if (has("<?xml") || has("<tmx") || has("<srcset") || has("<refset"))
    return "The file looks like XML, for example TMX or SGML. First extract the sentences from it, one pair per line";
  if (begin.starts_with("version https://git-lfs"))
    return "The file is a pointer of Git LFS. Run git lfs pull to get the real file";
  if (has("\"schema\":\"softalign/1\""))
    return fmt::format(
        "The file has alignment records in JSON. To show them: {0} --in {2}. To convert them: {1} {2} "
        "--format pharaoh",
        command("view"), command("convert"), shell_word(path));
  const char* json = "The file looks like JSON. First extract the sentences from it, one pair per line";
  if (first == '{' && has("\":")) return json;
  if (begin.starts_with("[{") || begin.starts_with("[\"") || begin == "[" || begin == "{") return json;
  return "";
}

// conversion returns the command that inserts tabs into the file. A .tsv file keeps its name, so that the user can
// repeat the same call.
std::string conversion(const std::string& program, const std::string& path) {
  const std::string file = shell_word(path);
  const bool is_sed = program.starts_with("sed "), packed = ending_of(path) == ".gz";
  if (is_sed && ending_of(path) == ".tsv")
    return fmt::format("This command writes tabs into the file, and keeps the old file as {}.bak:\nsed -i.bak {} {}",
                       path, program.substr(std::string("sed ").size()), file);
  const std::string made = shell_word(converted_name(path));
  const std::string head = fmt::format("This command writes {}, with tabs:\n", made);
  if (packed) return fmt::format("{}zcat {} | {} > {}", head, file, program, made);
  return fmt::format("{}{}{} {} > {}", head, program, is_sed ? "" : " <", file, made);
}

}  // namespace

void put_tabs(std::vector<std::string>& lines, const std::string& path) {
  const auto has = [](const std::string& line, const char* text) { return line.find(text) != std::string::npos; };
  const auto first = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return !words_of(line).empty(); });
  if (first == lines.end() || has(*first, "\t") || !has(*first, "|||")) return;
  for (auto line = first; line != lines.end(); ++line) {
    if (words_of(*line).empty()) continue;
    if (has(*line, "\t") || !has(*line, "|||"))
      fail(fmt::format("{}:{}", path, line - lines.begin() + 1),
           fmt::format("the line has {}. The first line of this file separates the sides by |||, as fast_align's files "
                       "do, so the form must be source ||| target",
                       has(*line, "\t") ? "a tab" : "no |||"));
    std::vector<std::string> columns = split_fields(*line, "|||");
    for (std::string& column : columns) {
      column.erase(0, column.find_first_not_of(' '));
      column.erase(column.find_last_not_of(' ') + 1);
    }
    *line = fmt::format("{}", fmt::join(columns, "\t"));
  }
}

std::string missing_tab(const std::string& line, const std::string& where, const std::string& expected) {
  const std::size_t colon = where.rfind(':');
  const std::string path = where.substr(0, colon);
  const bool of_pairs = expected.starts_with("the form must be source");
  const bool first = where.substr(std::min(colon, where.size())) == ":1";
  std::string text = fmt::format("{}: the line has no tab; {}", where, expected);
  if (const std::string other = first ? other_format(line, path) : ""; !other.empty())
    return fmt::format("{}. {}", text, other);
  if (const auto separator = separator_of(line, path, of_pairs)) {
    text += fmt::format(". The line has {} instead of the tab", separator->name);
    if (!first) return text;
    if (separator->program.empty())
      return text + fmt::format(
                        ". Some lines have several {}, and only you can tell which one separates the sentences. Put "
                        "the tabs into the file by hand, or export it again with tabs",
                        separator->several);
    return text + fmt::format(". {}", conversion(separator->program, path));
  }
  if (!first || !of_pairs) return text;
  return text +
         ". If the translations are in their own file, use --source and --target. For text in one "
         "language, train a language model: train --task language-model";
}

std::string too_many_columns(const std::vector<std::string>& columns, std::size_t most, const std::string& where,
                             const std::string& expected) {
  const std::string file = shell_word(where.substr(0, where.rfind(':')));
  return fmt::format("{}: the line has {} columns; {}. This command keeps the first {}: cut -f1-{} {}", where,
                     columns.size(), expected, most - 2, most - 2, file);
}

std::string problem_of_numbers(const std::vector<std::string>& columns, const std::string& where) {
  const auto is_filled_number = [&](std::size_t i) { return !columns.at(i).empty() && is_number(columns[i]); };
  if (columns.size() < 4 || !is_filled_number(0) || !is_filled_number(2) || columns[3].empty()) return "";
  return fmt::format(
      "{}: columns 1 and 3 are numbers, as in Tatoeba's exports, and columns 2 and 4 are the sentences. This command "
      "keeps the sentences: cut -f2,4 {}",
      where, shell_word(where.substr(0, where.rfind(':'))));
}

namespace {

bool names_side(const std::string& column) {
  static const std::set<std::string> names{
      "source",      "target",     "src",      "tgt",       "trg",     "source_text", "target_text", "source text",
      "target text", "src_text",   "tgt_text", "input",     "output",  "sentence",    "sentence1",   "sentence2",
      "translation", "text",       "original", "reference", "english", "french",      "german",      "spanish",
      "italian",     "portuguese", "dutch",    "russian",   "chinese", "japanese",    "korean",      "arabic",
      "hindi",       "turkish",    "polish",   "czech",     "swedish", "finnish",     "vietnamese",  "en",
      "fr",          "de",         "es",       "it",        "pt",      "nl",          "ru",          "zh",
      "ja",          "ko",         "ar",       "hi",        "tr",      "pl",          "cs",          "sv",
      "fi",          "vi",         "eng",      "fra",       "deu",     "spa",         "lang1",       "lang2",
      "l1",          "l2",         "question", "answer"};
  return names.count(lower_case(fmt::format("{}", fmt::join(words_of(column), " ")))) > 0;
}

// without_first_line returns "removes the line" and the command. A packed file or a pipe cannot be changed in place.
std::string without_first_line(const std::string& path) {
  std::error_code none;
  const std::string file = shell_word(path);
  if (ending_of(path) == ".gz") return fmt::format("writes the other lines to NEW: zcat {} | sed 1d > NEW", file);
  if (!std::filesystem::is_regular_file(path, none)) return fmt::format("leaves out the line: sed 1d {}", file);
  return fmt::format("removes the line, and keeps the old file as {}.bak: sed -i.bak 1d {}", path, file);
}

}  // namespace

std::string note_of_first_lines(const std::vector<std::string>& lines, const std::string& path) {
  if (lines.empty()) return "";
  const std::vector<std::string> first = split_fields(lines.front(), "\t");
  if (first.size() < 2) return "";
  const std::string file = shell_word(path);
  if (names_side(first[0]) && names_side(first[1]) && lower_case(first[0]) != lower_case(first[1]))
    return fmt::format(
        "note: {}:1: {} and {} look like the names of the columns, but are read as a pair of sentences. This command "
        "{}\n",
        path, in_quotes(first[0]), in_quotes(first[1]), without_first_line(path));
  constexpr std::size_t enough = 4;  // fewer lines may count up by chance
  if (lines.size() < enough) return "";
  const auto begin = number<std::size_t>(first[0]);
  if (!begin || *begin > 1) return "";
  for (std::size_t i = 0; i < enough; ++i)
    if (lines[i].substr(0, lines[i].find('\t')) != fmt::format("{}", *begin + i)) return "";
  return fmt::format(
      "note: {}: column 1 contains line numbers, but is read as the source sentence. This command writes the other "
      "columns to NEW: cut -f2- {} > NEW\n",
      path, file);
}

}  // namespace softalign::data
