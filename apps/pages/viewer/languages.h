// The names of the two languages of a corpus, for the first sentence of the page.
#pragma once

#include <optional>
#include <string>

#include "apps/run/corpus_files.h"
#include "apps/run/train_options.h"

namespace softalign::apps {

struct Languages {
  std::string source, target;  // "English", "French"
};

// The languages of a run's training corpus, or otherwise of these files; none if they are unknown. A file `languages`
// in the folder of a TSV file names them, as in "English French", or the endings of parallel files, as in train.en and
// train.fr.
std::optional<Languages> languages_of(const TrainOptions* run, const CorpusFiles& files);

}  // namespace softalign::apps
