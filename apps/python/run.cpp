// softalign.Run: a trained model.
#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/cli/command_line.h"
#include "apps/em/em_baseline.h"
#include "apps/inference/align_pairs.h"
#include "apps/inference/answers.h"
#include "apps/inference/decoding.h"
#include "apps/inference/evaluation_report.h"
#include "apps/inference/translator.h"
#include "apps/python/bindings.h"
#include "apps/python/call_options.h"
#include "apps/python/engine_call.h"
#include "apps/python/found.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "autograd/threads/blas.h"
#include "data/io/commands.h"
#include "data/io/files.h"
#include "data/pictures/picture_file.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "models/registry.h"
#include "models/search/prompt.h"

namespace softalign::python {

namespace {

using Texts = std::vector<std::string>;

// Opened is a run that Python has opened. `run` is null after close().
struct Opened {
  Texts folders;
  std::unique_ptr<const apps::LoadedRun> run;

  const std::string& name() const { return folders.front(); }
  const apps::LoadedRun& get() const {
    if (!run)
      throw apps::UsageError(
          fmt::format("the run {} is closed. Open it again: softalign.Run({})", name(), data::in_quotes(name())));
    return *run;
  }
  const apps::LoadedRun& get(models::Task task) const {
    apps::check_task(get().options.task, task, name());
    return *run;
  }
};

// Parses the options of a call with a command line that `declare` fills, and then calls check(line).
template <class Declare, class Check>
void parse(const std::string& program, const py::dict& options, apps::CommonOptions& common, const Declare& declare,
           const Check& check) {
  if (options.empty()) return;
  apps::CommandLine line(program, "", {}, common);
  declare(line);
  const Texts words = words_of(options, line);
  in_engine([&] {
    return line.call(words, [&] {
      check(line);
      return 0;
    });
  });
}
template <class Declare>
void parse(const std::string& program, const py::dict& options, apps::CommonOptions& common, const Declare& declare) {
  parse(program, options, common, declare, [](const apps::CommandLine&) {});
}

// Uses the number of threads of a call. EngineState restores the earlier number.
void use_threads(const apps::CommonOptions& common) {
  if (common.threads > 0 && static_cast<int>(common.threads) != autograd::threads())
    autograd::set_threads(static_cast<int>(common.threads));
}

std::unique_ptr<Opened> open(const Texts& folders, const py::dict& options) {
  apps::CommonOptions common;
  apps::MatrixChoice matrix;
  parse("run", options, common, [&](apps::CommandLine& line) { line.add_here(table(matrix)); });
  auto opened = std::make_unique<Opened>(Opened{folders, nullptr});
  if (folders.empty()) throw apps::UsageError("no run is given. Name at least one run folder");
  in_engine([&] {
    apps::LoadedRun run = apps::load_runs(folders);
    apply(matrix, run, folders.front());
    opened->run = std::make_unique<const apps::LoadedRun>(std::move(run));
  });
  return opened;
}

// Adds the number of the sentence to an error in a list of sentences.
template <class Work>
auto at_sentence(std::size_t number, std::size_t count, const Work& work) {
  try {
    return work();
  } catch (const data::Error& error) {
    if (count < 2) throw;
    throw data::Error(error.kind(), fmt::format("sentence {}: {}", number + 1, error.what()));
  }
}

data::Record blank(const apps::SourceText& source, std::size_t id, data::DecodingMode mode) {
  data::Record record = data::blank_record(id);
  record.mode = mode;
  record.source_original = data::Original{source.line, {}};
  record.target_original = data::Original{"", {}};
  record.unknown.emplace();
  return record;
}

struct TranslateCall {
  apps::CommonOptions common;
  apps::TranslatorOptions options;
  bool heads = false;

