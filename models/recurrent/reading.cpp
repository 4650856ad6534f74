#include "models/recurrent/reading.h"

#include <numeric>

namespace models {

namespace {

// For each row j*B + b of the source the row of the word that comes there when b is reversed; its own inverse.
Ids reversed_rows(const Batch& batch) {
  const std::size_t B = batch.size;
  Ids rows(batch.source.size());
  std::iota(rows.begin(), rows.end(), 0);
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t words = batch.source_lengths[b] - 1;
    for (std::size_t j = 0; j < words; ++j) rows[j * B + b] = static_cast<Id>((words - 1 - j) * B + b);
  }
  return rows;
}

}  // namespace

Random* randomness(const Training* training) { return training ? &training->random : nullptr; }

Ids reversed(const Batch& batch) {
  Ids source;
  for (const Id row : reversed_rows(batch)) source.push_back(batch.source[static_cast<std::size_t>(row)]);
  return source;
}

Var back_in_order(const Var& x, const Batch& batch) { return gather(x, reversed_rows(batch)); }

Ids each_sentence_once(const Memory& memory) {
  Ids sentence(memory.sentences);
  std::iota(sentence.begin(), sentence.end(), 0);
  return sentence;
}

}  // namespace models
