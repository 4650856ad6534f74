// Stories of people, things and containers. The tests find the gold sentences and the answer again by reading
// backwards.
#include "data/stories/story_world.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;

namespace {

using namespace data;

struct Found {
  std::string room;
  std::set<size_t> gold;
};

// The place of a person or a thing after the first `end` sentences, from the latest sentence about it.
class Reader {
 public:
  explicit Reader(const Story& story) : story_(story) {}

  Found place(const std::string& name, size_t end) const {
    for (size_t i = end; i-- > 0;) {
      const Tokens& words = story_.sentences[i];
      if (words.front() == name && is_to(words)) return {words.back(), {i}};  // a person moved
      if (words.size() < 4 || words[3] != name || words[2] != "the") continue;
      if (words[1] == "carried" || words[1] == "brought") return {words.back(), {i}};
      if (words[1] == "put") return with(i, place(words.back(), end));
      if (words[1] == "dropped" || words[1] == "left") return with(i, place(words.front(), i));
      return with(i, place(words.front(), end));  // the thing was taken
    }
    // A container that nobody has moved is in the room where something was first put into it.
    for (size_t i = 0; i < end; ++i)
      if (story_.sentences[i][1] == "put" && story_.sentences[i].back() == name)
        return with(i, place(story_.sentences[i].front(), i));
    throw std::logic_error("nobody says where " + name + " is");
  }
  std::set<size_t> takes(const std::string& name) const {
    std::set<size_t> found;
    for (size_t i = 0; i < story_.sentences.size(); ++i) {
      const Tokens& words = story_.sentences[i];
      if (words.front() == name && (words[1] == "took" || words[1] == "got" || words[1] == "grabbed")) found.insert(i);
    }
    return found;
  }

 private:
  static bool is_to(const Tokens& words) { return words.size() > 3 && words[words.size() - 3] == "to"; }
  static Found with(size_t i, Found found) {
    found.gold.insert(i);
    return found;
  }
  const Story& story_;
};

std::vector<size_t> listed(const std::set<size_t>& gold) { return {gold.begin(), gold.end()}; }

Story drawn(const StoryWorldOptions& o, std::uint64_t seed) {
  autograd::Random random(seed);
  return draw_story(o, random);
}

}  // namespace

TEST_CASE("story world: the latest sentences about the question are gold, and there are as many as facts") {
  for (const size_t facts : {1, 2, 3})
    for (const auto& [people, idle, containers] : {std::array{3, 0, 2}, {5, 4, 2}, {12, 12, 4}}) {
      std::set<std::string> verbs;
      for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Story story = drawn({.people = static_cast<size_t>(people),
                                   .idle = static_cast<size_t>(idle),
                                   .containers = static_cast<size_t>(containers),
                                   .facts = facts},
                                  seed);
        CHECK((story.sentences.size() >= 6 && story.sentences.size() <= 12));
        const Found found = Reader(story).place(story.question.back(), story.sentences.size());
        CHECK(found.room == story.answer);
        CHECK(listed(found.gold) == story.gold);
        CHECK(story.gold.size() == facts);
        for (const size_t i : story.gold) verbs.insert(story.sentences[i][1]);
      }
      CHECK((verbs.count("put") == 1) == (facts > 1));
    }
}

TEST_CASE("story world: the queried room is correct as often as another room") {
  size_t yes = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Story story = drawn({.containers = 2, .question = StoryQuestion::yes_no}, seed);
    const Tokens& asked = story.question;  // for example: is the ball in the kitchen
    const Found found = Reader(story).place(asked[asked.size() - 4], story.sentences.size());
    CHECK(story.answer == (found.room == asked.back() ? "yes" : "no"));
    CHECK(listed(found.gold) == story.gold);
    yes += story.answer == "yes";
  }
  CHECK((yes > 160 && yes < 240));
}

TEST_CASE("story world: a yes/no question names a room of the story, even of a short story") {
  size_t no = 0, single = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Story story =
        drawn({.people = 1, .facts = 1, .question = StoryQuestion::yes_no, .fewest = 1, .most = 2}, seed);
    CHECK(std::any_of(story.sentences.begin(), story.sentences.end(),
                      [&](const Tokens& sentence) { return sentence.back() == story.question.back(); }));
    if (story.sentences.size() == 1) CHECK(story.answer == "yes");  // the story names no other room
    single += story.sentences.size() == 1;
    no += story.answer == "no";
  }
  CHECK((no > 10 && single > 10));
}

TEST_CASE("story world: a yes/no question names a room to which somebody of the gold sentences goes") {
  std::size_t no = 0;
  for (const size_t facts : {1u, 2u, 3u})
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
      const Story story = drawn({.containers = 2, .facts = facts, .question = StoryQuestion::yes_no}, seed);
      no += story.answer == "no";
      CHECK(std::any_of(story.sentences.begin(), story.sentences.end(), [&](const Tokens& sentence) {
        return sentence.back() == story.question.back() &&
               std::any_of(story.gold.begin(), story.gold.end(),
                           [&](size_t i) { return story.sentences[i].front() == sentence.front(); });
      }));
    }
  CHECK((no > 110 && no < 190));
}

TEST_CASE("story world: if no story has enough facts, the message says which options to change") {
  const StoryWorldOptions crowd{
      .people = 12, .idle = 12, .things = 8, .facts = 3, .question = StoryQuestion::count, .fewest = 1, .most = 6};
  std::string said;
  for (std::uint64_t seed = 1; said.empty() && seed <= 20; ++seed)
    said = testing::user_error([&] { drawn(crowd, seed); });  // some counts are small, so that they have stories
  CHECK(said ==
        "none of 10000 generated stories has a question that needs 3 facts. Use a larger --max-sentences, or "
        "fewer --people and --idle");
}

TEST_CASE("story world: counting questions have every count, and the counted sentences are gold") {
  std::map<std::string, size_t> answers;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Story story = drawn({.facts = 3, .question = StoryQuestion::count}, seed);
    CHECK(listed(Reader(story).takes(story.question[3])) == story.gold);
    CHECK(story.answer == std::array{"none", "one", "two", "three"}.at(story.gold.size()));
    ++answers[story.answer];
  }
  CHECK(answers.size() == 3);
  for (const auto& [answer, times] : answers) CHECK(times > 50);
}

TEST_CASE("story world: only the requested number of names occurs, and no question is about idle ones") {
  std::set<std::string> actors, idle;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Story story = drawn({.people = 3, .idle = 2, .facts = 1}, seed);
    for (const Tokens& sentence : story.sentences) {
      const bool acts = std::set<std::string>{"mary", "john", "sandra"}.count(sentence.front()) > 0;
      (acts ? actors : idle).insert(sentence.front());
    }
    CHECK(idle.count(story.question.back()) == 0);
  }
  CHECK(actors.size() == 3);
  CHECK(idle.size() == 2);
}

TEST_CASE("story world: options without a possible story are refused") {
  CHECK(problem_of(StoryWorldOptions{}) == "");
  for (const size_t containers : {0, 1})
    CHECK_THAT(problem_of({.containers = containers, .facts = 3}), Catch::Contains("--facts 3 needs --containers 2"));
  CHECK_THAT(problem_of({.fewest = 9, .most = 8}),
             Catch::Contains("--min-sentences 9 is larger than --max-sentences 8. Change one of the two"));
  CHECK_THAT(problem_of({.containers = 2, .facts = 3, .fewest = 2, .most = 5}),
             Catch::Contains("is too small for --facts 3"));
  CHECK_THROWS_AS(drawn({.facts = 3}, 1), std::invalid_argument);
}
