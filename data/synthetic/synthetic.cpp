#include "data/synthetic/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <unordered_set>

#include "data/corpus/readers.h"
#include "data/io/error.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/pictures/picture_file.h"
#include "data/pictures/synthetic_captions.h"
#include "data/sentence_pairs/sentence_pairs.h"
#include "data/sentence_pairs/synthetic_pairs.h"
#include "data/stories/story_corpus.h"
#include "data/stories/story_world.h"
#include "data/stories/synthetic_stories.h"
#include "data/synthetic/repeated_texts.h"

namespace softalign::data {

namespace {

constexpr std::size_t most_draws = 10'000;  // attempts without new content

}  // namespace

const std::vector<SyntheticCorpus>& synthetic_corpora() {
  const std::vector<std::string> smaller{"train=6000", "valid=500", "test=500"},
      larger{"train=10000", "valid=500", "test=1000"};
  static const std::vector<SyntheticCorpus> corpora{
      {"shapes", "pictures of two shapes on a board, with captions", "captioning", smaller, shapes_and_caption},
      {"scenes", "larger pictures of two to four shapes of two sizes, with captions", "captioning", smaller,
       scene_and_caption},
      {"repeats", "texts about who likes what, with repetitions", "language-model", smaller, text_that_repeats},
      {"facts", "facts about methods and their uses, with a question", "questions", larger, facts_and_question},
      {"facts-zh", "as facts, in Chinese", "questions", larger, chinese_facts_and_question},
      {"one", "stories of people who move, with a question about where one person is", "questions", larger,
       moves_and_person},
      {"two", "stories of people who carry things, with a question about where one thing is", "questions", larger,
       moves_and_thing},
      {"stories", "stories of people, things and containers that move, controlled by the options in the group Stories",
       "questions", larger, [](autograd::Random& random) { return story_and_question({}, random); }},
      {"entailment", "pairs of sentences, labelled by whether the second sentence follows from the first", "entailment",
       larger, premise_and_hypothesis}};
  return corpora;
}

const SyntheticCorpus* find_synthetic_corpus(std::string_view name) {
  const std::vector<SyntheticCorpus>& all = synthetic_corpora();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SyntheticCorpus& corpus) { return corpus.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<SyntheticExample> draw_different(const SyntheticCorpus& corpus, std::size_t count, std::uint64_t seed) {
  autograd::Random random(seed);
  std::unordered_set<std::string> contents;
  std::vector<SyntheticExample> sampled;
  for (std::size_t attempts = 0; sampled.size() < count; ++attempts) {
    if (attempts == most_draws)
      throw Error(
          ErrorKind::bad_data,
          fmt::format("{}: the program found no new example in {} attempts, and has {} of {} examples. Generate fewer",
                      corpus.name, most_draws, sampled.size(), count));
    SyntheticExample example = corpus.draw(random);
    if (!contents.insert(example.content).second) continue;
    sampled.push_back(std::move(example));
    attempts = 0;
  }
  return sampled;
}

std::string pictures_folder(const std::string& name) { return name + "-pictures"; }

std::string picture_name(const std::string& name, std::size_t i) {
  return fmt::format("{}/{:06}.png", pictures_folder(name), i + 1);
}

std::vector<NewFile> files_of(const std::string& name, std::span<const SyntheticExample> examples) {
  std::vector<NewFile> files{{name + ".tsv", {}}};
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].picture) {
      files.push_back({picture_name(name, i), png(*examples[i].picture)});
      files.front().bytes += files.back().name;
    }
    files.front().bytes += examples[i].line + "\n";
  }
  return files;
}

namespace {

namespace fs = std::filesystem;

// without_gold names the first pair without gold links, by its line.
std::string without_gold(const std::vector<Pair>& pairs) {
  const auto none = std::find_if(pairs.begin(), pairs.end(), [](const Pair& pair) { return !pair.gold; });
  return none == pairs.end() ? "" : fmt::format("line {} has no gold", none->line);
}

// Each line must have its picture, NAME-pictures/000001.png and so on. The folder must have no other file.
std::string problem_of_pictures(const std::string& folder, const std::string& name) {
  const std::vector<std::string> lines = read_lines(folder + "/" + name + ".tsv");
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string picture = picture_name(name, i);
    if (lines[i].rfind(picture + "\t", 0) != 0) return fmt::format("line {} is not of {}", i + 1, picture);
    if (!exists(folder + "/" + picture)) return picture + " is not there";
  }
  const auto files = static_cast<std::size_t>(
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
  return format_tsv(pairs) == read_bytes(file) ? "" : "it differs from the files that this program writes";
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
