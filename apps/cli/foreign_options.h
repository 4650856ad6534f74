// Options of other tools, with their names here: OpenNMT's -src, Marian's --mini-batch, fairseq's --arch, transformers'
// --output_dir, and options that have no counterpart, such as --gpu.
#pragma once

#include <string>
#include <vector>

namespace softalign::apps {

// The advice for an option that the program does not have. `typed` is the word of the command line, and
// `known` has the names of the program's options, without dashes. The result is "" if nothing is known.
std::string advice_on_option(const std::string& program, const std::string& typed,
                             const std::vector<std::string>& known);

// The advice for a word that belongs to no option: a dash that is no hyphen, NAME=VALUE, or the name of a
// file or folder that some option takes. The result is "" if nothing is known.
std::string advice_on_word(const std::string& word, const std::vector<std::string>& known);

}  // namespace softalign::apps
