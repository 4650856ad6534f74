#include "data/stories/stories.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "data/stories/internal/moves.h"

namespace data {

namespace {

using Words = std::vector<std::string>;
const Words methods{"convolution", "recurrence", "attention", "regression", "clustering",
                    "boosting",    "search",     "dropout",   "embedding",  "sampling"};
const Words uses{"images", "speech", "translation", "text", "tables", "groups", "games", "ranking", "words", "noise"};
const Words facts{"{0} is good for {1}", "for {1} people use {0}", "{1} are a case for {0}", "{0} suits {1}"};
const Words asked_for_method{"what is good for {0}", "what suits {0}", "what do people use for {0}"};
const Words asked_for_use{"what is {0} good for", "where do people use {0}"};

Story draw_facts(size_t n, autograd::Random& random) {
  const Words method = random.some_of(methods, n), use = random.some_of(uses, n);
  Story story;
  for (size_t i = 0; i < n; ++i)
    story.sentences.push_back(split_words(fmt::format(fmt::runtime(random.one_of(facts)), method[i], use[i])));
  const size_t i = random.below(n);
  const bool for_method = random.below(2) == 0;
  const std::string& question = random.one_of(for_method ? asked_for_method : asked_for_use);
  story.question = split_words(fmt::format(fmt::runtime(question), for_method ? use[i] : method[i]));
  story.answer = for_method ? method[i] : use[i];
  story.gold = {i};
  return story;
}

}  // namespace

Story draw_story(const std::string& task, size_t sentences, autograd::Random& random) {
  if (task != "facts" && task != "one" && task != "two")
    throw std::invalid_argument(fmt::format("unknown kind of story \"{}\"; known: facts one two", task));
  if (sentences < fewest_sentences || (task == "facts" && sentences > most_facts))
    throw std::invalid_argument(fmt::format("a story of {} sentences; {} has from {}{}", sentences, task,
                                            fewest_sentences,
                                            task == "facts" ? fmt::format(" to {}", most_facts) : ""));
  return task == "facts" ? draw_facts(sentences, random) : draw_moves(task == "two", sentences, random);
}

std::vector<std::string> story_words() {
  std::set<std::string> words(methods.begin(), methods.end());
  words.insert(uses.begin(), uses.end());
  for (const Words& patterns : {facts, asked_for_method, asked_for_use})
    for (const std::string& pattern : patterns)
      for (const std::string& word : split_words(pattern))
        if (word.front() != '{') words.insert(word);
  for (const std::string& word : words_of_moves()) words.insert(word);
  return {words.begin(), words.end()};
}

}  // namespace data
