// What one run has to show: the records that its folder holds and those that its model makes.
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

// A record as a line of JSON with the keys of its schema and no others, and what tells it from others.
struct RecordLine {
  std::string json;
  data::Pair pair;
  std::size_t id = 0, rank = 0;
  std::string source = {};  // what tells its source from others
  bool changed = false;     // it has an intervention
};
using RecordLines = std::vector<RecordLine>;

// A sentence of the page: its pair, and where it stands in the corpus or, tracked, among the validation sentences.
struct Sentence {
  data::Pair pair;
  std::size_t id = 0;
  bool tracked = false;
  std::string source = {};  // as of a line
};

// A source as one text: words, a picture, the sentences of a story and what is asked of them.
std::string source_text(const data::Record& record);
std::string source_text(const data::Pair& pair);

// The kind of a pair's source, in a run's corpus or in records.
bool is_picture(const data::Pair& pair);
bool is_story(const data::Pair& pair);

// The name of so many examples of the run's task: "pictures", "stories" or "sentences"; "picture" if there is one.
std::string noun_of(const std::vector<Sentence>& sentences, std::size_t count);

// What tells pairs apart, of lines and sentences.
template <class Shown>
std::string pair_key(const Shown& shown) {
  return shown.source + "\n" + data::join_words(shown.pair.target);
}

// A run's name as a page calls it: the last part of its path.
std::string run_name(const std::string& path);

class RunView {
 public:
  // Reads what the folder has of the files below. A folder without model.safetensors, with alignments that another
  // program wrote, is shown as it is; records of blank lines are left out. `tell` is told what the model does.
  // data::Error naming the file: no such folder, a damaged file, a model that has no attention.
  explicit RunView(const std::string& path, std::function<void(const std::string&)> report = {},
                   const MatrixChoice& matrix = {});

  const std::string& path() const { return folder_.path; }
  bool has_model() const { return model_.has_value(); }
  const Run& model() const { return *model_; }
  const std::vector<RecordLine>& alignments() const { return alignments_; }  // of alignments.jsonl, rank 0
  const std::vector<RecordLine>& history() const { return history_; }        // of history.jsonl

  // The records of these sentences: forced now, if `fresh` or if alignments.jsonl has none, the source is words and
  // there is a model; of a tracked one of a run without model, its last epoch. Nothing where the run has no record of a
  // sentence.
  std::vector<std::optional<RecordLine>> records(const std::vector<Sentence>& sentences, bool fresh) const;

  // The n best translations of each source, best first: those in beam.jsonl, else found by the model, if there is one.
  std::vector<RecordLines> beams(const std::vector<Sentence>& sentences);

  // The user's own sentences: a translation's record as a line, and the same with scores, where they can be had; and
  // the interventions in each sentence's greedy translation, made now. Where the model has none, there is a note.
  RecordLine line(const data::Record& record) const;
  RecordLine own(data::Record record) const;
  std::vector<RecordLines> intervene(const std::vector<Sentence>& sentences, std::uint64_t seed);

  RecordLines epochs(const Sentence& sentence) const;         // of history.jsonl, in the order of the file
  RecordLines interventions(const Sentence& sentence) const;  // of interventions.jsonl

  // One sentence for each part of this run that the page lacks.
  const std::vector<std::string>& notes() const { return notes_; }
  void add_note(const std::string& what);

  // {"name", "about", "kept_epoch", "metrics": [{"epoch", "loss", "bleu", "exact", "aer", "accuracy"}]}: what the page
  // says of the run. "exact" is of answers, and "accuracy", the attention accuracy, of what has it in place of AER.
  nlohmann::ordered_json description() const;

 private:
  using ByKey = std::map<std::string, RecordLines>;
  void say(const std::string& what) const;
  RecordLines said_of(const Sentence& sentence) const;
  std::function<void(const std::string&)> report_;
  RunFolder folder_;
  std::optional<Run> model_;
  std::vector<std::string> notes_;
  std::vector<RecordLine> alignments_, history_;
  ByKey alignments_by_pair_, alignments_by_source_, history_by_pair_, beams_by_source_, interventions_by_source_;
};

}  // namespace softalign::apps
