#include "apps/training/swapped_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "apps/inference/unknown_words.h"
#include "apps/run/corpus_files.h"
#include "data/corpus/corpus.h"
#include "data/io/shipped.h"

namespace softalign::apps {

namespace {

// Returns the other tables in the folders of the training and validation files.
std::vector<std::string> other_tables(const std::string& train, const std::string& valid) {
  namespace fs = std::filesystem;
  constexpr std::size_t most = 4;
  std::vector<std::string> tables;
  std::error_code none, missing;
  for (const std::string& file : {train, valid}) {
    const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : fs::path(".");
    std::vector<std::string> here;
    for (fs::directory_iterator entry(folder, none), end; !file.empty() && !none && entry != end;
         entry.increment(none)) {
      const std::string path = entry->path().string();
      if ((path.ends_with(".tsv") || path.ends_with(".tsv.gz")) && entry->is_regular_file(missing) &&
          !fs::equivalent(path, train, missing) && !fs::equivalent(path, valid, missing))
        here.push_back(path);
    }
    std::sort(here.begin(), here.end());
    for (const std::string& path : here)
      if (tables.size() < most && std::find(tables.begin(), tables.end(), path) == tables.end()) tables.push_back(path);
  }
  return tables;
}

// Odd says which of two files has its columns the other way round than the tables next to them.
enum class Odd { train, valid, unknown };

Odd odd_file(const LoadedRun& run, const TrainOptions& options, const std::string& train, const std::string& valid) {
  std::size_t like_train = 0, like_valid = 0;
  for (const std::string& path : other_tables(train, valid)) {
    try {
      CorpusFiles files;
      files.tsv = path;
      const data::Corpus corpus = read_corpus(files, options, 0, data::TooLong::drop, data::Blank::drop);
      SwappedColumns swapped(run), same(run);
      for (const data::Pair& pair : corpus.pairs) {
        swapped.add(pair.source, pair.target);
        same.add(pair.target, pair.source);
      }
      like_valid += swapped.found();
      like_train += same.found();
    } catch (const std::exception&) {  // another kind of table, which says nothing about the columns
    }
  }
  return like_train > like_valid ? Odd::valid : like_valid > like_train ? Odd::train : Odd::unknown;
}

}  // namespace

std::string note_of_swapped(const LoadedRun& run, const TrainOptions& options) {
  const std::string train = data::shipped(training_files(options).tsv);
  const std::string valid = data::shipped(validation_files(options).tsv);
  const std::string what = "the validation sources look like the training targets, and the targets like the sources";
  switch (odd_file(run, options, train, valid)) {
    case Odd::valid:
      return fmt::format(
          "note: {}. The other tables of the folder agree with the training file, so swap the columns "
          "of the validation file:{}",
          what, swapping_command(valid));
    case Odd::train:
      return fmt::format(
          "note: {}. The other tables of the folder agree with the validation file, so swap the columns "
          "of the training file:{}",
          what, swapping_command(train));
    case Odd::unknown:
      break;
  }
  return fmt::format(
      "note: {}. One of the two files has the wrong order. To swap the columns of the validation file:{}"
      "To swap the columns of the training file:{}",
      what, swapping_command(valid), swapping_command(train));
}

}  // namespace softalign::apps
