// This file generates stories. People walk between rooms, and move things and containers, with one event per sentence.
// The gold sentences of a question are exactly the sentences that decide the answer. The stories are like tasks 1, 2,
// 3, 6 and 7 of Weston et al. 2016. Examples for one, two and three gold sentences:
//
//   facts 1   mary went to the office .                                            where is mary ?
//   facts 2   mary put the apple into the box . john carried the box to the garden .   where is the apple ?
//   facts 3   mary put the apple into the box . john took the box . john went to the garden .   where is the apple ?
//
// Yes/no questions name a room ("is the apple in the garden ?"). If the answer is "no", somebody of the gold sentences
// is in this room at another time, so the gold sentences are needed. Counting questions ask in how many sentences
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
  std::size_t people = 4;      // people who act, and about whom a question may be
  std::size_t idle = 0;        // other people, who walk and rest; no question is about them
  std::size_t things = 3;      // things that people take, leave and put into containers
  std::size_t containers = 0;  // containers for things, which people carry or take
  std::size_t rooms = 6;
  std::size_t facts = 2;  // gold sentences per question; for counting questions the largest count
  StoryQuestion question = StoryQuestion::where;
  std::size_t fewest = 6, most = 12;  // smallest and largest number of sentences of a story
};

// These constants are the largest values that the options may have. For example, there are names for 12 people.
inline constexpr std::size_t most_people = 12, most_idle = 12, most_things = 8, most_containers = 4, most_rooms = 8,
                             most_facts_of_a_story = 3, most_sentences = 40;

// Returns the reason why no story can be generated with these options, or "" if stories can be generated. The reason
// uses the names of the options of make_corpus.
std::string problem_of(const StoryWorldOptions& options);

// Generates a story. Throws std::invalid_argument for options that problem_of refuses. Throws Error if none of 10,000
// generated stories had a question with the requested number of gold sentences.
Story draw_story(const StoryWorldOptions& options, autograd::Random& random);

// Returns a generated story as a line of a file of stories (data/stories/story_corpus.h).
SyntheticExample story_and_question(const StoryWorldOptions& options, autograd::Random& random);

}  // namespace softalign::data
