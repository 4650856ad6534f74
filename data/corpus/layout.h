// The layout of a corpus file, derived from its lines: the task that a line belongs to, another separator instead of a
// tab, and names of columns in the first line. No other code guesses the kind of a file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::data {

// The task of a line of a corpus, recognised by its columns (docs/formats.md): translation, captioning, questions or
// entailment. The result is "" for a line without a tab, and where the line may belong to several tasks: a premise or a
// story of one sentence, with neither links nor gold.
std::string task_of_line(const std::string& line);

// The message for a line without a tab. `where` is "FILE:LINE" and `expected` names the columns. The message names the
// separator that the line has instead and, for line 1, a command that converts the file.
std::string missing_tab(const std::string& line, const std::string& where, const std::string& expected);

// The message for a line with too many columns, of which the first `most` can be read.
std::string too_many_columns(const std::vector<std::string>& columns, std::size_t most, const std::string& where,
                             const std::string& expected);

// The problem with a line whose columns 1 and 3 are numbers of sentences, as in Tatoeba's exports; "" for other lines.
std::string problem_of_numbers(const std::vector<std::string>& columns, const std::string& where);

// A note, in whole lines, if the first lines of a file of pairs are no pairs: the first line names the columns, or
// column 1 numbers the lines. The result is "" if there is nothing to note.
std::string note_of_first_lines(const std::vector<std::string>& lines, const std::string& path);

// The path as one word of a shell's command line, in quotes where it needs some.
std::string shell_word(const std::string& path);

}  // namespace softalign::data
