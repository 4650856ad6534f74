// The tokeniser "13a" of sacreBLEU (Post 2018), which is that of mteval-v13a.pl: what published BLEU counts by default.
#pragma once

#include <string_view>

#include "data/corpus/corpus.h"

namespace softalign::data {

// The words of a line as BLEU with tok:13a has them. Case stays as it is.
//   He said: "It's 3,000.5!"     He said : " It's 3,000.5 ! "
Tokens tokenize_13a(std::string_view line);

}  // namespace softalign::data
