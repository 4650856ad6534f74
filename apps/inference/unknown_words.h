// What becomes of <unk> in translations: --replace-unknown and --lexicon of programs that translate.
#pragma once

#include <string>

#include "apps/cli/common_options.h"
#include "data/alignment/lexicon.h"
#include "data/alignment/record.h"

namespace softalign::apps {

struct UnknownWords {
  bool replace = false;
  std::string lexicon_path;
  data::Lexicon lexicon = {};
};
void declare(CommandLine& line, UnknownWords& unknown);
// Reads the lexicon, if one is named. UsageError for a lexicon without --replace-unknown.
void prepare(UnknownWords& unknown);

// The record of a translation with its unknown words replaced, if that is asked for (data/alignment/lexicon.h).
// std::runtime_error if the model has no attention.
void replace_unknown(data::Record& record, const UnknownWords& unknown);

}  // namespace softalign::apps
