#include "apps/sentence_pairs/entailment_batch.h"

#include <algorithm>

#include "apps/experiments/word_ids.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::entailment_words());
  return table;
}

}  // namespace

EntailmentBatch::EntailmentBatch(std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  pairs.B = B;
  for (std::size_t b = 0; b < B; ++b) {
    drawn.push_back(data::draw_entailment(random));
    const data::Entailment& pair = drawn.back();
    pairs.a_lengths.push_back(pair.premise.size()), pairs.b_lengths.push_back(pair.hypothesis.size());
    pairs.m = std::max(pairs.m, pair.premise.size()), pairs.n = std::max(pairs.n, pair.hypothesis.size());
    labels.push_back(static_cast<autograd::Id>(pair.label));
  }
  pairs.a.assign(pairs.m * B, 0), pairs.b.assign(pairs.n * B, 0);
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t i = 0; i < drawn[b].premise.size(); ++i) pairs.a[i * B + b] = ids().at(drawn[b].premise[i]);
    for (std::size_t j = 0; j < drawn[b].hypothesis.size(); ++j) pairs.b[j * B + b] = ids().at(drawn[b].hypothesis[j]);
  }
}

std::size_t EntailmentBatch::words() { return ids().size(); }

}  // namespace softalign::apps
