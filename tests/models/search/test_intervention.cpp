// These tests check what an intervention changes, and what stays the same.
#include <algorithm>

#include "models/search/beam_search.h"
#include "models/search/intervention.h"
#include "tests/models/kinds.h"
#include "tests/models/table_model.h"

using namespace softalign;

namespace {

using namespace kinds;
using Catch::Contains;

const Ids source{4, 5, 6, 7};
Batch one_sentence(const ModelOptions& o = {}) { return data::make_source_batch({as_read(o, {source, {}}, 1)}, {0}); }

Hypothesis decode(const Made& made, const Intervention* intervention, const ModelOptions& o = {}) {
  const autograd::NoGrad no_grad;
  return decode_with(made.model.decoder(), made.model.encode(one_sentence(o)), intervention, Random(1));
}

bool same(const data::Matrix& a, const data::Matrix& b, std::size_t rows) {
  for (std::size_t t = 0; t < rows; ++t) {
    for (std::size_t s = 0; s < a[t].size(); ++s) {
      if (std::abs(a[t][s] - b[t][s]) > alone_tolerance) return false;
    }
  }
  return true;
}

}  // namespace

// Jain & Wallace 2019, "Attention is not Explanation", section 4.2.
TEST_CASE("interventions: force, ablate and shuffle give the weights by hand") {
  Random random(1);
  const data::Matrix rows{{0.5f, 0.25f, 0.25f}, {0, 1, 0}};
  CHECK(intervene(rows, {data::InterventionKind::force, 0, 2}, random) == data::Matrix{{0, 0, 1}, {0, 0, 1}});
  const auto ablated = intervene(rows, {data::InterventionKind::ablate, 0, 1}, random);
  CHECK(ablated[0][0] == Approx(2.0 / 3));
  CHECK(ablated[0][1] == 0);
  CHECK(ablated[0][2] == Approx(1.0 / 3));
  CHECK(ablated[1] == std::vector<float>{0.5f, 0, 0.5f});  // position 1 had all the weight
  CHECK(intervene(rows, {data::InterventionKind::word, 0}, random) == rows);
  CHECK(intervene(rows, {data::InterventionKind::weights, 0, 0, {}, {1, 3, 0}}, random) ==
        data::Matrix{{0.25f, 0.75f, 0}, {0.25f, 0.75f, 0}});

  std::vector<float> ramp(12);
  for (std::size_t s = 0; s < ramp.size(); ++s) ramp[s] = static_cast<float>(s);
  Random dealer(1);
  auto shuffled = intervene({ramp, ramp}, {data::InterventionKind::shuffle, 0}, dealer);
  CHECK(shuffled[0] == shuffled[1]);  // all heads are shuffled in the same way
  CHECK(shuffled[0] != ramp);
  std::sort(shuffled[0].begin(), shuffled[0].end());
  CHECK(shuffled[0] == ramp);
}

TEST_CASE("models: decoding without an intervention is greedy search") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const Hypothesis greedy = beam_search(made.model, one_sentence(o), {}).front().front();
    const Hypothesis alone = decode(made, nullptr, o);
    CHECK(alone.ids == greedy.ids);
    CHECK(alone.finished == greedy.finished);
    CHECK(alone.log_prob == Approx(greedy.log_prob).epsilon(1e-5));
    REQUIRE(alone.weights.matrix.size() == greedy.weights.matrix.size());
    CHECK(same(alone.weights.matrix, greedy.weights.matrix, alone.weights.matrix.size()));
  }
}

TEST_CASE("models: an intervention changes its step and no earlier step") {
  for (const auto& [name, o] : all()) {
    if (!attends(o)) continue;
    INFO(name);
    const Made made(o);
    if (!made.model.decoder().has_scores()) continue;
    const Hypothesis alone = decode(made, nullptr, o);
    const std::size_t step = std::min<std::size_t>(1, alone.weights.matrix.size() - 1);
    const std::size_t last = alone.weights.matrix.front().size() - 1;
    for (const std::size_t s : {std::size_t{0}, last}) {  // the first word and </s>, or the first cell and the last
      const Intervention force{data::InterventionKind::force, step, s};
      const Hypothesis forced = decode(made, &force, o);
      CHECK(same(forced.weights.matrix, alone.weights.matrix, step));
      for (std::size_t j = 0; j <= last; ++j) {
        CHECK(forced.weights.matrix[step][j] == Approx(j == s ? 1 : 0).margin(1e-6));
      }
      const Intervention ablate{data::InterventionKind::ablate, step, s};
      CHECK(decode(made, &ablate, o).weights.matrix[step][s] == Approx(0).margin(1e-6));
    }
    const Intervention force{data::InterventionKind::force, step, last};
    Intervention all_on_last{data::InterventionKind::weights, step, 0, {}, std::vector<float>(last + 1)};
    all_on_last.row[last] = 3;  // weights are divided by their sum
    CHECK(decode(made, &all_on_last, o).ids == decode(made, &force, o).ids);
    CHECK(decode(made, &all_on_last, o).weights.matrix == decode(made, &force, o).weights.matrix);
    const Intervention write{data::InterventionKind::word, step, 0, 6};
    const Hypothesis written = decode(made, &write, o);
    REQUIRE(written.ids.size() > step);
    CHECK(written.ids[step] == 6);
    // The word is written after the attention step.
    CHECK(same(written.weights.matrix, alone.weights.matrix, step + 1));
    const Intervention late{data::InterventionKind::shuffle, 1000};
    CHECK(decode(made, &late, o).ids == alone.ids);
  }
}

