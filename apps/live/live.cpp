#include "apps/live/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "apps/inference/align_pairs.h"
#include "apps/inference/answers.h"
#include "apps/inference/translator.h"
#include "apps/inference/unknown_words.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "apps/run/tasks.h"
#include "apps/training/seq2seq_task.h"
#include "apps/training/trainer.h"
#include "autograd/stopwatch.h"
#include "autograd/threads/blas.h"
#include "data/alignment/record_json.h"
#include "data/corpus/corpus.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"
#include "data/pictures/picture_file.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "models/registry.h"
#include "models/search/intervention.h"

using namespace softalign;

namespace {

using Json = nlohmann::ordered_json;

std::optional<apps::LoadedRun> opened;

const apps::LoadedRun& open_run() {
  if (!opened) throw data::Error(data::ErrorKind::wrong_usage, "no run is open; open one first");
  return *opened;
}

// Calls the function. Returns the text that it returns, or the message of its error as JSON. The text is kept until the
// next call.
template <class Work>
const char* answer(const Work& work) {
  static std::string text;
  try {
    text = work();
  } catch (const std::exception& error) {
    text = Json{{"error", error.what()}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return text.c_str();
}

const apps::LoadedRun& open_run(models::Task task) {
  const apps::LoadedRun& run = open_run();
  apps::check_task(run.options.task, task, "this run");
  return run;
}

// Returns the number of results to compute.
std::size_t number(int count) { return static_cast<std::size_t>(std::clamp(count, 1, 100)); }

// Returns a translator whose answers are records, one line of JSON each.
apps::Translator translator(const apps::LoadedRun& run, std::size_t width) {
  if (run.options.task != models::Task::language_model)
    apps::check_task(run.options.task, models::Task::translation, "this run");
  static const apps::HeatmapStyle style;
  apps::TranslatorOptions options;
  options.alignment = apps::AlignmentFormat::jsonl;
  options.for_page = true;  // keeps the records
  options.search.beam = options.search.n_best = width;
  return {run, options, style};
}

apps::SourceText read(const apps::LoadedRun& run, const std::string& sentence) {
  return translator(run, 1).read(data::clean_line(sentence, "the sentence", 1));
}

std::string in_list(const std::vector<std::string>& records) { return fmt::format("[{}]", fmt::join(records, ",")); }

// Returns the records of the most probable answers to what a pair asks.
std::string answers(const data::Pair& asked, std::size_t count) {
  const apps::LoadedRun& run = open_run();
  const apps::SourceText source = apps::source_of(run, asked);
  std::vector<std::string> records;
  auto found = apps::find_answers(run, {apps::encoded(source)}, count);
  for (models::Hypothesis& one : found.front())
    records.push_back(data::to_json(apps::answer_record(run, source, one, count, records.size())));
  return in_list(records);
}

data::Pair asked_about(const apps::LoadedRun& run, const std::vector<std::string>& story, const std::string& question) {
  data::Pair pair;
  set_story(pair, story, question, apps::tokenizer(run.options), "the story");
  return pair;
}

data::Pair two_sentences(const apps::LoadedRun& run, const std::string& premise, const std::string& hypothesis) {
  data::Pair pair;
  set_premise(pair, premise, hypothesis, apps::tokenizer(run.options), "the sentences");
  return pair;
}

Json as_json(const data::Record& record) {
  return record.weights.matrix.empty() ? data::json_without_weights(record) : data::json_of(record);
}

// Returns the captions of a picture, or the translations by a model without attention, the best first.
Json found_by_search(const apps::LoadedRun& run, const apps::SourceText& source, int beam) {
  models::BeamOptions options;
  options.beam = options.n_best = number(beam);
  options.at_most = apps::most_caption_words(run.options);
  const data::DecodingMode mode = search_mode(run, options.beam);
  Json records = Json::array();
  const auto found = apps::search(*run.model, run.params, {apps::encoded(source)}, options);
  for (const models::Hypothesis& one : found.front())
    records.push_back(as_json(apps::complete_record(run, source, one, mode, 0, records.size())));
  return records;
}

// Returns the lines of a text that have words.
std::vector<std::string> sentences_of(const char* text) {
  std::vector<std::string> sentences;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    line = data::clean_line(line, "the story", ++number);
    if (!data::split_words(line).empty()) sentences.push_back(line);
  }
  return sentences;
}

// Returns the records of the best translations, the best first, as a list in JSON.
std::string translations(const apps::LoadedRun& run, const apps::SourceText& source, int beam) {
  if (source.words.empty() && task_of(run.options).has_source()) return "[]";
  std::string records = translator(run, number(beam)).answers({{0, source}}).front();
  records.pop_back();  // the newline of the last record
  std::replace(records.begin(), records.end(), '\n', ',');
  return "[" + records + "]";
}

// Returns the greedy translation, with the scores before the softmax if the model has any.
data::Record scored_translation(const apps::LoadedRun& run, const apps::SourceText& source) {
  apps::Translator greedy = translator(run, 1);
  greedy.answers({{0, source}});
  data::Record record = greedy.records().for_page.front();
  if (run.source_segmenter.whole_words() && run.model->decoder().has_scores())
    apps::add_scores(record, run, apps::encode(run, {{record.source, record.target, {}, {}, 0}}).front());
  return record;
}

// Results is what softalign_show returns.
struct Results {
  Json record = nullptr, beam = Json::array();
  data::Tokens words = {};  // what the user typed; unknown words are reported
};

// Returns the record of the greedy translation.
Json greedy_translation(const apps::LoadedRun& run, const apps::SourceText& source) {
  return apps::has_attention(run) ? as_json(scored_translation(run, source)) : found_by_search(run, source, 1).front();
}

Results show_translation(const apps::LoadedRun& run, const std::string& sentence, int beam) {
  const apps::SourceText source = read(run, sentence);
  Results shown{.words = source.words};
  if (source.words.empty()) return shown;
  shown.record = greedy_translation(run, source);
  if (beam > 1)
    shown.beam =
        apps::has_attention(run) ? Json::parse(translations(run, source, beam)) : found_by_search(run, source, beam);
  return shown;
}

// Returns the self-attention of a text and of its greedy continuation, or a record without weights if the model has no
// attention.
Results show_text(const apps::LoadedRun& run, const std::string& text) {
  static const apps::HeatmapStyle style;
  apps::TranslatorOptions options;
  options.tokenized = true;
  options.search.beam = options.search.n_best = 1;
  apps::Translator continued(run, options, style);
  const apps::SourceText source = continued.read(data::clean_line(text, "the text", 1));
  data::Pair pair;
  pair.target = data::split_words(continued.answers({{0, source}}).front());
  pair.target_line = apps::detokenize(run, pair.target);
  Results shown{.words = source.words};
  if (pair.target.empty()) return shown;
  const auto detail = apps::has_attention(run) ? apps::AttentionDetail::all : apps::AttentionDetail::none;
  apps::align_pairs(run, "the run", {pair}, apps::Units::words, detail,
                    [&](const data::Record& record) { shown.record = as_json(record); });
  return shown;
}

Results show_caption(const apps::LoadedRun& run, const std::string& file, int beam) {
  const apps::SourceText source = apps::picture_source(run, data::read_picture(file), file);
  Results shown{.record = found_by_search(run, source, 1).front()};
  if (beam > 1) shown.beam = found_by_search(run, source, beam);
  return shown;
}

// The most probable answer is the record, and all answers are the beam.
Results show_answers(const data::Pair& asked, int beam) {
  Results shown{.beam = Json::parse(answers(asked, number(beam))), .words = asked.source};
  if (!shown.beam.empty()) shown.record = shown.beam.front();
  if (beam == 1) shown.beam.clear();
  return shown;
}

// Returns the story and the question of a text, whose last line is the question; nothing if one of them is missing.
std::optional<data::Pair> story_in(const apps::LoadedRun& run, const std::string& text) {
  std::vector<std::string> lines = sentences_of(text.c_str());
  if (lines.size() < 2) return std::nullopt;
  const std::string question = lines.back();
  lines.pop_back();
  return asked_about(run, lines, question);
}

Results show(const apps::LoadedRun& run, const std::string& text, int beam) {
  switch (apps::task_of(run.options).source) {
    case apps::Source::sentence:
      return show_translation(run, text, beam);
    case apps::Source::none:
      return show_text(run, text);
    case apps::Source::picture:
      return show_caption(run, text, beam);
    case apps::Source::story: {
      const std::optional<data::Pair> asked = story_in(run, text);
      return asked ? show_answers(*asked, beam) : Results{};
    }
    case apps::Source::two_sentences: {
      const std::vector<std::string> lines = sentences_of(text.c_str());
      return lines.size() < 2 ? Results{} : show_answers(two_sentences(run, lines[0], lines[1]), beam);
    }
  }
  return {};
}

// Returns true if softalign_reweight can change the attention of the run.
bool can_change(const apps::LoadedRun& run) {
  const apps::TaskProperties& task = apps::task_of(run.options);
  return task.has_source() && task.source != apps::Source::two_sentences && run.source_segmenter.whole_words() &&
         run.model->decoder().has_scores();
}

// Returns what the decoder attends to. Its `words` and `places` are empty if the text is incomplete.
apps::SourceText attended(const apps::LoadedRun& run, const std::string& text) {
  const apps::Source source = apps::task_of(run.options).source;
  if (source == apps::Source::sentence) return read(run, text);
  if (source == apps::Source::picture) return apps::picture_source(run, data::read_picture(text), text);
  const std::optional<data::Pair> asked = story_in(run, text);
  return asked ? apps::source_of(run, *asked) : apps::SourceText{};
}

// Returns the words of `words` that the run does not know, each with similar words.
Json unknown_words(const apps::LoadedRun& run, const data::Tokens& words) {
  const bool has_source = apps::task_of(run.options).has_source_words();
  const auto& segmenter = has_source ? run.source_segmenter : run.target_segmenter;
  const auto& known = has_source ? run.source : run.target;
  Json unknown = Json::array();
  std::set<std::string> seen;
  for (const std::string& word : words)
    if (apps::is_unknown(word, segmenter, known) && seen.insert(word).second)
      unknown.push_back({{"word", word}, {"similar", apps::similar_words(run, word)}});
  return unknown;
}

// Returns the progress that a page shows after a training step.
std::string step_line(const apps::Progress& progress, std::size_t step) {
  return Json{{"step", step}, {"epoch", progress.epoch}, {"done", progress.done}, {"loss", progress.loss}}.dump();
}

std::string train(const apps::RunFolder& folder, int epochs, const std::string& sentence, softalign_progress progress) {
  std::string config;
  apps::TrainOptions options = apps::read_config(folder, config);
  if (epochs > 0) options.epochs = static_cast<std::size_t>(epochs);
  const apps::TrainingData corpus = apps::read_training_data(options);
  apps::LoadedRun run = apps::learn_run(options, config, corpus.train.pairs);
  apps::check_feasible(run, corpus);
  apps::save_text(run, folder);
  apps::Seq2SeqTask task(run, corpus);
  apps::Trainer trainer(task, apps::trainer_options(options), folder);
  bool ended = false;
  std::size_t steps = 0;
  const auto show = [&](const std::string& line) {
    if (progress && progress(line.c_str()) == 0) ended = true;
  };
  apps::TrainingHooks hooks;
  hooks.step = [&](const apps::Progress& now) { show(step_line(now, ++steps)); };
  hooks.epoch = [&](const apps::EpochReport& report) {
    Json line{{"metrics", Json::parse(report.metrics(task))}, {"record", nullptr}};
    if (!sentence.empty())
      if (const apps::SourceText source = read(run, sentence); !source.words.empty())
        line["record"] = greedy_translation(run, source);
    show(line.dump());
  };
  hooks.interrupted = [&] { return ended; };
  const autograd::Stopwatch watch;
  const apps::TrainingEnd end = trainer.train(hooks);
  return Json{{"steps", trainer.state().steps},
              {"seconds", watch.seconds()},
              {"finished", end != apps::TrainingEnd::interrupted}}
      .dump();
}

}  // namespace

const char* softalign_open(const char* folder) {
  return answer([&] {
    autograd::set_threads(1);
    opened.reset();
    opened.emplace(apps::load_run(folder));
    return Json{{"model", opened->options.model.model},
                {"task", autograd::name_of(opened->options.task)},
                {"parameters", opened->params.count()},
                {"attends", apps::has_attention(*opened)},
                {"changes", can_change(*opened)}}
        .dump();
  });
}

const char* softalign_translate(const char* sentence, int beam) {
  return answer([&]() -> std::string {
    const apps::LoadedRun& run = open_run();
    apps::check_attends(run, "the open run");
    return translations(run, read(run, sentence), beam);
  });
}

const char* softalign_show(const char* text, int beam) {
  return answer([&]() -> std::string {
    const apps::LoadedRun& run = open_run();
    const Results shown = show(run, text, beam);
    return Json{{"record", shown.record}, {"beam", shown.beam}, {"unknown", unknown_words(run, shown.words)}}.dump();
  });
}

const char* softalign_caption(const char* file, int beam) {
  return answer([&] {
    const apps::LoadedRun& run = open_run(models::Task::captioning);
    return found_by_search(run, apps::picture_source(run, data::read_picture(file), file), beam).dump();
  });
}

const char* softalign_answer(const char* story, const char* question, int count) {
  return answer([&] {
    const apps::LoadedRun& run = open_run(models::Task::questions);
    const std::string asked = data::clean_line(question, "the question", 1);
    return answers(asked_about(run, sentences_of(story), asked), number(count));
  });
}

const char* softalign_entail(const char* premise, const char* hypothesis, int count) {
  return answer([&] {
    const apps::LoadedRun& run = open_run(models::Task::entailment);
    return answers(two_sentences(run, data::clean_line(premise, "the premise", 1),
                                 data::clean_line(hypothesis, "the hypothesis", 1)),
                   number(count));
  });
}

const char* softalign_reweight(const char* text, int step, const float* weights, int size) {
  return answer([&]() -> std::string {
    const apps::LoadedRun& run = open_run();
    if (!can_change(run))
      throw data::Error(data::ErrorKind::wrong_usage,
                        fmt::format("the attention of this run cannot be changed, because the model {} has no weights "
                                    "over a source that are a softmax of scores, or the run has subwords",
                                    run.options.model.model));
    const apps::SourceText source = attended(run, text);
    if ((source.words.empty() && source.places.empty()) || step < 0 || size < 0)
      throw data::Error(data::ErrorKind::wrong_usage,
                        "the text must be complete, and the number of the step must not be negative");
    const autograd::NoGrad no_grad;
    const models::Memory memory = run.model->encode(data::make_source_batch({apps::encoded(source)}, {0}));
    models::Intervention change{data::InterventionKind::weights, static_cast<std::size_t>(step)};
    change.row.assign(weights, weights + size);
    const bool changes = size > 0;
    const models::Hypothesis found =
        models::decode_with(run.model->decoder(), memory, changes ? &change : nullptr, autograd::Random(1));
    data::Record record =
        apps::complete_record(run, source, found, data::DecodingMode::greedy, 0, 0, apps::MatrixBy::decoder);
    record.intervention = data::Change{.kind = changes ? change.kind : data::InterventionKind::none,
                                       .step = changes ? std::optional(change.step) : std::nullopt};
    return data::to_json(record);
  });
}

const char* softalign_align(const char* sentence, const char* translation) {
  return answer([&] {
    const apps::LoadedRun& run = open_run(models::Task::translation);
    const apps::SourceText source = read(run, sentence);
    data::Pair pair;
    pair.source = source.words, pair.source_line = source.line;
    pair.target_line = data::clean_line(translation, "the translation", 1);
    pair.target = apps::tokenizer(run.options)(pair.target_line);
    std::string json;
    apps::align_pairs(run, "the run", {pair}, apps::Units::words, apps::AttentionDetail::all,
                      [&](const data::Record& record) { json = data::to_json(record); });
    return json;
  });
}

const char* softalign_train(const char* folder, int epochs, const char* sentence, softalign_progress progress) {
  return answer([&] {
    autograd::set_threads(1);
    return train({folder}, epochs, sentence, progress);
  });
}
