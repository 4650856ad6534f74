#include "apps/inference/interventions.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/command_line.h"
#include "apps/inference/align_pairs.h"
#include "apps/run/run_text.h"
#include "data/alignment/record_json.h"
#include "data/io/error.h"
#include "models/search/intervention.h"

namespace softalign::apps {

using Kind = data::InterventionKind;

void declare(CommandLine& line, InterventionOptions& o) {
  line.group("Interventions");
  std::vector<std::string> kinds;
  for (const Kind kind : models::known_interventions()) kinds.push_back(autograd::name_of(kind));
  kinds.emplace_back("all");
  line.add_here("intervene", &o.kind,
                "do not align, but translate greedily, change one step, and write how the translation continues. "
                "`force`: the step attends only to one source word; `ablate`: the step does not attend to one source "
                "word; `shuffle`: the attention weights of the step are shuffled; `word`: the step writes another "
                "word; `all`: each of these four changes in turn. The program `view` shows the results",
                one_of(kinds));
  line.add_here("step", &o.step, "with --intervene: number of the step to change, counted from 1; 0: each step in turn",
                between(0, models::many));
  line.add_here("on", &o.on,
                "with --intervene force or ablate: the source word whose attention is changed, counted from 1. With 0, "
                "force takes the word with the second largest weight, and ablate the word with the largest weight",
                between(0, models::many));
  line.add_here("write", &o.write,
                "with --intervene word: word that the model must write at the step that is changed. Default: the "
                "second most probable word");
}

void check(const InterventionOptions& o) {
  if (o.kind.empty() && (o.step > 0 || o.on > 0 || !o.write.empty())) {
    throw UsageError(
        "--step, --on and --write have an effect only with --intervene. Add --intervene force, ablate, shuffle, word "
        "or all");
  }
  if (o.on > 0 && o.kind != "force" && o.kind != "ablate")
    throw UsageError(
        "--on has an effect only with --intervene force or --intervene ablate. Remove --on, or change --intervene");
  if (!o.write.empty() && o.kind != "word")
    throw UsageError("--write has an effect only with --intervene word. Remove --write, or change --intervene");
}

namespace {

// Returns the positions of a row by decreasing weight. Positions with equal weights keep their order.
std::vector<std::size_t> by_weight(const std::vector<float>& row) {
  std::vector<std::size_t> order(row.size());
  for (std::size_t s = 0; s < row.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return row[a] > row[b]; });
  return order;
}

models::Memory memory_of(const LoadedRun& run, const SourceText& source) {
  const autograd::NoGrad no_grad;
  return run.model->encode(data::make_source_batch({encoded(source)}, {0}));
}

// SentenceInterventions runs interventions on one sentence.
class SentenceInterventions {
 public:
  SentenceInterventions(const LoadedRun& run, const InterventionOptions& options, const data::Pair& pair,
                        std::size_t id, const autograd::Random& random)
      : run_(run),
        options_(options),
        source_(source_of(run, pair)),
        tags_(pair.tags),
        id_(id),
        random_(random.split(id)),
        memory_(memory_of(run, source_)),
        alone_(models::decode_with(decoder(), memory_, nullptr, random_)) {}

  // Adds the records of the sentence to the text, one line each.
  void write(bool scores, std::string& text) const {
    data::Record alone = record_of(alone_, {});
    if (scores) add_scores(alone, run_, encoded(source_, alone_.ids));
    text += to_json(alone) + "\n";
    if (options_.step > steps()) {
      throw data::Error(
          data::ErrorKind::wrong_usage,
          fmt::format(
              "sentence {}: --step {} does not exist, because the translation has {} steps. Choose a smaller --step",
              id_ + 1, options_.step, steps()));
    }
    const std::size_t first = options_.step > 0 ? options_.step - 1 : 0;
    const std::size_t end = options_.step > 0 ? options_.step : steps();
    for (std::size_t step = first; step < end; ++step) {
      for (const Kind kind : models::known_interventions()) {
        if (options_.kind != "all" && options_.kind != autograd::name_of(kind)) continue;
        const models::Intervention change = at(step, kind);
        const models::Hypothesis found = models::decode_with(decoder(), memory_, &change, random_.split(step));
        text += to_json(record_of(found, describe(change, found))) + "\n";
      }
    }
  }

 private:
  // A model that answers with one word has only one step.
  std::size_t steps() const { return task_of(run_.options).one_word ? 1 : alone_.word_log_prob.size(); }

  models::Intervention at(std::size_t step, Kind kind) const {
    models::Intervention change{kind, step};
    const std::size_t places = (source_.places.empty() ? source_.words : source_.places).size();
    if (options_.on > places) {
      throw data::Error(
          data::ErrorKind::wrong_usage,
          fmt::format("sentence {}: --on {} does not exist, because the source has {} {}. Choose a smaller --on",
                      id_ + 1, options_.on, places, source_.places.empty() ? "words" : "positions"));
    }
    if (options_.on > 0) {
      change.source = options_.on - 1;
    } else {
      change.source = by_weight(alone_.weights.matrix[step]).at(kind == Kind::force ? 1 : 0);
    }
    if (!options_.write.empty()) change.word = run_.target.id(options_.write);
    return change;
  }

  data::Change describe(const models::Intervention& change, const models::Hypothesis& found) const {
    data::Change made{change.kind, change.step};
    if (change.kind == Kind::force || change.kind == Kind::ablate) made.source = change.source;
    if (change.kind == Kind::word) {
      made.word = change.step < found.ids.size() ? run_.target.words({found.ids[change.step]}).front() : "</s>";
    }
    return made;
  }

  data::Record record_of(const models::Hypothesis& found, data::Change change) const {
    // An intervention changes the decoder's attention, so the record shows this attention.
    data::Record record = complete_record(run_, source_, found, data::DecodingMode::greedy, id_, 0, MatrixBy::decoder);
    record.tags = tags_;
    record.intervention = std::move(change);
    return record;
  }

  const models::Decoder& decoder() const { return run_.model->decoder(); }

  const LoadedRun& run_;
  const InterventionOptions& options_;
  SourceText source_;
  std::vector<std::string> tags_;
  std::size_t id_;
  autograd::Random random_;
  models::Memory memory_;
  models::Hypothesis alone_;
};

}  // namespace

void intervene(const LoadedRun& run, const InterventionOptions& options, const std::vector<data::Pair>& pairs,
               std::uint64_t seed, bool scores, const std::function<void(const std::string&)>& use) {
  if (!run.source_segmenter.whole_words()) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      "--intervene: this run splits words into subwords, so steps do not correspond to words. Use a "
                      "run that was trained without --tokenizer sentencepiece");
  }
  if (!run.model->decoder().has_scores()) {
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("--intervene: the model {} has no attention that can be changed. Use a run of another model",
                    run.options.model.model));
  }
  if (!options.write.empty() && run.target.id(options.write) == data::unk_id) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("--write {}: this word is not in the vocabulary of the run. Choose a word from the "
                                  "file target.vocab in the run folder",
                                  options.write));
  }
  const autograd::Random random = autograd::Random(seed).split("intervention");
  const auto write = [&](std::size_t i, std::string& text) {
    SentenceInterventions(run, options, pairs[i], i, random).write(scores, text);
  };
  write_in_order(run.processes, pairs.size(), write, use);
}

}  // namespace softalign::apps
