// This file knows the options of other tools and translates them into options of softalign, for example OpenNMT's -src,
// Marian's --mini-batch, fairseq's --arch and --output_dir of transformers. For an option without a counterpart, such
// as --gpu, it returns advice. It also knows the names that other tools and papers give to models, attention scores
// and tokenisers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace softalign::apps {

// Returns advice for an option that the program does not have. `typed` is the word on the command line. `known` has the
// names of the program's options, without dashes. Returns "" if there is no advice.
std::string advice_on_option(const std::string& program, const std::string& typed,
                             const std::vector<std::string>& known);

// Returns advice for a word on the command line that is neither an option nor the value of an option. For example, the
// word begins with a typographic dash instead of a hyphen, has the form NAME=VALUE, or is the path of a file that some
// option takes. Returns "" if there is no advice.
std::string advice_on_word(const std::string& program, const std::string& word, const std::vector<std::string>& known);

// Users of other tools may give an option of `train` a value that only those tools know, for example gpt for --model.
// ValueAdvice says for one option what to write instead of each such value (CommandLine::advise).
struct ValueAdvice {
  std::string option;
  std::vector<std::pair<std::string, std::string>> advice;
};
std::vector<ValueAdvice> advice_on_values();

}  // namespace softalign::apps
