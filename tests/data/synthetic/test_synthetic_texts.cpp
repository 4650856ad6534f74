// Synthetic stories and sentence pairs follow their formats. The gold links contain what the answer needs.
#include <algorithm>
#include <map>
#include <set>

#include "data/sentence_pairs/sentence_pairs.h"
#include "data/stories/story_corpus.h"
#include "data/synthetic/synthetic.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace data;

template <class Read>
Corpus drawn(const TemporaryFolder& folder, const std::string& name, const Read& read) {
  const SyntheticCorpus* corpus = find_synthetic_corpus(name);
  REQUIRE(corpus != nullptr);
  write_file_set(folder.path.string(), files_of(name, draw_different(*corpus, 100, 1)));
  return read((folder.path / (name + ".tsv")).string(), CorpusOptions{});
}

bool holds(const std::string& sentence, const std::string& word) {
  const Tokens words = split_words(sentence);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("synthetic stories: gold sentences contain the answer and the subject of the question") {
  const TemporaryFolder folder;
  for (const std::string name : {"facts", "facts-zh", "one", "two"}) {
    INFO(name);
    for (const Pair& pair : drawn(folder, name, read_stories).pairs) {
      REQUIRE(pair.gold);
      CHECK((pair.places.size() >= 4 && pair.places.size() <= 8));
      const Links& gold = pair.gold->sure;
      const auto in_gold = [&](const std::string& word) {
        return std::any_of(gold.begin(), gold.end(), [&](const Link& l) { return holds(pair.places[l.source], word); });
      };
      const std::string& answer = pair.target.at(0);  // several words are joined, as in neural_networks
      CHECK(std::any_of(gold.begin(), gold.end(), [&](const Link& l) {
        std::string sentence = pair.places[l.source];
        std::replace(sentence.begin(), sentence.end(), ' ', '_');
        return ("_" + sentence + "_").find("_" + answer + "_") != std::string::npos;
      }));
      const Tokens question = split_words(pair.question);
      CHECK(question.back() == "?");
      if (name == "facts" || name == "facts-zh") {
        const std::set<std::string> common{"what", "is", "are", "a", "of", "the", "for", "good", "什么", "是", "的"};
        const auto in_gold_and_rare = [&](const std::string& word) { return !common.contains(word) && in_gold(word); };
        CHECK(std::any_of(question.begin(), question.end() - 1, in_gold_and_rare));
      } else {
        CHECK(in_gold(question.at(question.size() - 2)));  // the word who or what
      }
      CHECK(gold.size() <= (name == "two" ? 2 : 1));
    }
  }
}

TEST_CASE("synthetic sentence pairs: they have three labels, and links from each word to its premise word") {
  const TemporaryFolder folder;
  std::map<std::string, size_t> labels;
  for (const Pair& pair : drawn(folder, "entailment", read_sentence_pairs).pairs) {
    ++labels[pair.target.at(0)];
    for (const Link& link : pair.between.sure) {
      const std::string &before = pair.source.at(link.source), &after = pair.source.at(pair.parts[0] + link.target);
      for (const std::string article : {"a", "an"}) CHECK((before != article && after != article));
    }
    const auto hypothesis = pair.source.end() - static_cast<std::ptrdiff_t>(pair.parts[1]);
    const auto unlinked = std::count_if(hypothesis, pair.source.end(), [](const std::string& word) {
      return word == "a" || word == "an" || word == "and";
    });
    if (pair.target.at(0) == "entailment")
      CHECK(pair.between.sure.size() + static_cast<size_t>(unlinked) == pair.parts[1]);
  }
  CHECK(labels.size() == 3);
  for (const auto& [label, count] : labels) CHECK(count > 15);
}
