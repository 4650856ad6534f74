// This file derives the layout of a corpus file from its lines: the task that a line belongs to, another separator
// instead of a tab, and names of columns in the first line. No other code guesses the kind of a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::data {

// Returns the task of a line of a corpus: translation, captioning, questions or entailment. The columns of the line
// show the task (docs/formats.md). Returns "" for a line without a tab, and if the line may belong to several tasks. An
// example is a premise or a story of one sentence, with neither links nor gold.
std::string task_of_line(const std::string& line);

// Returns the message for a line without a tab. `where` is "FILE:LINE" and `expected` names the columns. The message
// names the separator that the line has instead. For line 1, it also suggests a command that converts the file.
std::string missing_tab(const std::string& line, const std::string& where, const std::string& expected);

// Returns the message for a line with too many columns. The reader can use the first `most`.
std::string too_many_columns(const std::vector<std::string>& columns, std::size_t most, const std::string& where,
                             const std::string& expected);

// Returns the problem with a line whose columns 1 and 3 are numbers of sentences, as in Tatoeba's exports. Returns ""
// for other lines.
std::string problem_of_numbers(const std::vector<std::string>& columns, const std::string& where);

// Returns a note, in complete lines, if the first lines of a file of pairs are no pairs: the first line names the
// columns, or column 1 numbers the lines. Returns "" if there is nothing to note.
std::string note_of_first_lines(const std::vector<std::string>& lines, const std::string& path);

// Returns the path as one word of a shell's command line, in quotes if it needs them.
std::string shell_word(const std::string& path);

}  // namespace softalign::data
