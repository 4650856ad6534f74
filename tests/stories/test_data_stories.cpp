// Stories: the gold sentences contain the answer. The tests find it again by reading the story from its beginning.
#include "data/stories/synthetic_stories.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/catch.h"

using namespace softalign;

namespace {

using namespace data;

bool says(const Tokens& sentence, const std::string& word) {
  return std::find(sentence.begin(), sentence.end(), word) != sentence.end();
}
bool is_one_of(const std::string& word, const std::set<std::string>& words) { return words.count(word) > 0; }

// The last sentence before `end` in which the person moves, if there is one.
std::optional<size_t> last_move(const Story& story, const std::string& person, size_t end) {
  std::optional<size_t> last;
  for (size_t i = 0; i < end; ++i)
    if (story.sentences[i].front() == person && says(story.sentences[i], "to")) last = i;
  return last;
}

Story drawn(const std::string& task, size_t sentences, std::uint64_t seed) {
  autograd::Random random(seed);
  return draw_story(task, sentences, random);
}

}  // namespace

// Whether the sentence contains the words of a phrase next to each other. An answer joins these words by _.
bool mentions(const Tokens& sentence, const std::string& phrase) {
  std::string text = "_";
  for (const std::string& word : sentence) text += word + "_";
  return text.find("_" + phrase + "_") != std::string::npos;
}

TEST_CASE("stories: fact sentences contain the question and the answer, and no question has two answers") {
  std::set<std::string> questions;
  size_t of_several_words = 0, stops = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Story story = drawn("facts", 2 + seed % 9, seed);
    REQUIRE(story.sentences.size() == 2 + seed % 9);
    REQUIRE(story.gold.size() == 1);
    const Tokens& gold = story.sentences[story.gold.front()];
    CHECK(mentions(gold, story.answer));
    const std::set<std::string> common{"what", "is", "are", "a", "of", "the", "for", "good", "people", "use", "do"};
    const auto in_gold = [&](const std::string& word) { return !common.contains(word) && says(gold, word); };
    CHECK(std::any_of(story.question.begin(), story.question.end(), in_gold));
    CHECK_FALSE(mentions(story.question, story.answer));
    questions.insert(story.question.front() + " " + story.question[1]);
    of_several_words += story.answer.find('_') != std::string::npos;
    stops += gold.back() == ".";
  }
  CHECK(questions == std::set<std::string>{"what are", "what do", "what is", "what suits", "where do"});
  CHECK((of_several_words > 50 && stops > 100 && stops < 200));
}

TEST_CASE("stories: a person is where the last move says") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Story story = drawn("one", 3 + seed % 8, seed);
    const auto last = last_move(story, story.question.back(), story.sentences.size());
    REQUIRE(last.has_value());
    CHECK(story.gold == std::vector<size_t>{*last});
    CHECK(story.answer == story.sentences[*last].back());
  }
}

TEST_CASE("stories: a thing is with its last holder or where it was left, and nobody takes it from a distance") {
  size_t left = 0, held = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Story story = drawn("two", 3 + seed % 8, seed);
    std::map<std::string, size_t> touched;  // thing -> the last sentence about it
    for (size_t i = 0; i < story.sentences.size(); ++i) {
      const Tokens& sentence = story.sentences[i];
      if (says(sentence, "to")) continue;
      const std::string &person = sentence.front(), &thing = sentence.back();
      const bool takes = is_one_of(sentence[1], {"took", "got", "grabbed"});
      const auto room = [&](const std::string& who, size_t end) {
        return story.sentences[last_move(story, who, end).value()].back();
      };
      if (touched.count(thing)) {
        const Tokens& before = story.sentences[touched[thing]];
        const bool was_taken = is_one_of(before[1], {"took", "got", "grabbed"});
        CHECK(takes != was_taken);
        if (takes) CHECK(room(before.front(), touched[thing]) == room(person, i));
        else CHECK(before.front() == person);
      } else {
        CHECK(takes);
      }
      CHECK(last_move(story, person, i).has_value());
      touched[thing] = i;
    }
    const size_t about = touched.at(story.question.back());
    const Tokens& sentence = story.sentences[about];
    const bool is_held = is_one_of(sentence[1], {"took", "got", "grabbed"});
    const size_t move = last_move(story, sentence.front(), is_held ? story.sentences.size() : about).value();
    (is_held ? held : left) += 1;
    CHECK(story.gold == std::vector<size_t>{std::min(about, move), std::max(about, move)});
    CHECK(story.answer == story.sentences[move].back());
  }
  CHECK((left > 20 && held > 20));
}

TEST_CASE("stories: all words are listed once, equal seeds give equal stories, and impossible options are errors") {
  const std::vector<std::string> words = story_words();
  const std::set<std::string> known(words.begin(), words.end());
  CHECK(known.size() == words.size());
  for (const std::string task : {"facts", "one", "two"})
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const Story story = drawn(task, 6, seed);
      CHECK(known.count(story.answer) == 1);
      for (const std::string& word : story.question) CHECK(known.count(word) == 1);
      for (const Tokens& sentence : story.sentences)
        for (const std::string& word : sentence) CHECK(known.count(word) == 1);
      CHECK(drawn(task, 6, seed).sentences == story.sentences);
      CHECK(drawn(task, 6, seed + 1).sentences != story.sentences);
    }
  CHECK_THROWS_AS(drawn("three", 4, 1), std::invalid_argument);
  CHECK_THROWS_AS(drawn("one", 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(drawn("facts", 11, 1), std::invalid_argument);
}
