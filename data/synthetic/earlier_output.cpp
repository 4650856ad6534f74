#include "data/synthetic/earlier_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "data/io/files.h"
#include "data/io/own_files.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"

namespace softalign::data {

namespace {

namespace fs = std::filesystem;

// The first pair that has none of its gold, told by its line.
std::string without_gold(const std::vector<Pair>& pairs) {
  const auto none = std::find_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return !pair.gold; });
  return none == pairs.end() ? "" : fmt::format("line {} has no gold", none->line);
}

// NAME-pictures/000001.png and so on, a line each, and nothing else in that folder.
std::string problem_of_pictures(const std::string& folder, const std::string& name) {
  const std::vector<std::string> lines = read_lines(folder + "/" + name + ".tsv");
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string picture = picture_name(name, i);
    if (lines[i].rfind(picture + "\t", 0) != 0) return fmt::format("line {} is not of {}", i + 1, picture);
    if (!exists(folder + "/" + picture)) return picture + " is not there";
  }
  const auto files = static_cast<size_t>(
      std::distance(fs::directory_iterator(folder + "/" + pictures_folder(name)), fs::directory_iterator()));
  return files == lines.size()
             ? ""
             : fmt::format("{} holds {} files for {} lines", pictures_folder(name), files, lines.size());
}

}  // namespace

std::string problem_of_earlier_pairs(const std::string& file) try {
  if (!exists(file)) return "";
  check_regular(file);
  const std::vector<Pair> pairs = read_tsv(file).pairs;
  const std::string problem = without_gold(pairs);
  if (!problem.empty()) return problem;
  return format_tsv(pairs) == read_bytes(file) ? "" : "it is not written as this program would";
} catch (const std::exception& error) {
  return error.what();
}

std::string problem_of_earlier_output(const std::string& folder, const std::string& name,
                                      const SyntheticCorpus& corpus) try {
  const std::string file = folder + "/" + name + ".tsv";
  if (read_bytes(folder + "/task") != fmt::format("{}\n", corpus.task))
    return fmt::format("its file task does not say {}", corpus.task);
  if (!exists(file) && !exists(folder + "/" + pictures_folder(name))) return "";
  check_regular(file);
  if (corpus.task == "captioning") return problem_of_pictures(folder, name);
  if (corpus.task == "questions") return without_gold(read_stories(file, {}).pairs);
  if (corpus.task == "entailment") return read_sentence_pairs(file, {}), "";
  return problem_of_earlier_pairs(file);
} catch (const std::exception& error) {
  return error.what();
}

}  // namespace softalign::data
