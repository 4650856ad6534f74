// The viewer's page combines template, style and script of this folder with the data of runs, in one file that opens
// from disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/pages/viewer/languages.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// The data of a viewer's page, gathered from runs: one JSON object that the page's script reads.
//
//   {"schema": "softalign-page/2", "title": .., "notes": [what was left out ..],
//    "languages": {"source", "target"} or null,                                          their names, where known
//    "runs": [{"name", "about", "kept_epoch", "metrics"} ..],                            the run, then those compared
//    "sentences": [{"id", "tracked": bool, "tags": [..],
//                   "runs": [{"record", "epochs": [..], "beam": [..], "interventions": [..]} or null ..]} ..]}
//
// Every record is an alignment record (data/alignment/record.h) with the exact numbers of its file or of `align`, but
// packed (page.cpp). Keys of other programs are left out, because the page's script would trust them. The first record
// of a sentence is complete. The other records contain only differences from it, with null for a key that only the
// first has. The sentences are the tracked ones of the run's history.jsonl that the corpus does not contain, and then
// the corpus; or only the user's own sentences.

struct PageOptions {
  std::string run;  // a folder, or a file of alignment records
  std::vector<std::string> compare;
  MatrixChoice matrix;                      // of what is aligned now
  CorpusFiles files;                        // pairs to align now; none: those of the run's alignments.jsonl
  std::size_t max_length = 0;               // most words a side of these pairs; 0: as in training
  std::size_t sentences = 0;                // the first so many of the corpus, and a note of it; 0: all
  bool tracked = true;                      // the tracked sentences of the run's history as well
  std::vector<data::Record> own = {};       // translations of the user's own sentences, in place of all these
  std::uint64_t seed = 1;                   // shuffles the weights in the interventions of own sentences
  std::optional<Languages> languages = {};  // in place of those of the run's corpus
  std::function<void(const std::string&)> report = {};  // told what takes time, a line each
};

struct PageData {
  std::string title, json;
  std::vector<std::string> notes;
  std::size_t sentences = 0;
  std::string noun;       // what they are: "sentences", "pictures", "stories"; "sentence" if there is one
  bool pictures = false;  // one of them is a picture's
};

// data::Error: there is nothing to show, or there is --data but no model to align it. Otherwise as RunView.
PageData page_data(const PageOptions& options);

// The files of this folder as the build embeds them (embed.cmake); the script is all of script/*.js.
extern const std::string_view viewer_template, viewer_style, viewer_script;

// The HTML of a page with this title and these data, a JSON text. Its content security policy forbids fetching, and
// allows only the fixed script and style. The data cannot close their element. Only a page with pictures may show
// images, and only those that it contains as data.
std::string make_page(std::string_view title, std::string_view json, bool pictures = false);

// Escapes JSON for a <script> element: < > & and the line separators U+2028 and U+2029, which occur only in strings,
// become \u escapes.
std::string escape_json(std::string_view json);

}  // namespace softalign::apps
