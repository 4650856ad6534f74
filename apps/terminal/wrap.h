// Text in lines that fit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace softalign::apps {

// The words of the text, whatever white space is between them, in lines of at most `columns` of display width; a longer
// word has a line to itself. One empty line for a text without words.
std::vector<std::string> wrap(const std::string& text, std::size_t columns);

// A label in a column of its own and a text beside it, wrapped; below it where the label is too wide.
//     --hidden N          size of the recurrent states
//                         [128]
std::string beside(const std::string& label, const std::string& text, std::size_t indent, std::size_t columns);

}  // namespace softalign::apps
