#include "models/training/word_dropout.h"

#include <utility>

#include "data/corpus/batch.h"

namespace softalign::models {

Targets with_unread_words(Targets targets, double p, Random random) {
  for (data::Id& word : targets.in) {
    const bool unread = random.uniform() < p;
    if (unread && word != data::pad_id && word != data::start_id) word = data::unk_id;
  }
  return targets;
}

}  // namespace softalign::models