TEST_CASE("the word intervention writes the second most probable word by default") {
  const Made made(with(small(), {{"model", "encdec"}}));
  const Batch batch = one_sentence();
  const autograd::NoGrad no_grad;
  const Memory memory = made.model.encode(batch);
  const Decoder& decoder = made.model.decoder();
  const Array logits = decoder.step({data::start_id}, decoder.start(memory), memory).logits.value();
  std::vector<Id> writable{data::unk_id, data::end_id, 4, 5, 6};
  std::sort(writable.begin(), writable.end(),
            [&](Id a, Id b) { return logits[static_cast<std::size_t>(a)] > logits[static_cast<std::size_t>(b)]; });
  const Intervention word{data::InterventionKind::word, 0};
  const Hypothesis found = decode(made, &word);
  if (writable[1] == data::end_id) {
    CHECK(found.ids.empty());
  } else {
    CHECK(found.ids.front() == writable[1]);
  }
}

TEST_CASE("invalid interventions are refused") {
  const Made made(small());
  const auto refused = [](const Made& m, const Intervention& i) { decode(m, &i); };
  CHECK_THROWS_WITH(refused(made, {data::InterventionKind::none}), Contains("none changes nothing"));
  CHECK_THROWS_WITH(refused(made, {data::InterventionKind::force, 0, 5}),
                    Contains("source position 5 of a sentence of 5"));
  const auto given = [](std::vector<float> row) {
    return Intervention{data::InterventionKind::weights, 0, 0, {}, std::move(row)};
  };
  CHECK_THROWS_WITH(refused(made, given({1, 0, 0, 0})), Contains("4 weights for a sentence of 5"));
  CHECK_THROWS_WITH(refused(made, given({0, 0, 0, 0, 0})), Contains("one must be larger"));
  CHECK_THROWS_WITH(refused(made, given({2, -1, 0, 0, 0})), Contains("at least 0"));
  // The first has no attention, the second attends before it writes.
  for (const char* model : {"encdec", "decomposable"}) {
    const ModelOptions o = with(small(), {{"model", model}});
    const Intervention force{data::InterventionKind::force, 0, 0};
    CHECK_THROWS_WITH(decode(Made(o), &force, o), Contains("no attention"));
  }
  const Memory end_alone = made.model.encode(data::make_source_batch({{}}, {0}));
  const Intervention force{data::InterventionKind::force, 0, 0}, ablate{data::InterventionKind::ablate, 0, 0};
  CHECK(decode_with(made.model.decoder(), end_alone, &force, Random(1)).weights.matrix.at(0) == std::vector<float>{1});
  CHECK_THROWS_WITH(decode_with(made.model.decoder(), end_alone, &ablate, Random(1)), Contains("no other word"));
  CHECK_THROWS_WITH(decode_with(made.model.decoder(), made.model.encode(all_pairs()), nullptr, Random(1)),
                    Contains("one sentence"));
}

TEST_CASE("models: the error for undefined probabilities in decoding with interventions names the step") {
  const tables::TableModel model([](Id, const Ids& words) {
    return std::vector<Real>(6, words.size() < 2 ? Real(0) : std::numeric_limits<Real>::quiet_NaN());
  });
  const Intervention word{data::InterventionKind::word, 0, {}, Id{4}};
  const Memory memory = model.encode(tables::make_batch(4, 3));
  CHECK_THROWS_WITH(decode_with(model.decoder(), memory, &word, Random(1)),
                    Contains("(counted from 1) has no probabilities at step 3, because the model computes NaN or "
                             "infinity. Its training diverged, or its file is damaged. Train again"));
}
