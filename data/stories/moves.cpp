#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "data/stories/internal/moves.h"

namespace softalign::data {

namespace {

using Words = std::vector<std::string>;
const Words people{"mary", "john", "sandra", "daniel"}, things{"apple", "football", "milk"};
const Words rooms{"kitchen", "garden", "office", "bathroom", "hallway", "bedroom"};
const Words goes{"went", "moved", "walked"}, takes{"took", "got", "grabbed"}, leaves{"dropped", "left"};
constexpr double share_of_things = 0.45, share_of_leaving = 0.4;

// Where somebody is, and which sentence says so.
struct Place {
  std::string room;
  size_t sentence;
};

// Who has a thing, or where it was left.
struct Thing {
  std::optional<std::string> holder;
  size_t sentence;  // that says so
  Place left_at{};  // where there is no holder
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
  size_t say(Tokens sentence) {
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
  void answer(const Place& place, std::optional<size_t> also) {
    std::set<size_t> gold{place.sentence};
    if (also) gold.insert(*also);
    story_.answer = place.room;
    story_.gold.assign(gold.begin(), gold.end());
  }

  Story& story_;
  autograd::Random& random_;
  std::map<std::string, Place> places_;  // of people
  std::map<std::string, Thing> things_;
};

}  // namespace

Story draw_moves(bool with_things, size_t sentences, autograd::Random& random) {
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

}  // namespace softalign::data
