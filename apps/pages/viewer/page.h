// This file makes the viewer's page. The page combines the template, style and script of this folder with the data of
// runs. It is one file that a browser opens from disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/pages/viewer/languages.h"
#include "apps/pages/viewer/live_parts.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"

namespace softalign::apps {

// PageData is the data of a viewer's page. It is one JSON object that the page's script reads. Its keys are:
//
//   {"schema": "softalign-page/2", "title": .., "notes": [parts that were left out ..],
//    "languages": {"source", "target"} or null,                                          names, if known
//    "runs": [{"name", "about", "kept_epoch", "metrics"} ..],                            the run, then other runs
//    "sentences": [{"id", "tracked": bool, "tags": [..],
//                   "runs": [{"record", "epochs": [..], "beam": [..], "interventions": [..]} or null ..]} ..]}
//
// Every record is an alignment record (data/alignment/record.h). Its numbers are exactly those of its file, or of
// `align`. A file of another program may contain other keys. They are removed, because the script of the page trusts
// all keys. page.cpp shortens the records: only the first record of a sentence is complete, and the others contain only
// their differences from the first. They have null for a key that only the first record has.
//
// The page shows the sentences whose attention the run stored in history.jsonl, and then the sentences of the corpus.
// If the user gives sentences of their own, the page shows only these.

struct PageOptions {
  std::string run;  // a folder, or a file of alignment records
  std::vector<std::string> compare;
  MatrixChoice matrix;                      // whose attention the pairs have that are aligned now
  bool without_attention = false;           // a run without attention is shown too: its words and their probabilities
  CorpusFiles files;                        // pairs to align now; none: the pairs of the run's alignments.jsonl
  std::size_t max_length = 0;               // largest number of words per side of these pairs; 0: as in training
  std::size_t sentences = 0;                // number of sentences of the corpus to show, with a note; 0: all
  bool tracked = true;                      // the page also shows the tracked sentences of the run's history
  std::vector<data::Record> own = {};       // translations of the user's own sentences, to show instead of all others
  std::uint64_t seed = 1;                   // shuffles the weights in the interventions of own sentences
  std::optional<Languages> languages = {};  // names of the languages; nothing: those of the run's corpus
  std::function<void(const std::string&)> report = {};  // gets a line of text before work that takes time
};

struct PageData {
  std::string title, json;
  std::vector<std::string> notes;
  std::size_t sentences = 0;
  std::string noun;       // kind of the sentences: "sentences", "pictures", "stories"; "sentence" if there is one
  bool pictures = false;  // true if a source is a picture
};

// Throws data::Error if there is nothing to show, or if --data is given but there is no model to align it. Also throws
// the errors of RunView.
PageData page_data(const PageOptions& options);

// The build embeds the files of this folder (embed.cmake). viewer_start is script/main.js, and viewer_script contains
// the other files of script/. live_script and live_style contain the files of live/.
extern const std::string_view viewer_template, viewer_style, viewer_script, viewer_start, live_script, live_style;

// Returns true if a file name ends in .html or .htm, or has no ending, for example /dev/stdout.
bool is_page_name(const std::string& path);

// Returns the HTML of a page with this title and these data, a JSON text. Its content security policy forbids the page
// to load files, and allows only the script and style of the viewer. The data are escaped, so that no text in them can
// end their <script> element. A page can show images only with `pictures`, and only images that it contains. With
// `live`, the page also contains a model that the browser runs (live_parts.h).
std::string make_page(std::string_view title, std::string_view json, bool pictures = false,
                      const LiveParts* live = nullptr);

// Escapes JSON for a <script> element. The characters < > & and the line separators U+2028 and U+2029 become \u
// escapes. In JSON, these characters occur only in strings.
std::string escape_json(std::string_view json);

}  // namespace softalign::apps