  explicit TranslateCall(const py::dict& given) {
    const auto declare_all = [&](apps::CommandLine& line) {
      declare(line, options.search);
      line.add_here("n-best", &options.search.n_best, "", apps::between(1, 10000));
      declare(line, options.sampling);
      declare(line, options.unknown);
      declare(line, options.faster);
      declare_case(line, options.capitals);
      line.add_here("batch", &options.batch, "", apps::between(1, 10000));
      line.add_here("max-length", &options.max_length, "", apps::between(0, models::longest_sentence));
      line.add_here("heads", &heads, "");
    };
    parse("translate", given, common, declare_all, [&](const apps::CommandLine& line) {
      check_decoding(line, options.search, options.sampling);
      prepare(options.unknown);
    });
    options.seed = common.seed;
  }
};

// Throws data::Error like the program `translate` if the run cannot translate.
void check_translates(const apps::LoadedRun& run, const std::string& name) {
  if (const apps::TaskProperties& task = task_of(run.options); std::string_view(task.program) != "translate")
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("--run {}: the model was trained for the task {} and cannot translate. Use the "
                    "program for this task: {} --run {}",
                    name, autograd::name_of(run.options.task), data::command(task.program), data::shell_word(name)));
}

// Sentences translates some sentences as the program `translate` does. Its results are records and not text.
class Sentences {
 public:
  Sentences(const apps::LoadedRun& run, const TranslateCall& call)
      : run_(run),
        call_(call),
        reader_(run, call.options, style()),
        continued_(task_of(run.options).has_source() ? nullptr : models::prompted(*run.model)) {
    prepare(faster_ = call.options.faster, run);
    check_case(run, call.options.capitals);
    if (continued_) search_.max_length = sampling_.max_length = longest();
  }

  // Reads the sentences. The first sentence has the number `id`.
  std::vector<apps::Translator::Numbered> read(const Texts& sentences, std::size_t id, std::size_t count) const {
    std::vector<apps::Translator::Numbered> read;
    for (const std::string& sentence : sentences) {
      const std::size_t number = id + read.size();
      read.push_back({number, at_sentence(number, count, [&] {
                        return reader_.read(data::clean_line(sentence, "the sentence", 1));
                      })});
    }
    return read;
  }

  // Returns the translations of each sentence, the best first.
  std::vector<std::vector<Found>> translate(const std::vector<apps::Translator::Numbered>& sources) const {
    std::vector<data::EncodedPair> encoded;
    std::vector<std::size_t> numbers;
    for (const auto& [id, source] : sources) {
      if (is_blank(source)) continue;
      encoded.push_back(apps::encoded(source));
      numbers.push_back(id);
    }
    const models::Seq2Seq& model = continued_ ? *continued_ : *run_.model;
    const apps::TranslatorOptions& o = call_.options;
    auto found = sampling_.samples > 0 ? apps::sample(model, encoded, numbers, sampling_, o.seed)
                                       : apps::search(model, run_.params, encoded, search_, o.batch, {},
                                                      faster_.shortlist ? &*faster_.shortlist : nullptr);
    std::vector<std::vector<Found>> all;
    auto next = found.begin();
    for (const auto& [id, source] : sources) {
      all.emplace_back();
      if (is_blank(source)) {
        all.back().push_back({blank(source, id, mode()), "", 0});
        continue;
      }
      for (models::Hypothesis& one : *next) all.back().push_back(complete(source, one, id, all.back().size()));
      ++next;
    }
    return all;
  }

 private:
  static const apps::HeatmapStyle& style() {
    static const apps::HeatmapStyle any;
    return any;
  }
  std::size_t longest() const {
    const std::size_t asked = call_.options.max_length > 0 ? call_.options.max_length : run_.options.max_length;
    return std::min(asked, models::most_words(run_.options.model));
  }
  bool is_blank(const apps::SourceText& source) const { return source.words.empty() && !continued_; }
  data::DecodingMode mode() const {
    return sampling_.samples > 0 ? record_mode(run_, data::DecodingMode::sampled) : search_mode(run_, search_.beam);
  }
  Found complete(const apps::SourceText& source, models::Hypothesis& one, std::size_t id, std::size_t rank) const {
    if (call_.heads) add_self_attention(one, run_, source);
    Found found{hypothesis_record(run_, source, one, mode(), id, rank), "", one.score};
    replace_unknown(found.record, call_.options.unknown);
    const data::Original sentence = placed_sentence(run_, written(run_, source, found.record, call_.options.capitals));
    add_text(found.record, run_, source, sentence);
    found.text = sentence.line;
    return found;
  }

