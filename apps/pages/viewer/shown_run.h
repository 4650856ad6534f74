// This file has the records that the viewer shows for one run. Some records are in the folder of the run, and the model
// computes the others.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/inference/align_pairs.h"
#include "apps/run/run_folder.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// RecordLine is an alignment record as a line of JSON with only the keys of its schema. The other fields say which
// sentence pair the record belongs to.
struct RecordLine {
  std::string json;
  data::Pair pair;
  std::size_t id = 0, rank = 0;
  std::string source = {};  // the source as text (source_text)
  bool changed = false;     // true if the record has an intervention
};
using RecordLines = std::vector<RecordLine>;

// The struct Sentence describes a sentence pair of the page. If `tracked` is false, `id` is the index of the pair in
// the corpus. If `tracked` is true, the training has recorded the attention of this pair (train --track), and `id` is
// its index in the validation set.
struct Sentence {
  data::Pair pair;
  std::size_t id = 0;
  bool tracked = false;
  std::string source = {};  // the source as text (source_text)
};

// Returns a source as one text. The source is a sentence, a picture, or a story with its question.
std::string source_text(const data::Record& record);
std::string source_text(const data::Pair& pair);

// These functions say whether a pair's source is a picture or a story. The pair comes from a run's corpus or from a
// record.
bool is_picture(const data::Pair& pair);
bool is_story(const data::Pair& pair);

// Returns the noun for `count` examples of the run's task: "picture" for one, and "pictures", "stories" or "sentences"
// for several.
std::string noun_of(const std::vector<Sentence>& sentences, std::size_t count);

// Returns a text by which the viewer recognises the same sentence pair in several files. It has the source as text and
// the words of the target.
template <class Shown>
std::string pair_key(const Shown& shown) {
  return shown.source + "\n" + data::join_words(shown.pair.target);
}

// Returns true if the path is a file of alignment records, or standard input (-), and not the folder of a run.
bool is_record_file(const std::string& path);

// Returns the name of a run on a page. It is the last part of the run's path.
std::string run_name(const std::string& path);

class RunView {
 public:
  // Reads the folder of a run: the model, and the records in history.jsonl, alignments.jsonl, beam.jsonl and
  // interventions.jsonl. Each of these files may be missing. `path` may also be a file of alignment records. Without a
  // model, the page shows only the records that were read. The function skips records of blank lines. It calls `report`
  // with progress messages. Throws data::Error with the name of the file if there is no such folder, if a file is
  // damaged, or if a record has no attention weights.
  explicit RunView(const std::string& path, std::function<void(const std::string&)> report = {},
                   const MatrixChoice& matrix = {});

  const std::string& path() const { return folder_.path; }  // path of the folder or of the file
  bool has_model() const { return model_.has_value(); }
  const LoadedRun& model() const { return *model_; }
  const std::vector<RecordLine>& alignments() const { return alignments_; }  // records with rank 0
  const std::vector<RecordLine>& history() const { return history_; }        // records of history.jsonl

  // Returns one record per sentence, or none if there is no record. A record in alignments.jsonl is used first, unless
  // `fresh` is true. Otherwise, the model computes the record by teacher forcing, if there is a model that can read the
  // source. If not, the record comes from the last epoch in history.jsonl. For a picture or a story without such a
  // record, another record of the same source in alignments.jsonl is used, if it is the only one.
  // `detail` is none for a run without attention.
  std::vector<std::optional<RecordLine>> records(const std::vector<Sentence>& sentences, bool fresh,
                                                 AttentionDetail detail = AttentionDetail::all) const;

  // Returns the five best translations of each source, best first. They come from the file beam.jsonl. If this file has
  // none for a source, the model searches for them.
  std::vector<RecordLines> beams(const std::vector<Sentence>& sentences);

  // These functions make records for the user's own sentences. line() converts a record to a line of JSON. own() does
  // this, too, but before that it adds the scores before the softmax, if the run has no subwords. intervene()
  // translates each sentence greedily, and computes the interventions in this translation. If the model or the run
  // allows no interventions, it adds a note and returns nothing.
  RecordLine line(const data::Record& record) const;
  RecordLine own(data::Record record) const;
  std::vector<RecordLines> intervene(const std::vector<Sentence>& sentences, std::uint64_t seed);

  RecordLines epochs(const Sentence& sentence) const;         // records of history.jsonl, in the order of the file
  RecordLines interventions(const Sentence& sentence) const;  // records of interventions.jsonl

  // Returns notes for the user. Each note says what the page cannot show of this run, and why.
  const std::vector<std::string>& notes() const { return notes_; }
  void add_note(const std::string& what);

  // Returns the page's information about the run: {"name", "about", "kept_epoch", "metrics": [{"epoch", "loss", "bleu",
  // "exact", "aer", "accuracy"}]}. Keys without a value are null. Models that answer with one word have a value for
  // "exact" instead of "bleu". Tasks without AER have a value for "accuracy", the attention accuracy.
  nlohmann::ordered_json description() const;

 private:
  using ByKey = std::map<std::string, RecordLines>;
  void say(const std::string& what) const;
  RecordLines said_of(const Sentence& sentence) const;
  void add_alignments(RecordLines lines);
  std::function<void(const std::string&)> report_;
  RunFolder folder_;
  std::optional<LoadedRun> model_;
  std::vector<std::string> notes_;
  std::vector<RecordLine> alignments_, history_;
  ByKey alignments_by_pair_, alignments_by_source_, history_by_pair_, beams_by_source_, interventions_by_source_;
};

}  // namespace softalign::apps
