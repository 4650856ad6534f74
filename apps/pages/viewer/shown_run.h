// The records that the viewer shows for one run: those in its folder, and those that its model computes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// A record as a line of JSON with only the keys of its schema, and its identification.
struct RecordLine {
  std::string json;
  data::Pair pair;
  std::size_t id = 0, rank = 0;
  std::string source = {};  // what tells its source from others
  bool changed = false;     // it has an intervention
};
using RecordLines = std::vector<RecordLine>;

// A sentence of the page: its pair, and its index in the corpus, or (if tracked) among the validation sentences.
struct Sentence {
  data::Pair pair;
  std::size_t id = 0;
  bool tracked = false;
  std::string source = {};  // as of a line
};

// A source as one text: words, a picture, or the sentences of a story and its question.
std::string source_text(const data::Record& record);
std::string source_text(const data::Pair& pair);

// The kind of a pair's source, in a run's corpus or in records.
bool is_picture(const data::Pair& pair);
bool is_story(const data::Pair& pair);

// The name of this number of examples of the run's task: "pictures", "stories" or "sentences"; "picture" for one.
std::string noun_of(const std::vector<Sentence>& sentences, std::size_t count);

// The identification of a pair, from its lines and sentences.
template <class Shown>
std::string pair_key(const Shown& shown) {
  return shown.source + "\n" + data::join_words(shown.pair.target);
}

// Whether the path is a file of alignment records, or standard input (-), and not the folder of a run.
bool is_record_file(const std::string& path);

// A run's name as a page calls it: the last part of its path.
std::string run_name(const std::string& path);

class RunView {
 public:
  // Reads the files below, if they exist. `path` may also be a file of alignment records instead of a folder; nothing
  // is computed then. A folder without model.safetensors, with alignments of another program, is shown without
  // computing. Records of blank lines are left out. `tell` is called with progress messages. data::Error, with the name
  // of the file: no such folder, a damaged file, or a model without attention.
  explicit RunView(const std::string& path, std::function<void(const std::string&)> report = {},
                   const MatrixChoice& matrix = {});

  const std::string& path() const { return folder_.path; }  // of the folder or the file
  bool has_model() const { return model_.has_value(); }
  const Run& model() const { return *model_; }
  const std::vector<RecordLine>& alignments() const { return alignments_; }  // of alignments.jsonl, rank 0
  const std::vector<RecordLine>& history() const { return history_; }        // of history.jsonl

  // The records of these sentences. If there is a model and the source is words, a record is computed by forced
  // decoding if `fresh` or if alignments.jsonl has none. For a tracked sentence of a run without model, it is the
  // record of the last epoch. There is no result for a sentence without record.
  std::vector<std::optional<RecordLine>> records(const std::vector<Sentence>& sentences, bool fresh) const;

  // The n best translations of each source, best first. They come from beam.jsonl, or otherwise from the model, if
  // there is one.
  std::vector<RecordLines> beams(const std::vector<Sentence>& sentences);

  // The user's own sentences: the record of each translation as a line, the same with scores if the model has them, and
  // interventions in each greedy translation, which are computed now. If the model has none, there is a note.
  RecordLine line(const data::Record& record) const;
  RecordLine own(data::Record record) const;
  std::vector<RecordLines> intervene(const std::vector<Sentence>& sentences, std::uint64_t seed);

  RecordLines epochs(const Sentence& sentence) const;         // of history.jsonl, in the order of the file
  RecordLines interventions(const Sentence& sentence) const;  // of interventions.jsonl

  // One sentence for each part of this run that the page lacks.
  const std::vector<std::string>& notes() const { return notes_; }
  void add_note(const std::string& what);

  // {"name", "about", "kept_epoch", "metrics": [{"epoch", "loss", "bleu", "exact", "aer", "accuracy"}]}: the page's
  // information about the run. "exact" is for answers. "accuracy" is the attention accuracy, for tasks without AER.
  nlohmann::ordered_json description() const;

 private:
  using ByKey = std::map<std::string, RecordLines>;
  void say(const std::string& what) const;
  RecordLines said_of(const Sentence& sentence) const;
  void add_alignments(RecordLines lines);
  std::function<void(const std::string&)> report_;
  RunFolder folder_;
  std::optional<Run> model_;
  std::vector<std::string> notes_;
  std::vector<RecordLine> alignments_, history_;
  ByKey alignments_by_pair_, alignments_by_source_, history_by_pair_, beams_by_source_, interventions_by_source_;
};

}  // namespace softalign::apps
