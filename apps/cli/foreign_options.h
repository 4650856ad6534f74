// This file translates options of other tools into options of softalign, for example OpenNMT's -src, Marian's
// --mini-batch, fairseq's --arch and --output_dir of transformers. For an option without a counterpart, such as --gpu,
// it returns advice, for example that softalign runs only on CPUs.
#pragma once

#include <string>
#include <vector>

namespace softalign::apps {

// Returns advice for an option that the program does not have. `typed` is the word on the command line. `known` has the
// names of the program's options, without dashes. Returns "" if there is no advice.
std::string advice_on_option(const std::string& program, const std::string& typed,
                             const std::vector<std::string>& known);

// Returns advice for a word that belongs to no option. The word may begin with a dash that is no hyphen, have the form
// NAME=VALUE, or name a file or folder that some option takes. Returns "" if there is no advice.
std::string advice_on_word(const std::string& program, const std::string& word,
                           const std::vector<std::string>& known);

}  // namespace softalign::apps
