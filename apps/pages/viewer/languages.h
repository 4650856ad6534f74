// This file finds the names of the two languages of a corpus. The first sentence of the viewer's page uses them.
#pragma once

#include <optional>
#include <string>

#include "apps/run/corpus_files.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

struct Languages {
  std::string source, target;  // "English", "French"
};

// Returns the languages of a run's training corpus, or of `files` if there is no run. Returns nothing if they are
// unknown. A file `languages` next to a TSV file names them, as in "English French". The endings of parallel files can
// also name them, as in train.en and train.fr.
std::optional<Languages> languages_of(const TrainOptions* run, const CorpusFiles& files);

}  // namespace softalign::apps
