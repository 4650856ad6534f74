#include "apps/stories/story_batch.h"

#include <algorithm>

#include "apps/experiments/word_ids.h"
#include "autograd/random.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::story_words());
  return table;
}

}  // namespace

StoryBatch::StoryBatch(const std::string& task, std::size_t sentences, std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  const std::size_t fewest = std::max<std::size_t>(3, sentences / 2);
  stories.B = B;
  for (std::size_t b = 0; b < B; ++b) {
    drawn.push_back(data::draw_story(task, fewest + random.below(sentences - fewest + 1), random));
    const data::Story& story = drawn.back();
    stories.lengths.push_back(story.sentences.size());
    stories.S = std::max(stories.S, story.sentences.size());
    stories.J = std::max(stories.J, story.question.size());
    for (const data::Tokens& sentence : story.sentences) stories.J = std::max(stories.J, sentence.size());
    answers.push_back(ids().at(story.answer));
  }
  stories.sentences.assign(stories.S * B * stories.J, -1);
  stories.questions.assign(B * stories.J, -1);
  const auto write = [&](const data::Tokens& words, autograd::Ids& to, std::size_t row) {
    for (std::size_t j = 0; j < words.size(); ++j) to[row * stories.J + j] = ids().at(words[j]);
  };
  for (std::size_t b = 0; b < B; ++b) {
    write(drawn[b].question, stories.questions, b);
    for (std::size_t i = 0; i < drawn[b].sentences.size(); ++i)
      write(drawn[b].sentences[i], stories.sentences, i * B + b);
  }
}

std::size_t StoryBatch::words() { return ids().size(); }

}  // namespace softalign::apps
