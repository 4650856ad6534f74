// The columns of a line of a corpus, whatever its sources are. `where` is "FILE:LINE" in messages; all throw
// std::runtime_error.
#pragma once

#include <string>
#include <vector>

#include "data/corpus/corpus.h"

namespace data {

// What stands between the tabs of a line: so many columns at the least, and two more, gold and tags, that may be
// missing and are empty then. `expected` says what they are. A blank line has empty columns, unless blanks are refused.
std::vector<std::string> columns_of(const std::string& line, size_t least, const char* expected,
                                    const std::string& where, Blank blank);

// Whether the pair of this line is left out, or kept as a blank pair, because one of its first `sides` columns is
// blank. Where blanks are refused it is neither, and whoever reads the column says what is wrong.
bool is_blank(Corpus& corpus, const std::vector<std::string>& columns, size_t sides, size_t line, Blank blank);

// The words of a side, of which there are some.
Tokens tokens_of(const std::string& text, const Tokenize& tokenize, const char* side, const std::string& where);

// The one word that is written of a source in several parts; `what` it is called.
Tokens answer_of(const std::string& text, const Tokenize& tokenize, const char* what, const std::string& where);

// Gold links count words as they were written: the tokeniser has not changed their number.
void check_words_kept(const std::string& text, const Tokens& tokens, const char* side, const std::string& where);

std::vector<std::string> parse_tags(const std::string& text, const std::string& where);

// Whether `what`, of so many words, is too long and left out, which is counted.
bool is_dropped(Corpus& corpus, size_t words, const CorpusOptions& options, const char* what, const std::string& where);

// Not every line was left out.
void check_any_left(const Corpus& corpus, const std::string& path, size_t max_length, const char* what = "pairs");

}  // namespace data
