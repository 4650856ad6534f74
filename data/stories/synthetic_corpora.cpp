#include "data/stories/synthetic_corpora.h"

#include "data/stories/story_corpus.h"
#include "data/stories/synthetic_stories.h"

namespace softalign::data {

namespace {

constexpr size_t fewest = 4, most = 8;  // sentences

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
