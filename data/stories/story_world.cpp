#include "data/stories/story_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <variant>

#include "data/io/error.h"
#include "data/stories/story_corpus.h"

namespace softalign::data {

namespace {

using Names = std::vector<std::string>;

const Names all_people{"mary",  "john", "sandra", "daniel", "anna", "peter",
                       "julia", "bill", "emma",   "fred",   "lucy", "paul"},
    all_idle{"karl", "nina", "oscar", "rita", "simon", "tina", "hugo", "vera", "walter", "zoe", "igor", "ida"},
    all_things{"apple", "football", "milk", "book", "key", "cup", "letter", "hat"},
    all_containers{"box", "bag", "basket", "suitcase"},
    all_rooms{"kitchen", "garden", "office", "bathroom", "hallway", "bedroom", "cellar", "attic"};
const Names walking{"went", "moved", "walked"}, taking{"took", "got", "grabbed"}, leaving{"dropped", "left"},
    carrying{"carried", "brought"}, resting{"slept", "laughed", "waited", "sang"};
const std::array<const char*, most_facts_of_a_story + 1> counts{"none", "one", "two", "three"};

constexpr double share_of_idle = 0.3;  // of the sentences, if there are idle names
constexpr std::size_t most_draws_of_a_story = 10'000;

Names first(const Names& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

using Sentences = std::set<std::size_t>;

// Location is a room, and the sentences that say that something is there.
struct Location {
  std::string room;
  Sentences gold;
  bool of_putting = false;  // true if the room of the container is known only from a "put" sentence
};

// Item is a person, a thing or a container. It has its location, or the person or container that holds it, and the
// sentence that says so.
struct Item {
  std::string name;
  struct Within {
    std::size_t other;  // the number of a person or of a container
    std::size_t sentence;
  };
  std::variant<std::monostate, Location, Within> where{};  // not mentioned yet, at a location, or held
};

// Everything that moves has a number: people first, then things, then containers.
class StoryWorld {
 public:
  StoryWorld(const StoryWorldOptions& o, autograd::Random& random)
      : o_(o), random_(random), rooms_(first(all_rooms, o.rooms)), idle_(first(all_idle, o.idle)) {
    for (const auto& [all, count] :
         {std::pair{&all_people, o.people}, {&all_things, o.things}, {&all_containers, o.containers}})
      for (const std::string& name : first(*all, count)) all_.push_back({name});
    takes_.resize(o.people);
  }

  // `count` is the answer of a counting question, and `yes` the answer of a yes/no question. The result is empty if the
  // story has no question with this answer.
  Story tell(std::size_t sentences, std::size_t count, bool yes) {
    while (story_.sentences.size() < sentences) {
      if (!idle_.empty() && random_.uniform() < share_of_idle) somebody_idle();
      else somebody_acts(random_.below(o_.people));
    }
    const bool asked = o_.question == StoryQuestion::count ? ask_how_often(count) : ask_where(yes);
    return asked ? std::move(story_) : Story{};
  }

 private:
  bool is_container(std::size_t i) const { return i >= o_.people + o_.things; }
  bool is_room(const std::string& word) const { return std::find(rooms_.begin(), rooms_.end(), word) != rooms_.end(); }
  std::optional<Location> place_of(std::size_t i) const {
    if (const auto* place = std::get_if<Location>(&all_[i].where)) return *place;
    const auto* within = std::get_if<Item::Within>(&all_[i].where);
    if (within == nullptr) return {};
    std::optional<Location> place = place_of(within->other);  // a person or container that holds something has a place
    place->gold.insert(within->sentence);
    return place;
  }

  std::size_t say(Tokens sentence) {
    story_.sentences.push_back(std::move(sentence));
    return story_.sentences.size() - 1;
  }

  void somebody_idle() {
    const std::string& name = random_.one_of(idle_);
    if (random_.below(2) == 0) say({name, random_.one_of(resting)});
    else say({name, random_.one_of(walking), "to", "the", random_.one_of(rooms_)});
  }

  void somebody_acts(std::size_t who) {
    const std::string& name = all_[who].name;
    std::vector<std::function<void()>> acts{[&] {
      const std::string& room = random_.one_of(rooms_);
      const std::size_t sentence = say({name, random_.one_of(walking), "to", "the", room});
      all_[who].where = Location{room, {sentence}};
    }};
    const std::optional<Location> here = place_of(who);
    // reaches is true if a person here can reach the item: it lies here, or nobody has mentioned it yet.
    const auto reaches = [&](std::size_t i) {
      const auto* place = std::get_if<Location>(&all_[i].where);
      return std::holds_alternative<std::monostate>(all_[i].where) || (place && place->room == here->room);
    };
    const auto within = [&](std::size_t i) { return std::get_if<Item::Within>(&all_[i].where); };
    const auto is_of_putting = [&](std::size_t i) {
      const auto* place = std::get_if<Location>(&all_[i].where);
      return place && place->of_putting;
    };
    const auto is_held = [&](std::size_t i) { return within(i) && within(i)->other == who; };
    for (std::size_t i = o_.people; here && i < all_.size(); ++i) {
      const bool in_container = within(i) && is_container(within(i)->other);
      if (reaches(i)) {
        acts.push_back([&, i] { hold(i, who, say({name, random_.one_of(taking), "the", all_[i].name})); });
        if (is_container(i)) acts.push_back([&, i] { carry(i, who); });
      } else if (is_held(i)) {
        acts.push_back([&, i] { leave(i, *here, say({name, random_.one_of(leaving), "the", all_[i].name})); });
      } else if (in_container && place_of(within(i)->other)->room == here->room) {
        acts.push_back([&, i] {
          const std::string& container = all_[within(i)->other].name;
          hold(i, who, say({name, random_.one_of(taking), "the", all_[i].name, "out", "of", "the", container}));
        });
      }
      if (is_container(i) || !(reaches(i) || is_held(i))) continue;
      for (std::size_t c = o_.people + o_.things; c < all_.size(); ++c)
        if (is_held(c) || (reaches(c) && !is_of_putting(c))) acts.push_back([&, i, c] { put(i, c, who, *here); });
    }
    // Half of the acts are walks, even if other acts are possible.
    if (acts.size() == 1 || random_.below(2) == 0) acts.front()();
    else acts[1 + random_.below(acts.size() - 1)]();
  }

  void hold(std::size_t i, std::size_t who, std::size_t sentence) {
    all_[i].where = Item::Within{who, sentence};
    takes_[who].insert(sentence);
  }
  void leave(std::size_t i, Location here, std::size_t sentence) {
    here.gold.insert(sentence);
    all_[i].where = std::move(here);
  }
  void put(std::size_t i, std::size_t container, std::size_t who, const Location& here) {
    const std::size_t sentence = say({all_[who].name, "put", "the", all_[i].name, "into", "the", all_[container].name});
    if (std::holds_alternative<std::monostate>(all_[container].where)) {
      leave(container, here, sentence);
      std::get<Location>(all_[container].where).of_putting = true;
    }
    all_[i].where = Item::Within{container, sentence};
  }
  void carry(std::size_t container, std::size_t who) {
    const std::string& room = random_.one_of(rooms_);
    const std::size_t sentence =
        say({all_[who].name, random_.one_of(carrying), "the", all_[container].name, "to", "the", room});
    all_[who].where = all_[container].where = Location{room, {sentence}};
  }

  void set_gold(const Sentences& gold) { story_.gold.assign(gold.begin(), gold.end()); }

  // ask_where returns false if no such question is possible.
  bool ask_where(bool yes) {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (const auto place = place_of(i); place && place->gold.size() == o_.facts) candidates.push_back(i);
    if (candidates.empty()) return false;
    const std::size_t asked = random_.one_of(candidates);
    const Location place = *place_of(asked);
    Tokens item{all_[asked].name};
    if (asked >= o_.people) item.insert(item.begin(), "the");
    story_.question = o_.question == StoryQuestion::where ? Tokens{"where", "is"} : Tokens{"is"};
    story_.question.insert(story_.question.end(), item.begin(), item.end());
    story_.answer = place.room;
    set_gold(place.gold);
    return o_.question == StoryQuestion::where || ask_for_room(place.room, yes);
  }

  // The answer "no" needs a room in which somebody of the gold sentences is at another time. For other rooms, a model
  // could answer without the gold sentences, because no sentence has both the right person and the room.
  bool ask_for_room(std::string room, bool yes) {
    if (!yes) {
      std::set<std::string> actors;
      for (const std::size_t gold : story_.gold) actors.insert(story_.sentences[gold].front());
      Names others;
      for (const Tokens& sentence : story_.sentences)
        if (actors.contains(sentence.front()) && is_room(sentence.back()) && sentence.back() != room)
          others.push_back(sentence.back());
      if (others.empty()) return false;
      room = random_.one_of(others);
    }
    story_.question.insert(story_.question.end(), {"in", "the", room});
    story_.answer = yes ? "yes" : "no";
    return true;
  }

  bool ask_how_often(std::size_t count) {
    std::vector<std::size_t> candidates;
    for (std::size_t who = 0; who < o_.people; ++who)
      if (takes_[who].size() == count) candidates.push_back(who);
    if (candidates.empty()) return false;
    const std::size_t who = random_.one_of(candidates);
    story_.question = {"how", "often", "did", all_[who].name, "take", "something"};
    story_.answer = counts[count];
    set_gold(takes_[who]);
    return true;
  }

  const StoryWorldOptions& o_;
  autograd::Random& random_;
  Names rooms_, idle_;
  std::vector<Item> all_;
  std::vector<Sentences> takes_;  // per person: the sentences in which this person takes something
  Story story_;
};

}  // namespace

std::string problem_of(const StoryWorldOptions& o) {
  if (o.question != StoryQuestion::count && o.facts == 3 && o.containers < 2)
    return "--facts 3 needs --containers 2 or more. The three facts say which container a thing is in, who took the "
           "container, and where this person went";
  if (o.fewest > o.most)
    return fmt::format("--min-sentences {} is larger than --max-sentences {}. Change one of the two", o.fewest, o.most);
  if (o.most < 2 * o.facts)
    return fmt::format("--max-sentences {} is too small for --facts {}. Use {} or more", o.most, o.facts, 2 * o.facts);
  return "";
}

Story draw_story(const StoryWorldOptions& o, autograd::Random& random) {
  if (const std::string problem = problem_of(o); !problem.empty()) throw std::invalid_argument(problem);
  // The answers are chosen first, so that all are equally likely.
  const std::size_t count = 1 + random.below(o.facts);
  const bool yes = o.question == StoryQuestion::yes_no && random.below(2) == 0;
  for (std::size_t draw = 0; draw < most_draws_of_a_story; ++draw) {
    Story story = StoryWorld(o, random).tell(o.fewest + random.below(o.most - o.fewest + 1), count, yes);
    if (!story.gold.empty()) return story;
  }
  throw Error(ErrorKind::bad_data, fmt::format("none of {} generated stories has a question that needs {} facts. Use a "
                                               "larger --max-sentences, or fewer --people and --idle",
                                               most_draws_of_a_story, o.facts));
}

SyntheticExample story_and_question(const StoryWorldOptions& o, autograd::Random& random) {
  Story story = draw_story(o, random);
  story.question.emplace_back("?");
  const std::string line = format_story(story.sentences, story.question, story.answer, story.gold);
  return {line, line, {}};
}

}  // namespace softalign::data
