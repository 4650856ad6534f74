#include "data/stories/synthetic_stories.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>

#include "data/io/unicode.h"
#include "data/stories/story_corpus.h"

namespace softalign::data {

namespace {

// --- people who go from room to room, take things along and leave them ---

using Words = std::vector<std::string>;
const Words people{"mary", "john", "sandra", "daniel"}, things{"apple", "football", "milk"};
const Words rooms{"kitchen", "garden", "office", "bathroom", "hallway", "bedroom"};
const Words goes{"went", "moved", "walked"}, takes{"took", "got", "grabbed"}, leaves{"dropped", "left"};
constexpr double share_of_things = 0.45, share_of_leaving = 0.4;

// Where somebody is, and which sentence says so.
struct Place {
  std::string room;
  std::size_t sentence;
};

// Who has a thing, or where it was left.
struct Thing {
  std::optional<std::string> holder;
  std::size_t sentence;  // that says so
  Place left_at{};       // where there is no holder
};

class World {
 public:
  World(Story& story, autograd::Random& random) : story_(story), random_(random) {}

  void goes_on(bool with_things) {
    const std::string& person = random_.one_of(people);
    if (with_things && places_.count(person) && random_.uniform() < share_of_things) {
      const Words held = held_by(person), free = free_at(places_.at(person).room);
      if (!held.empty() && random_.uniform() < share_of_leaving) return leave(person, random_.one_of(held));
      if (!free.empty()) return take(person, random_.one_of(free));
    }
    const std::string& room = random_.one_of(rooms);
    places_[person] = {room, say({person, random_.one_of(goes), "to", "the", room})};
  }

  // Empty if nothing can be asked.
  std::optional<std::string> somebody() { return any_of(places_); }
  std::optional<std::string> something() { return any_of(things_); }

  void ask_for_person(const std::string& person) {
    story_.question = {"where", "is", person};
    answer(places_.at(person), {});
  }
  void ask_for_thing(const std::string& thing) {
    story_.question = {"where", "is", "the", thing};
    const Thing& it = things_.at(thing);
    answer(it.holder ? places_.at(*it.holder) : it.left_at, it.sentence);
  }

 private:
  std::size_t say(Tokens sentence) {
    story_.sentences.push_back(std::move(sentence));
    return story_.sentences.size() - 1;
  }
  void take(const std::string& person, const std::string& thing) {
    things_[thing] = {person, say({person, random_.one_of(takes), "the", thing})};
  }
  void leave(const std::string& person, const std::string& thing) {
    things_[thing] = {std::nullopt, say({person, random_.one_of(leaves), "the", thing}), places_.at(person)};
  }
  Words held_by(const std::string& person) const {
    return those([&](const Thing* it) { return it && it->holder == person; });
  }
  Words free_at(const std::string& room) const {  // what nobody has touched yet may lie anywhere
    return those([&](const Thing* it) { return !it || (!it->holder && it->left_at.room == room); });
  }
  template <class Test>
  Words those(const Test& test) const {
    Words found;
    for (const std::string& thing : things) {
      const auto it = things_.find(thing);
      if (test(it == things_.end() ? nullptr : &it->second)) found.push_back(thing);
    }
    return found;
  }
  template <class Map>
  std::optional<std::string> any_of(const Map& map) {
    if (map.empty()) return {};
    auto it = map.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random_.below(map.size())));
    return it->first;
  }
  void answer(const Place& place, std::optional<std::size_t> also) {
    std::set<std::size_t> gold{place.sentence};
    if (also) gold.insert(*also);
    story_.answer = place.room;
    story_.gold.assign(gold.begin(), gold.end());
  }

  Story& story_;
  autograd::Random& random_;
  std::map<std::string, Place> places_;  // of people
  std::map<std::string, Thing> things_;
};

// with_things: a thing is asked for, not a person.
Story draw_moves(bool with_things, std::size_t sentences, autograd::Random& random) {
  while (true) {  // until there is something to ask for
    Story story;
    World world(story, random);
    while (story.sentences.size() < sentences) world.goes_on(with_things);
    const std::optional<std::string> asked = with_things ? world.something() : world.somebody();
    if (!asked) continue;
    if (with_things) world.ask_for_thing(*asked);
    else world.ask_for_person(*asked);
    return story;
  }
}