  const apps::LoadedRun& run_;
  const TranslateCall& call_;
  apps::Translator reader_;
  std::unique_ptr<models::Seq2Seq> continued_;  // a language model that continues each sentence; null for translation
  models::BeamOptions search_ = call_.options.search;
  models::SamplingOptions sampling_ = call_.options.sampling;
  apps::Faster faster_;
};

std::vector<std::vector<Found>> translate(const Opened& opened, const Texts& sentences, const py::dict& given) {
  const TranslateCall call(given);
  return in_engine([&] {
    use_threads(call.common);
    check_translates(opened.get(), opened.name());
    const Sentences some(opened.get(), call);
    std::vector<std::vector<Found>> all;
    for (std::size_t begin = 0; begin < sentences.size(); begin += call.options.batch) {
      const auto first = sentences.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto count = static_cast<std::ptrdiff_t>(std::min(call.options.batch, sentences.size() - begin));
      for (auto& found : some.translate(some.read({first, first + count}, begin, sentences.size())))
        all.push_back(std::move(found));
      check_signals();
    }
    return all;
  });
}

// Reads a sentence for teacher forcing.
data::Tokens words_of_line(const apps::LoadedRun& run, const std::string& line, const char* side, std::size_t most) {
  data::Tokens words = apps::tokenizer(run.options)(line);
  if (most == 0) most = run.options.max_length;
  if (words.size() > most)
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("the {} has {} words, and this run reads at most {} (--max-length of its training). "
                                  "Split the {}, or give a larger --max-length",
                                  side, words.size(), most, side));
  return words;
}

struct PairCall {
  apps::CommonOptions common;
  std::size_t max_length = 0;
  bool heads = false, scores = false;

  explicit PairCall(const py::dict& given) {
    parse("align", given, common, [&](apps::CommandLine& line) {
      line.add_here("max-length", &max_length, "", apps::between(0, models::longest_sentence));
      line.add_here("heads", &heads, "");
      line.add_here("scores", &scores, "");
    });
  }
};

