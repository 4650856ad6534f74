// StoryWorld: people walk between rooms and move things and containers, with one event per sentence. The gold sentences
// of the question are exactly the facts that decide the answer. After Weston et al. 2016, tasks 1, 2, 3, 6 and 7.
//
//   facts 1   mary went to the office .                                            where is mary ?
//   facts 2   mary put the apple into the box . john carried the box to the garden .   where is the apple ?
//   facts 3   mary put the apple into the box . john took the box . john went to the garden .   where is the apple ?
// Yes/no questions name a room ("is the apple in the garden ?"). Counting questions count the sentences in which
// somebody takes something ("how often did mary take something ?").
#pragma once

#include <cstddef>
#include <string>

#include "autograd/names.h"
#include "autograd/random.h"
#include "data/corpus/synthetic_example.h"
#include "data/stories/synthetic_stories.h"

namespace softalign::data {

enum class StoryQuestion { where, yes_no, count };
constexpr auto names_of(StoryQuestion) {
  return autograd::names<StoryQuestion>(
      {{"where", StoryQuestion::where}, {"yes-no", StoryQuestion::yes_no}, {"count", StoryQuestion::count}});
}

struct StoryWorldOptions {
  std::size_t people = 4;      // names that act and that questions may be about
  std::size_t idle = 0;        // further names that walk and rest; no question is about them
  std::size_t things = 3;      // what is taken, left and put into containers
  std::size_t containers = 0;  // what holds things and is carried or taken
  std::size_t rooms = 6;
  std::size_t facts = 2;  // gold sentences per question; for counting questions the largest count
  StoryQuestion question = StoryQuestion::where;
  std::size_t fewest = 6, most = 12;  // sentences of a story
};

// The largest value of each option: as many names as there are.
inline constexpr std::size_t most_people = 12, most_idle = 12, most_things = 8, most_containers = 4, most_rooms = 8,
                             most_facts_of_a_story = 3, most_sentences = 40;

// The reason why no story can be generated with these options, in terms of the options of make_corpus; "" if there is
// none.
std::string problem_of(const StoryWorldOptions& options);

// std::invalid_argument for options with a problem. Error: none of 10,000 generated stories had a question with this
// number of facts.
Story draw_story(const StoryWorldOptions& options, autograd::Random& random);

// Such a story as a line of data/stories/story_corpus.h.
SyntheticExample story_and_question(const StoryWorldOptions& options, autograd::Random& random);

}  // namespace softalign::data
