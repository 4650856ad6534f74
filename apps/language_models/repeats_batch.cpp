#include "apps/language_models/repeats_batch.h"

#include "apps/experiments/word_ids.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::repeats_words());
  return table;
}

}  // namespace

RepeatsBatch::RepeatsBatch(std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  for (std::size_t b = 0; b < B; ++b) drawn.push_back(data::draw_repeats(statements, names, random));
  const std::size_t T = statements * data::words_of_a_statement - 1;
  for (std::size_t t = 0; t < T; ++t)
    for (const data::Repeats& repeats : drawn) {
      words.push_back(ids().at(repeats.text[t]));
      next.push_back(ids().at(repeats.text[t + 1]));
    }
}

std::size_t RepeatsBatch::words_known() { return ids().size(); }

}  // namespace softalign::apps
