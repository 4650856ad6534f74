// The names of a corpus's two languages, for the sentence with which the page opens.
#pragma once

#include <optional>
#include <string>

#include "apps/run/corpus_files.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

struct Languages {
  std::string source, target;  // "English", "French"
};

// The languages of a run's training corpus, or else of these files; nothing if neither says what they are. They are
// said by a file `languages` in the folder of a TSV file, as in "English French", or by the endings of parallel files,
// as in train.en and train.fr.
std::optional<Languages> languages_of(const TrainOptions* run, const CorpusFiles& files);

}  // namespace softalign::apps
