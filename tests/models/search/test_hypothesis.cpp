// Compares known words with the words that a model predicts.
#include "models/search/hypothesis.h"

#include "tests/models/table_model.h"

using namespace softalign;
using namespace tables;

TEST_CASE("greedy match: each word is compared with the most probable word after its prefix") {
  constexpr std::size_t V = 7, T = 5, B = 3;
  const Ids sentences{4, 6, 5};
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Table table = random_table(V, seed);
    autograd::Random random(seed);
    models::Targets targets{T, Ids(T * B, data::start_id), Ids(T * B)};
    std::vector<bool> expected(T * B);
    std::size_t told = 0;
    for (std::size_t b = 0; b < B; ++b) {
      Ids words;
      for (std::size_t t = 0; t < T; ++t) {
        std::vector<Real> logits = table(sentences[b], words);
        logits[data::pad_id] = logits[data::start_id] = never;
        const auto best = static_cast<Id>(std::max_element(logits.begin(), logits.end()) - logits.begin());
        const Id word = random.below(2) == 0 ? best : data::end_id + static_cast<Id>(random.below(V - data::end_id));
        expected[t * B + b] = word == best;
        told += expected[t * B + b];
        targets.out[t * B + b] = word;
        if (t + 1 < T) targets.in[(t + 1) * B + b] = word;
        words.push_back(word);
      }
    }
    const TableModel model(table);
    const Memory memory = model.encode(make_batch(sentences, {2, 1, 3}));
    CHECK(models::greedy_matches(model.decoder(), memory, targets) == expected);
    CHECK((told > 0 && told < T * B));
  }
}