// Reads the pairs of a call. A language model has no source.
std::vector<data::Pair> pairs_of(const apps::LoadedRun& run, const Texts& sources, const Texts& targets,
                                 const PairCall& call) {
  if (sources.size() != targets.size())
    throw apps::UsageError(fmt::format("there are {} sources and {} targets. Give one target for each source",
                                       sources.size(), targets.size()));
  std::vector<data::Pair> pairs(sources.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    at_sentence(i, pairs.size(), [&] {
      data::Pair& pair = pairs[i];
      pair.line = i + 1;
      pair.source_line = data::clean_line(sources[i], "the source", 1);
      pair.target_line = data::clean_line(targets[i], "the target", 1);
      if (task_of(run.options).has_source())
        pair.source = words_of_line(run, pair.source_line, "source", call.max_length);
      pair.target = words_of_line(run, pair.target_line, "target", call.max_length);
      if ((pair.source.empty() && task_of(run.options).has_source()) || pair.target.empty())
        throw data::Error(data::ErrorKind::bad_data, "a blank sentence has no words. Give a source and a target");
    });
  return pairs;
}

std::vector<Found> align(const Opened& opened, const Texts& sources, const Texts& targets, const py::dict& given) {
  const PairCall call(given);
  return in_engine([&] {
    use_threads(call.common);
    const apps::LoadedRun& run = opened.get();
    check_translates(run, opened.name());
    if (call.scores) check_scores(run, false);
    const std::vector<data::Pair> pairs = pairs_of(run, sources, targets, call);
    std::vector<Found> all;
    const auto detail = call.scores  ? apps::AttentionDetail::scored
                        : call.heads ? apps::AttentionDetail::all
                                     : apps::AttentionDetail::at_source;
    const auto name = opened.name();
    align_pairs(run, name, pairs, apps::Units::words, detail, [&](data::Record record) {
      const std::string& text = pairs[record.id].target_line;
      double log_prob = 0;
      for (const float word : record.logprob) log_prob += word;
      all.push_back({std::move(record), text, log_prob});
    });
    return all;
  });
}

// Returns the log-probability of each token of each target. The last token is </s>.
std::vector<std::vector<float>> score(const Opened& opened, const Texts& sources, const Texts& targets,
                                      const py::dict& given) {
  const PairCall call(given);
  return in_engine([&] {
    use_threads(call.common);
    const apps::LoadedRun& run = opened.get();
    check_translates(run, opened.name());
    std::vector<std::vector<float>> all;
    for (auto& one : apps::teacher_force(run, pairs_of(run, sources, targets, call)))
      all.push_back(std::move(one.log_prob));
    return all;
  });
}

// Returns the scores of a corpus as JSON, like the program `evaluate --json`.
std::string evaluate(const Opened& opened, const py::dict& given) {
  apps::CommonOptions common;
  apps::CorpusFiles files;
  models::BeamOptions search;
  apps::UnknownWords unknown;
  data::LinkRule rule;
  Texts references;
  std::string scored_by = apps::standard_words;
  std::size_t max_length = 0, bucket = 10;
  const auto declare_all = [&](apps::CommandLine& line) {
    line.add_here(table(files));
    line.add_here("reference", &references, "");
    line.add_here("tokenize", &scored_by, "", apps::one_of({apps::standard_words, apps::mteval_13a}));
    line.add_here("max-length", &max_length, "", apps::between(0, models::longest_sentence));
    declare(line, search);
    declare(line, unknown);
    declare(line, rule);
    line.add_here("bucket", &bucket, "", apps::between(1, 100000));
  };
  parse("evaluate", given, common, declare_all, [&](const apps::CommandLine& line) {
    check(files);
    check_threshold(line, rule);
    prepare(unknown);
  });
  return in_engine([&] {
    use_threads(common);
    check(files);
    const apps::LoadedRun& run = opened.get();
    const data::Corpus corpus = read_corpus(files, run.options, max_length, data::TooLong::refuse);
    apps::report("{}", corpus.note);
    std::vector<Texts> more;
    for (const std::string& path : references) more.push_back(apps::read_references(path, corpus.pairs.size()));
    std::vector<apps::EvaluatedPair> pairs = apps::evaluate(run, corpus.pairs, search, more, unknown, scored_by);
    if (rule.kind != data::LinkRuleKind::best) set_links(pairs, rule);
    apps::report("{}", add_em_links(pairs, run, apps::RunFolder{opened.name()}));
    return to_json(apps::Evaluation{apps::score(pairs), score_by_length(pairs, bucket), score_by_tag(pairs),
                                    signature_of(pairs, scored_by)});
  });
}

std::vector<std::vector<Found>> caption(const Opened& opened, const Texts& pictures, const py::dict& given) {
  apps::CommonOptions common;
  models::BeamOptions search;
  std::size_t batch = 32;
  const auto declare_all = [&](apps::CommandLine& line) {
    declare(line, search);
    line.add_here("n-best", &search.n_best, "", apps::between(1, 10000));
    line.add_here("batch", &batch, "", apps::between(1, 10000));
  };
  parse("caption", given, common, declare_all, [&](const apps::CommandLine&) {
    if (search.n_best > search.beam)
      throw apps::UsageError("--n-best is larger than --beam. Choose a smaller --n-best or a larger --beam");
  });
  return in_engine([&] {
    use_threads(common);
    const apps::LoadedRun& run = opened.get(models::Task::captioning);
    search.at_most = apps::most_caption_words(run.options);
    const data::DecodingMode mode = search_mode(run, search.beam);
    std::vector<apps::SourceText> sources;
    std::vector<data::EncodedPair> encoded;
    for (const std::string& path : pictures) {
      sources.push_back(picture_source(run, data::read_picture(path), path));
      encoded.push_back(apps::encoded(sources.back()));
    }
    const auto found = apps::search(*run.model, run.params, encoded, search, batch);
    std::vector<std::vector<Found>> all(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      for (const models::Hypothesis& one : found[i]) {
        Found next{complete_record(run, sources[i], one, mode, i, all[i].size()), "", one.score};
        next.text = detokenize(run, next.record.target);
        all[i].push_back(std::move(next));
      }
    return all;
  });
}

// Returns the answers to what a pair asks, the most probable first.
std::vector<Found> answers(const apps::LoadedRun& run, const data::Pair& asked, std::size_t count) {
  const apps::SourceText source = apps::source_of(run, asked);
  std::vector<Found> all;
  auto found = apps::find_answers(run, {apps::encoded(source)}, count);
  for (models::Hypothesis& one : found.front()) {
    Found next{apps::answer_record(run, source, one, count, all.size()), "", one.score};
    next.text = detokenize(run, next.record.target);
    all.push_back(std::move(next));
  }
  return all;
}

struct AnswerCall {
  apps::CommonOptions common;
  std::size_t n_best = 1;

  AnswerCall(const std::string& program, const py::dict& given) {
    parse(program, given, common,
          [&](apps::CommandLine& line) { line.add_here("n-best", &n_best, "", apps::between(1, 10000)); });
  }
};

std::vector<Found> answer(const Opened& opened, const Texts& story, const std::string& question,
                          const py::dict& given) {
  const AnswerCall call("answer", given);
  return in_engine([&] {
    use_threads(call.common);
    const apps::LoadedRun& run = opened.get(models::Task::questions);
    Texts sentences;
    for (std::size_t i = 0; i < story.size(); ++i)
      if (std::string line = data::clean_line(story[i], "the story", i + 1); !data::split_words(line).empty())
        sentences.push_back(std::move(line));
    data::Pair pair;
    set_story(pair, sentences, data::clean_line(question, "the question", 1), apps::tokenizer(run.options),
              "the story");
    return answers(run, pair, call.n_best);
  });
}

std::vector<Found> entail(const Opened& opened, const std::string& premise, const std::string& hypothesis,
                          const py::dict& given) {
  const AnswerCall call("entail", given);
  return in_engine([&] {
    use_threads(call.common);
    const apps::LoadedRun& run = opened.get(models::Task::entailment);
    data::Pair pair;
    set_premise(pair, data::clean_line(premise, "the premise", 1), data::clean_line(hypothesis, "the hypothesis", 1),
                apps::tokenizer(run.options), "the sentences");
    return answers(run, pair, call.n_best);
  });
}

}  // namespace

void add_run(py::module_& m) {
  py::class_<Opened>(m, "Run")
      .def(py::init(&open))
      .def("close", [](Opened& opened) { in_engine([&] { opened.run.reset(); }); })
      .def_property_readonly("folders", [](const Opened& opened) { return opened.folders; })
      .def_property_readonly("closed", [](const Opened& opened) { return opened.run == nullptr; })
      .def_property_readonly("model", [](const Opened& opened) { return opened.get().options.model.model; })
      .def_property_readonly("task", [](const Opened& opened) { return autograd::name_of(opened.get().options.task); })
      .def_property_readonly("parameters", [](const Opened& opened) { return opened.get().params.count(); })
      .def_property_readonly("config", [](const Opened& opened) { return opened.get().config; })
      .def("translate", translate)
      .def("align", align)
      .def("score", score)
      .def("evaluate", evaluate)
      .def("caption", caption)
      .def("answer", answer)
      .def("entail", entail);
}

}  // namespace softalign::python
