// These functions recognise the layout of a corpus file: the task to which a line belongs, a separator other than the
// tab, and a first line with the names of the columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::data {

// Returns the task of a line of a corpus: translation, captioning, questions or entailment. The columns of the line
// show the task (docs/formats.md). Returns "" for a line without a tab, and for a line that several tasks may have. An
// example is a story of a single sentence, because the task of entailment has similar lines.
std::string task_of_line(const std::string& line);

// Replaces the separator of fast_align's files, `source ||| target`, by a tab in all lines, if the first line with text
// has
// ||| and no tab. Then throws Error for a line with text that has a tab or no |||. Other files stay as they are.
void put_tabs(std::vector<std::string>& lines, const std::string& path);

// Returns the error message for a line without a tab. `where` is "FILE:LINE" and `expected` names the columns. The
// message says which separator the line has instead. For line 1, it also suggests a command that converts the file.
std::string missing_tab(const std::string& line, const std::string& where, const std::string& expected);

// Returns the error message for a line with more than `most` columns.
std::string too_many_columns(const std::vector<std::string>& columns, std::size_t most, const std::string& where,
                             const std::string& expected);

// Returns the error message for a line that has the numbers of its sentences in columns 1 and 3, as in exports of the
// website Tatoeba: `17<TAB>Hello.<TAB>42<TAB>Bonjour.`. Returns "" for other lines.
std::string problem_of_numbers(const std::vector<std::string>& columns, const std::string& where);

// Returns a note if the first line of a file names the columns, or if column 1 numbers the lines. Returns "" if there
// is nothing to note.
std::string note_of_first_lines(const std::vector<std::string>& lines, const std::string& path);

}  // namespace softalign::data
