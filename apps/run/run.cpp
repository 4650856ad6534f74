#include "apps/run/run.h"

#include <fmt/format.h>

#include <new>
#include <numeric>
#include <utility>

#include "apps/run/corpus_files.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "autograd/memory.h"
#include "data/io/error.h"
#include "data/io/files.h"

namespace softalign {

struct Run::Loaded {
  apps::LoadedRun run;
};

namespace {

ErrorKind public_kind(data::ErrorKind kind) {
  switch (kind) {
    case data::ErrorKind::bad_data:
      return ErrorKind::bad_data;
    case data::ErrorKind::wrong_usage:
      return ErrorKind::bad_data;  // options that do not go together in config.json
    case data::ErrorKind::missing_file:
      return ErrorKind::missing_file;
    case data::ErrorKind::damaged_file:
      return ErrorKind::damaged_file;
    case data::ErrorKind::unsupported_format:
      return ErrorKind::unsupported_format;
    case data::ErrorKind::io_error:
      return ErrorKind::io_error;
    case data::ErrorKind::out_of_memory:
      return ErrorKind::out_of_memory;
  }
  return ErrorKind::bad_data;
}

// Calls `work` and returns its result. Errors become errors of this library.
template <class Work>
auto or_error(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc& error) {
    throw Error(ErrorKind::out_of_memory, autograd::describe_refusal(error));
  } catch (const std::runtime_error& error) {
    throw Error(public_kind(data::kind_of(error)), error.what());
  }
}

data::Tokens words_of(const apps::LoadedRun& run, const std::string& sentence) {
  data::Tokens words = apps::tokenizer(run.options)(data::clean_line(sentence, "sentence", 1));
  if (words.size() > run.options.max_length)
    throw Error(ErrorKind::bad_data, fmt::format("the sentence has {} words, and this run reads at most {} "
                                                 "(--max-length of its training). Split the sentence",
                                                 words.size(), run.options.max_length));
  return words;
}

Translation translation_of(const apps::LoadedRun& run, const data::Record& record) {
  Translation t;
  t.text = apps::detokenize(run, record.target);
  t.source = record.source;
  t.target = record.target;
  t.matrix = record.weights.matrix;
  for (const data::Link& link : record.links) t.links.push_back({link.source, link.target});
  t.log_prob = std::accumulate(record.logprob.begin(), record.logprob.end(), 0.0);
  return t;
}

}  // namespace

Run::Run(const std::string& folder)
    : loaded_(or_error([&] { return std::make_unique<const Loaded>(Loaded{apps::load_run(folder)}); })) {
  try {
    apps::check_task(loaded_->run.options.task, models::Task::translation, folder);
  } catch (const data::Error& error) {
    throw Error(ErrorKind::wrong_usage, error.what());
  }
}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

std::vector<Translation> Run::translate(const std::vector<std::string>& sentences, std::size_t beam) const {
  const apps::LoadedRun& run = loaded_->run;
  return or_error([&] {
    std::vector<Translation> translations(sentences.size());
    std::vector<apps::SourceText> sources;  // one per sentence that is not blank
    std::vector<std::size_t> places;        // indices of these sentences
    std::vector<data::EncodedPair> texts;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      data::Tokens words = words_of(run, sentences[i]);
      if (words.empty()) continue;
      sources.push_back(apps::source_text(run, std::move(words)));
      places.push_back(i);
      texts.push_back(encoded(sources.back()));
    }
    const auto found = apps::search(*run.model, run.params, texts, {.beam = beam});
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto mode = beam == 1 ? data::DecodingMode::greedy : data::DecodingMode::beam;
      translations[places[k]] =
          translation_of(run, apps::hypothesis_record(run, sources[k], found[k].front(), mode, places[k], 0));
    }
    return translations;
  });
}

Translation Run::translate(const std::string& sentence, std::size_t beam) const {
  return translate(std::vector<std::string>{sentence}, beam).front();
}

Translation Run::align(const std::string& sentence, const std::string& translation) const {
  const apps::LoadedRun& run = loaded_->run;
  return or_error([&] {
    data::Pair pair;
    pair.source = words_of(run, sentence);
    pair.target = words_of(run, translation);
    if (pair.source.empty() || pair.target.empty())
      throw Error(ErrorKind::bad_data, "align: a blank sentence has no words to align");
    const apps::SubwordPair subwords = apps::in_subwords(run, pair);
    const auto teacher_forced = apps::teacher_force(run, {pair});
    return translation_of(run, apps::teacher_forced_record(pair, apps::in_words(teacher_forced.front(), subwords), 0));
  });
}

}  // namespace softalign
