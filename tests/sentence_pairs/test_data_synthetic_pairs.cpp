// Entailment: each word of a hypothesis has its source in the premise, and the label says what was changed.
#include "data/sentence_pairs/synthetic_pairs.h"

#include <algorithm>
#include <map>
#include <set>

#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;

// The more general words that an entailed hypothesis may use. Any other word contradicts the premise.
const std::map<std::string, std::string> general{
    {"dog", "animal"},    {"cat", "animal"},    {"horse", "animal"}, {"cow", "animal"},  {"man", "person"},
    {"woman", "person"},  {"girl", "person"},   {"boy", "person"},   {"car", "vehicle"}, {"bus", "vehicle"},
    {"truck", "vehicle"}, {"train", "vehicle"}, {"runs", "moves"},   {"walks", "moves"}, {"jumps", "moves"},
    {"sleeps", "rests"},  {"sits", "rests"},    {"lies", "rests"}};

bool is_article(const std::string& word) { return word == "a" || word == "an"; }
bool follows(const std::string& said, const std::string& from) {
  if (is_article(said) && is_article(from)) return true;
  return said == from || (general.count(from) && general.at(from) == said);
}

}  // namespace

TEST_CASE("entailment: each word is its premise word, a more general word, or in a contradiction an opposite") {
  autograd::Random random(1);
  std::map<size_t, size_t> labels;
  size_t shorter = 0, more_general = 0, reordered = 0;
  for (int k = 0; k < 1000; ++k) {
    const Entailment pair = draw_entailment(random);
    ++labels[pair.label];
    REQUIRE(pair.gold.size() == pair.hypothesis.size());
    size_t against = 0, of_nobody = 0, last = 0;
    for (size_t j = 0; j < pair.gold.size(); ++j) {
      if (!pair.gold[j]) {
        of_nobody += pair.hypothesis[j] != "and";
        continue;
      }
      const std::string &said = pair.hypothesis[j], &from = pair.premise.at(*pair.gold[j]);
      against += !follows(said, from);
      more_general += said != from && !is_article(said) && follows(said, from);
      reordered += *pair.gold[j] < last;
      last = *pair.gold[j];
    }
    INFO(join_words(pair.premise) << " | " << join_words(pair.hypothesis) << " | " << entailment_labels[pair.label]);
    CHECK(against == (pair.label == 2 ? 1 : 0));
    CHECK((of_nobody > 0) == (pair.label == 1));
    const size_t statements =
        1 + static_cast<size_t>(std::count(pair.hypothesis.begin(), pair.hypothesis.end(), "and"));
    shorter += pair.hypothesis.size() < 5 * statements - 1;
  }
  for (size_t label = 0; label < 3; ++label) CHECK(labels[label] > 250);
  CHECK((shorter > 100 && more_general > 100 && reordered > 100));
}

TEST_CASE("entailment: a noun without a gold link is not in the premise, and general names have one bearer") {
  autograd::Random random(2);
  for (int k = 0; k < 1000; ++k) {
    const Entailment pair = draw_entailment(random);
    const auto named = [&](const auto& test) { return std::count_if(pair.premise.begin(), pair.premise.end(), test); };
    for (size_t j = 0; j < pair.gold.size(); ++j) {
      const std::string& word = pair.hypothesis[j];
      const bool is_noun = general.count(word) && general.at(word) != "moves" && general.at(word) != "rests";
      if (!pair.gold[j] && is_noun) CHECK(named([&](const std::string& other) { return other == word; }) == 0);
      if (word == "animal" || word == "person" || word == "vehicle")
        CHECK(named([&](const std::string& other) { return general.count(other) && general.at(other) == word; }) == 1);
    }
  }
}

TEST_CASE("entailment: all words are listed once, and equal seeds give equal pairs") {
  const std::vector<std::string> words = entailment_words();
  const std::set<std::string> known(words.begin(), words.end());
  CHECK(known.size() == words.size());
  autograd::Random one(3), again(3), other(4);
  bool differs = false;
  for (int k = 0; k < 300; ++k) {
    const Entailment pair = draw_entailment(one), same = draw_entailment(again);
    CHECK((pair.premise == same.premise && pair.hypothesis == same.hypothesis && pair.label == same.label));
    differs |= pair.premise != draw_entailment(other).premise;
    for (const Tokens* side : {&pair.premise, &pair.hypothesis})
      for (const std::string& word : *side) CHECK(known.count(word) == 1);
  }
  CHECK(differs);
}

TEST_CASE("entailment: an is before vowels and a before consonants, and an animal may be the subject") {
  autograd::Random random(5);
  size_t an_animal = 0, single = 0;
  for (int k = 0; k < 1000; ++k) {
    const Entailment pair = draw_entailment(random);
    single += std::count(pair.premise.begin(), pair.premise.end(), "and") == 0;
    for (const Tokens& sentence : {pair.premise, pair.hypothesis})
      for (size_t i = 0; i + 1 < sentence.size(); ++i) {
        const bool vowel = std::string("aeiou").find(sentence[i + 1].front()) != std::string::npos;
        if (is_article(sentence[i])) CHECK((sentence[i] == "an") == vowel);
        an_animal += sentence[i] == "an" && sentence[i + 1] == "animal";
      }
  }
  CHECK(an_animal > 10);
  CHECK((single > 100 && single < 200));
}
