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

// Place is the room of a person, and the sentence that says so.
struct Place {
  std::string room;
  std::size_t sentence;
};

// Thing has the holder of a thing, or the place where it was left.
struct Thing {
  std::optional<std::string> holder;
  std::size_t sentence;  // the sentence that says so
  Place left_at{};       // used if there is no holder
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

  // somebody and something return nothing if no question is possible.
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
  Words free_at(const std::string& room) const {  // a thing that nobody has touched yet may be anywhere
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

// If with_things is true, the question asks for a thing. Otherwise it asks for a person.
Story draw_moves(bool with_things, std::size_t sentences, autograd::Random& random) {
  while (true) {  // until a question is possible
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

// --- facts about methods and their uses, and about fields of research ---

// A Relation has the sentences that connect two phrases, and the questions for each of them. In the patterns, {0} and
// {1} are the two phrases. {2} and {3} are "is" or "are", as the number of {0} and of {1} requires. {4} is the "s" of a
// verb, as the number of {0} requires.
struct Relation {
  Words said, asked_for_first, asked_for_second;
};
// Facts has phrases of one or several words. Chinese phrases are written without spaces. A field may be the subject of
// one sentence and the object of another.
struct Facts {
  Words methods, uses, fields;
  std::vector<Relation> relations;  // the first connects methods and uses, the others connect fields
};
const Facts english{
    {"convolution", "recurrence", "attention", "regression", "clustering", "boosting", "search", "dropout", "embedding",
     "sampling", "neural networks", "convolutional neural networks", "recurrent neural networks", "decision trees",
     "deep learning", "reinforcement learning"},
    {"images", "speech", "translation", "text", "tables", "groups", "games", "ranking", "words", "noise",
     "image processing", "speech recognition", "machine translation", "text processing", "text classification",
     "computer games"},
    {"artificial intelligence", "computer science", "machine learning", "deep learning", "neural networks",
     "statistics", "mathematics", "speech recognition", "image processing", "search"},
    {{{"{0} {2} good for {1}", "{0} {2} particularly good for {1}", "{0} {2} very good for {1}",
       "for {1} people use {0}", "{1} {3} a case for {0}", "{0} suit{4} {1}"},
      {"what is good for {1}", "what suits {1}", "what do people use for {1}"},
      {"what {2} {0} good for", "where do people use {0}"}},
     {{"{0} {2} a branch of {1}", "{0} {2} one branch of {1}"},
      {"what is a branch of {1}"},
      {"what {2} {0} a branch of"}},
     {{"{0} {2} a subfield of {1}", "{0} {2} a part of {1}"},
      {"what is a subfield of {1}", "what is a part of {1}"},
      {"what {2} {0} a subfield of", "what {2} {0} a part of"}},
     {{"{0} {2} the basis of {1}", "{0} {2} the foundation of {1}"},
      {"what is the basis of {1}", "what is the foundation of {1}"},
      {"what {2} {0} the basis of"}}}};
const Facts chinese{
    {"卷积", "循环", "注意力", "回归", "聚类", "提升", "搜索", "随机失活", "嵌入", "采样", "神经网络", "卷积神经网络",
     "循环神经网络", "决策树", "深度学习", "强化学习"},
    {"图像处理", "语音识别", "机器翻译", "文本分类", "表格", "分组", "游戏", "排序", "词语", "降噪", "图像", "语音",
     "文本处理", "电脑游戏"},
    {"人工智能", "计算机科学", "机器学习", "深度学习", "神经网络", "统计学", "数学", "语音识别", "图像处理", "搜索"},
    {{{"{0} 适合 {1}", "{0} 特别 适合 {1}", "{1} 用 {0}", "{0} 对 {1} 很 好", "做 {1} 的 人 用 {0}"},
      {"什么 适合 {1}", "{1} 用 什么", "什么 对 {1} 很 好"},
      {"{0} 适合 什么", "哪里 用 {0}"}},
     {{"{0} 是 {1} 的 一个 分支", "{0} 是 {1} 的 分支"}, {"什么 是 {1} 的 一个 分支"}, {"{0} 是 什么 的 分支"}},
     {{"{0} 是 {1} 的 子领域", "{0} 属于 {1}"}, {"什么 是 {1} 的 子领域", "什么 属于 {1}"}, {"{0} 是 什么 的 子领域"}},
     {{"{0} 是 {1} 的 基础"}, {"什么 是 {1} 的 基础"}, {"{0} 是 什么 的 基础"}}}};
constexpr double share_of_methods = 0.6;  // of the sentences, about methods and uses

// is_plural is true for "neural networks", but not for "statistics".
bool is_plural(const std::string& phrase) { return phrase.ends_with("s") && !phrase.ends_with("ics"); }

Tokens put_into_words(const std::string& pattern, const std::string& first, const std::string& second) {
  const auto is = [](const std::string& phrase) { return is_plural(phrase) ? "are" : "is"; };
  return split_words(
      fmt::format(fmt::runtime(pattern), first, second, is(first), is(second), is_plural(first) ? "" : "s"));
}

// as_one_word joins the words of an answer: convolutional_neural_networks.
std::string as_one_word(std::string phrase) {
  std::replace(phrase.begin(), phrase.end(), ' ', '_');
  return phrase;
}

// In every relation, a phrase occurs at most once as the first phrase and once as the second. Therefore each question
// has one answer.
Story draw_facts(const Facts& facts, std::size_t n, autograd::Random& random) {
  struct Fact {
    std::size_t relation;
    std::string first, second;
  };
  std::vector<Fact> told;
  while (told.size() < n) {
    const bool of_methods = random.uniform() < share_of_methods;
    Fact fact{of_methods ? 0 : 1 + random.below(facts.relations.size() - 1),
              random.one_of(of_methods ? facts.methods : facts.fields),
              random.one_of(of_methods ? facts.uses : facts.fields)};
    const auto clashes = [&](const Fact& other) {
      return fact.relation == other.relation && (fact.first == other.first || fact.second == other.second);
    };
    if (fact.first != fact.second && std::none_of(told.begin(), told.end(), clashes)) told.push_back(std::move(fact));
  }
  Story story;
  const bool full_stops = random.below(2) == 0;
  for (const auto& [relation, first, second] : told) {
    story.sentences.push_back(put_into_words(random.one_of(facts.relations[relation].said), first, second));
    if (full_stops) story.sentences.back().emplace_back(&facts == &chinese ? "。" : ".");
  }
  const std::size_t i = random.below(n);
  const auto& [relation, first, second] = told[i];
  const bool for_first = random.below(2) == 0;
  const Relation& asked = facts.relations[relation];
  story.question =
      put_into_words(random.one_of(for_first ? asked.asked_for_first : asked.asked_for_second), first, second);
  story.answer = as_one_word(for_first ? first : second);
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
  std::set<std::string> words{"."};
  for (const Words& phrases : {english.methods, english.uses, english.fields})
    for (const std::string& phrase : phrases) {
      words.insert(as_one_word(phrase));
      for (const std::string& word : split_words(phrase)) words.insert(word);
    }
  for (const Relation& relation : english.relations)
    for (const Words& patterns : {relation.said, relation.asked_for_first, relation.asked_for_second})
      for (const std::string& pattern : patterns)
        for (const char* phrase : {"search", "images"})  // singular and plural
          for (const std::string& word : put_into_words(pattern, phrase, phrase)) words.insert(word);
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
