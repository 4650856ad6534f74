// A live page is a viewer that also contains the engine as WebAssembly (apps/live), a trained run, and a small corpus.
// The browser runs the model on what you type, without a network. This file collects the parts of the page.
#pragma once

#include <string>
#include <string_view>

namespace softalign::apps {

// The script `glue` loads the engine. The engine, the run and the lesson are compressed by gzip and encoded in base64.
// The lesson is a small corpus, with which the reader of the page can train a model. `run` and `lesson` are sequences
// of files. For each file, they have the length of its name in 4 bytes (little-endian), the name, the length of its
// content in 4 bytes, and the content.
struct LiveParts {
  std::string glue;    // softalign.js, which loads the engine
  std::string engine;  // softalign.wasm
  std::string run;     // config.json, the vocabularies and the parameters as 16-bit floats
  std::string task;    // the task of the run, for example "translation"
  std::string lesson;  // config.json of a small model, and its corpus; "" for other tasks or an unreadable corpus
  std::string note;    // why there is no lesson, as plain text
};

// Collects the parts for the run in this folder. Throws data::Error if the engine has not been built, or if it cannot
// open this run. The message says what to do.
LiveParts live_parts(const std::string& run);

// A live page needs more permissions than other pages. This function returns them for the content security policy of
// the page. They allow the script `glue`, WebAssembly, and workers that the page makes itself.
std::string live_policy(const LiveParts& parts);

// Returns the <script> elements of the page. They contain the parts, and the data of the page (`json`) in compressed
// form.
std::string live_elements(const LiveParts& parts, std::string_view json);

}  // namespace softalign::apps
