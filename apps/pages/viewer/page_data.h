// The data of a viewer's page, gathered from runs: one JSON object that the page's script reads.
//
//   {"schema": "softalign-page/2", "title": .., "notes": [what was left out ..],
//    "runs": [{"name", "about", "kept_epoch", "metrics"} ..],                            the run, then those compared
//    "sentences": [{"id", "tracked": bool, "tags": [..],
//                   "runs": [{"record", "epochs": [..], "beam": [..], "interventions": [..]} or null ..]} ..]}
//
// Every record is an alignment record (data/alignment/record.h) as its file or align has it, to the last digit, but
// packed (packed.h). Keys of other programs are left out, because the page's script would trust them. The first record
// of a sentence, by the first run that has one, is whole; of the others stands what they have otherwise, null for a key
// that only the first has. Sentences are the tracked ones of the run's history.jsonl that the corpus does not have,
// then the corpus.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "apps/run/corpus_files.h"

namespace softalign::apps {

struct PageOptions {
  std::string run;
  std::vector<std::string> compare;
  CorpusFiles files;                                  // pairs to align now; none: those of the run's alignments.jsonl
  std::size_t max_length = 0;                         // most words a side of these pairs; 0: as in training
  std::size_t sentences = 0;                          // the first so many of the corpus, and a note of it; 0: all
  bool tracked = true;                                // the tracked sentences of the run's history as well
  std::function<void(const std::string&)> tell = {};  // told what takes time, a line each
};

struct PageData {
  std::string title, json;
  std::vector<std::string> notes;
  std::size_t sentences = 0;
  bool pictures = false;  // one of them is a picture's
};

// std::runtime_error: there is nothing to show, or --data and no model to align it; else as ShownRun.
PageData page_data(const PageOptions& options);

}  // namespace softalign::apps