std::vector<std::string> words_of_moves() {
  Words words{"to", "the", "where", "is"};
  for (const Words& more : {people, things, rooms, goes, takes, leaves})
    words.insert(words.end(), more.begin(), more.end());
  return words;
}

using Words = std::vector<std::string>;
// What suits what, how that is said, and how either is asked for.
struct Facts {
  Words methods, uses, said, asked_for_method, asked_for_use;
};
const Facts english{
    {"convolution", "recurrence", "attention", "regression", "clustering", "boosting", "search", "dropout", "embedding",
     "sampling"},
    {"images", "speech", "translation", "text", "tables", "groups", "games", "ranking", "words", "noise"},
    {"{0} is good for {1}", "for {1} people use {0}", "{1} are a case for {0}", "{0} suits {1}"},
    {"what is good for {0}", "what suits {0}", "what do people use for {0}"},
    {"what is {0} good for", "where do people use {0}"}};
const Facts chinese{{"卷积", "循环", "注意力", "回归", "聚类", "提升", "搜索", "随机失活", "嵌入", "采样"},
                    {"图像处理", "语音识别", "机器翻译", "文本分类", "表格", "分组", "游戏", "排序", "词语", "降噪"},
                    {"{0} 适合 {1}", "{1} 用 {0}", "{0} 对 {1} 很 好", "做 {1} 的 人 用 {0}"},
                    {"什么 适合 {0}", "{0} 用 什么", "什么 对 {0} 很 好"},
                    {"{0} 适合 什么", "哪里 用 {0}"}};

Story draw_facts(const Facts& facts, std::size_t n, autograd::Random& random) {
  const Words method = random.some_of(facts.methods, n), use = random.some_of(facts.uses, n);
  Story story;
  for (std::size_t i = 0; i < n; ++i)
    story.sentences.push_back(split_words(fmt::format(fmt::runtime(random.one_of(facts.said)), method[i], use[i])));
  const std::size_t i = random.below(n);
  const bool for_method = random.below(2) == 0;
  const std::string& question = random.one_of(for_method ? facts.asked_for_method : facts.asked_for_use);
  story.question = split_words(fmt::format(fmt::runtime(question), for_method ? use[i] : method[i]));
  story.answer = for_method ? method[i] : use[i];
  story.gold = {i};
  return story;
}

}  // namespace

Story draw_story(const std::string& task, std::size_t sentences, autograd::Random& random) {
  const bool facts = task == "facts" || task == "facts-zh";
  if (!facts && task != "one" && task != "two")
    throw std::invalid_argument(
        fmt::format("unknown kind of story {}; known: facts facts-zh one two", in_quotes(task)));
  if (sentences < fewest_sentences || (facts && sentences > most_facts))
    throw std::invalid_argument(fmt::format("a story of {} sentences; {} has from {}{}", sentences, task,
                                            fewest_sentences, facts ? fmt::format(" to {}", most_facts) : ""));
  if (facts) return draw_facts(task == "facts" ? english : chinese, sentences, random);
  return draw_moves(task == "two", sentences, random);
}

std::vector<std::string> story_words() {
  std::set<std::string> words(english.methods.begin(), english.methods.end());
  words.insert(english.uses.begin(), english.uses.end());
  for (const Words& patterns : {english.said, english.asked_for_method, english.asked_for_use})
    for (const std::string& pattern : patterns)
      for (const std::string& word : split_words(pattern))
        if (word.front() != '{') words.insert(word);
  for (const std::string& word : words_of_moves()) words.insert(word);
  return {words.begin(), words.end()};
}

namespace {

constexpr std::size_t fewest = 4, most = 8;  // sentences

SyntheticExample story(const std::string& kind, autograd::Random& random) {
  Story story = draw_story(kind, fewest + random.below(most - fewest + 1), random);
  story.question.emplace_back("?");
  const std::string line = format_story(story.sentences, story.question, story.answer, story.gold);
  return {line, line, {}};
}

}  // namespace

SyntheticExample facts_and_question(autograd::Random& random) { return story("facts", random); }
SyntheticExample chinese_facts_and_question(autograd::Random& random) { return story("facts-zh", random); }
SyntheticExample moves_and_person(autograd::Random& random) { return story("one", random); }
SyntheticExample moves_and_thing(autograd::Random& random) { return story("two", random); }

}  // namespace softalign::data
