#include "models/stories/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace softalign::models {

Stories stories_of(const data::Batch& batch) {
  const Parts parts = parts_of(batch);
  Stories stories;
  stories.B = batch.size, stories.J = 1;
  for (std::size_t b = 0; b < batch.size; ++b) {
    const std::size_t sentences = parts[b].size() - 1;
    if (sentences == 0 || sentences != batch.places[b])
      throw std::invalid_argument(
          fmt::format("source {}: {} sentences before the question; {} expected, each ended by </s>",
                      batch.index.empty() ? b : batch.index[b], sentences, std::max<std::size_t>(1, batch.places[b])));
    stories.lengths.push_back(sentences);
    stories.S = std::max(stories.S, sentences);
    for (const Ids& part : parts[b]) stories.J = std::max(stories.J, part.size());
  }
  stories.sentences.assign(stories.S * stories.B * stories.J, -1);
  stories.questions.assign(stories.B * stories.J, -1);
  const auto write = [&](const Ids& words, Ids& to, std::size_t row) {
    std::copy(words.begin(), words.end(), to.begin() + static_cast<std::ptrdiff_t>(row * stories.J));
  };
  for (std::size_t b = 0; b < batch.size; ++b) {
    for (std::size_t i = 0; i < stories.lengths[b]; ++i) write(parts[b][i], stories.sentences, i * stories.B + b);
    write(parts[b].back(), stories.questions, b);
  }
  return stories;
}

}  // namespace softalign::models
