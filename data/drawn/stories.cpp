#include "data/drawn/stories.h"

#include "data/corpus/stories.h"
#include "data/stories/stories.h"

namespace data {

namespace {

constexpr size_t fewest = 4, most = 8;  // sentences

Drawn story(const std::string& kind, autograd::Random& random) {
  Story story = draw_story(kind, fewest + random.below(most - fewest + 1), random);
  story.question.emplace_back("?");
  const std::string line = format_story(story.sentences, story.question, story.answer, story.gold);
  return {line, line, {}};
}

}  // namespace

Drawn facts_and_question(autograd::Random& random) { return story("facts", random); }
Drawn chinese_facts_and_question(autograd::Random& random) { return story("facts-zh", random); }
Drawn moves_and_person(autograd::Random& random) { return story("one", random); }
Drawn moves_and_thing(autograd::Random& random) { return story("two", random); }

}  // namespace data
