#include "data/synthetic/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "data/pictures/png.h"
#include "data/pictures/synthetic_captions.h"
#include "data/sentence_pairs/synthetic_corpus.h"
#include "data/stories/synthetic_corpora.h"
#include "data/synthetic/repeated_texts.h"

namespace softalign::data {

namespace {

constexpr size_t patience = 10'000;  // draws without a new content

}  // namespace

const std::vector<SyntheticCorpus>& synthetic_corpora() {
  const std::vector<std::string> smaller{"train=6000", "valid=500", "test=500"},
      larger{"train=10000", "valid=500", "test=1000"};
  static const std::vector<SyntheticCorpus> corpora{
      {"shapes", "pictures of two shapes on a board, with captions", "captioning", smaller, shapes_and_caption},
      {"scenes", "larger pictures of two to four shapes of two sizes, with captions", "captioning", smaller,
       scene_and_caption},
      {"repeats", "texts of who likes what, said again", "language-model", smaller, text_that_repeats},
      {"facts", "what suits what, and a question", "questions", larger, facts_and_question},
      {"facts-zh", "the same in Chinese", "questions", larger, chinese_facts_and_question},
      {"one", "people who move, and where one of them is", "questions", larger, moves_and_person},
      {"two", "people who move things, and where one is", "questions", larger, moves_and_thing},
      {"entailment", "a sentence, and whether another follows from it", "entailment", larger, premise_and_hypothesis}};
  return corpora;
}

const SyntheticCorpus* find_synthetic_corpus(std::string_view name) {
  const std::vector<SyntheticCorpus>& all = synthetic_corpora();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const SyntheticCorpus& corpus) { return corpus.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<SyntheticExample> draw_different(const SyntheticCorpus& corpus, size_t count, uint64_t seed) {
  autograd::Random random(seed);
  std::unordered_set<std::string> contents;
  std::vector<SyntheticExample> drawn;
  for (size_t attempts = 0; drawn.size() < count; ++attempts) {
    if (attempts == patience)
      throw std::runtime_error(fmt::format("{}: nothing new in {} draws, after {} of the {} wanted; ask for fewer",
                                           corpus.name, patience, drawn.size(), count));
    SyntheticExample example = corpus.draw(random);
    if (!contents.insert(example.content).second) continue;
    drawn.push_back(std::move(example));
    attempts = 0;
  }
  return drawn;
}

std::string pictures_folder(const std::string& name) { return name + "-pictures"; }

std::string picture_name(const std::string& name, size_t i) {
  return fmt::format("{}/{:06}.png", pictures_folder(name), i + 1);
}

std::vector<NewFile> files_of(const std::string& name, std::span<const SyntheticExample> examples) {
  std::vector<NewFile> files{{name + ".tsv", {}}};
  for (size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].picture) {
      files.push_back({picture_name(name, i), png(*examples[i].picture)});
      files.front().bytes += files.back().name;
    }
    files.front().bytes += examples[i].line + "\n";
  }
  return files;
}

}  // namespace softalign::data
