// The end of a search: </s>, the length limit, the stopping rule, and misuse that is refused.
#include <limits>

#include "tests/models/table_model.h"

using namespace softalign;
using namespace tables;

TEST_CASE("beam search: a model that never ends is stopped at the limit") {
  const Table table = [](Id, const Ids& words) {
    std::vector<Real> logits = {0, 0, 0, never, 2, 1};
    if (words.size() % 2) std::swap(logits[4], logits[5]);
    return logits;
  };
  const TableModel model(table);
  const auto best = beam_search(model, make_batch({4, 4}, {3, 1}), {.beam = 2, .n_best = 2});
  CHECK(best[0][0].ids.size() == 2 * 3 + 10);  // the default limit: twice the source's words plus 10
  CHECK(best[1][0].ids == Ids{4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5});
  CHECK_FALSE(best[0][0].finished);
  check_hypotheses(table, 4, 4, {}, best[0]);
  check_hypotheses(table, 4, 2, {}, best[1]);
  // Each sentence has two rows until its limit plus one last step in which </s> may still be chosen.
  std::vector<std::size_t> rows(17, 2);
  std::fill(rows.begin(), rows.begin() + 13, 4);
  rows[0] = 2;  // the first step has one row per sentence, <s>
  CHECK(model.decoder().rows == rows);
}

TEST_CASE("beam search: a model that ends at once gives an empty translation and leaves the batch") {
  const Table table = [](Id sentence, const Ids& words) {
    const bool end = sentence == 4 || words.size() == 2;
    return std::vector<Real>{0, 0, 0, end ? Real(9) : never, 1, end ? Real(0) : Real(9)};
  };
  const TableModel model(table);
  const auto best = beam_search(model, make_batch({4, 5, 4}, {2, 3, 1}), {});
  CHECK(best[0][0].ids.empty());
  CHECK(best[0][0].finished);
  CHECK(best[0][0].weights.matrix.size() == 1);
  CHECK(best[1][0].ids == Ids{5, 5});
  CHECK(best[2][0].weights.matrix[0].size() == 2);
  CHECK(model.decoder().rows == std::vector<std::size_t>{3, 1, 1});
}

TEST_CASE("beam search: it stops as soon as no live hypothesis can change the n best") {
  // log p(</s>) is `end`, and the only word has log(1 - e^end), in every step.
  const auto steps = [](double end, double alpha, std::size_t max_length) {
    const TableModel model([=](Id, const Ids&) {
      return std::vector<Real>{never, never, never, static_cast<Real>(end),
                               static_cast<Real>(std::log1p(-std::exp(end)))};
    });
    beam_search(model, make_batch(4, 3), {.beam = 2, .n_best = 1, .length_penalty = alpha, .max_length = max_length});
    return model.decoder().rows.size();
  };
  // p(</s>) = .9: the finished hypothesis scores -.1054. "4" has -2.3 and can reach at best -2.3 / 21 = -.1096. One
  // step is enough.
  CHECK(steps(std::log(.9), 1, 20) == 1);
  // With a limit of 21 words, "4" can reach -2.3 / 22 = -.1047 > -.1054, so one more step is needed.
  CHECK(steps(std::log(.9), 1, 21) == 2);
  CHECK(steps(std::log(.9), 0, 1000) == 1);
}

TEST_CASE("beam search: it continues while the coverage of a live hypothesis can rise") {
  // The empty translation has p = .6 and attends only to the first of two words. "4 5" has p = .4 and attends to both.
  const Table table = [](Id, const Ids& words) {
    std::vector<Real> logits(6, never);
    if (words.empty()) logits[data::end_id] = std::log(Real(.6));
    logits[std::vector<std::size_t>{4, 5, data::end_id}.at(words.size())] = words.empty() ? std::log(Real(.4)) : 0;
    return logits;
  };
  const TableModel model(table, [](Id, const Ids& words, std::size_t length) {
    std::vector<float> row(length, 0);
    row[std::min(words.size(), length - 1)] = 1;
    return row;
  });
  // Without the penalty, the empty translation wins at once. With it, this translation scores log .6 + .2 log 1e-6 =
  // -3.27. After one step "4" scores log .4 + .2 log 1e-6 = -3.68, but in the end its score is log .4.
  BeamOptions options{.beam = 2, .length_penalty = 0};
  CHECK(beam_search(model, make_batch(4, 2), options).at(0).at(0).ids.empty());
  CHECK(model.decoder().rows.size() == 1);
  options.coverage_penalty = 0.2;
  const auto best = beam_search(model, make_batch(4, 2), options).at(0).at(0);
  CHECK(best.ids == Ids{4, 5});
  CHECK(best.score == Approx(std::log(.4)));
}

TEST_CASE("beam search: a model without attention has no coverage") {
  const TableModel model(random_table(6, 1), tables::Attend());
  CHECK(beam_search(model, make_batch(4, 2), {}).at(0).at(0).weights.matrix.empty());
  CHECK_THROWS_WITH(beam_search(model, make_batch(4, 2), {.coverage_penalty = 1}), Catch::Contains("no attention"));
}

TEST_CASE("beam search: finished translations come before truncated ones for any scores") {
  const Table table = [](Id, const Ids& words) {
    return std::vector<Real>{never, never, never, words.empty() ? Real(0) : never, 3, Real(words.empty() ? -9 : 1)};
  };
  const BeamOptions options{.beam = 2, .n_best = 2, .max_length = 5};
  const auto best = beam_search(TableModel(table), make_batch(4, 2), options).at(0);
  REQUIRE(best.size() == 2);
  CHECK(best[0].finished);
  CHECK(best[0].ids.empty());
  CHECK_FALSE(best[1].finished);
  CHECK(best[1].ids == Ids{4, 4, 4, 4, 4});
  CHECK(best[1].score > best[0].score);
  check_hypotheses(table, 4, 3, options, best);
}

TEST_CASE("beam search: a translation as long as the limit may still end") {
  const Table table = [](Id, const Ids& words) {
    const bool end = words.size() == 3;
    return std::vector<Real>{0, 0, 0, end ? Real(9) : never, end ? Real(0) : Real(9)};
  };
  const auto best = beam_search(TableModel(table), make_batch(4, 2), {.max_length = 3}).at(0);
  CHECK(best[0].ids == Ids{4, 4, 4});
  CHECK(best[0].finished);
  const auto shorter = beam_search(TableModel(table), make_batch(4, 2), {.max_length = 2}).at(0);
  CHECK(shorter[0].ids == Ids{4, 4});
  CHECK_FALSE(shorter[0].finished);
}

TEST_CASE("beam search: the error for invalid logits names sentence and step, and -infinity forbids a word") {
  const Real infinity = std::numeric_limits<Real>::infinity(), nan = std::numeric_limits<Real>::quiet_NaN();
  const auto table_with = [](std::size_t column, Real poison) {
    return [=](Id sentence, const Ids& words) {
      std::vector<Real> logits(21, 0);
      logits[data::end_id] = never;
      if (sentence == 5 && words.size() == 2) logits[column] = poison;
      return logits;
    };
  };
  const Batch batch = make_batch({4, 5, 6}, {2, 2, 2});
  for (std::size_t column = 0; column < 21; ++column) {
    for (const Real poison : {nan, -nan, infinity}) {
      const TableModel model(table_with(column, poison));
      CHECK_THROWS_WITH(
          beam_search(model, batch, {.beam = 3}),
          Catch::Contains("decoding: sentence 11 (counted from 1) has no probabilities at step") &&
              Catch::Contains("(counted from 1) has no probabilities at step 3, because the model computes NaN or "
                              "infinity. Its training diverged, or its file is damaged. Train again"));
    }
    const TableModel model(table_with(column, -infinity));
    const auto best = beam_search(model, batch, {.beam = 3, .n_best = 3})[1];
    for (const Hypothesis& h : best) CHECK(h.ids.at(2) != static_cast<Id>(column));
  }
  const auto only = beam_search(TableModel([=](Id, const Ids& words) {
                                  std::vector<Real> logits(6, -infinity);
                                  logits[words.empty() ? 4 : data::end_id] = 0;
                                  return logits;
                                }),
                                make_batch(4, 1), {.beam = 3, .n_best = 3})
                        .at(0);
  REQUIRE(only.size() == 1);
  CHECK(only[0].ids == Ids{4});
  CHECK(only[0].finished);
  const TableModel impossible([=](Id, const Ids&) { return std::vector<Real>(6, -infinity); });
  CHECK_THROWS_WITH(beam_search(impossible, batch, {}),
                    Catch::Contains("decoding: sentence 1 (counted from 1) has no probabilities at step") &&
                        Catch::Contains("step 1"));
}

TEST_CASE("beam search: misuse is refused, but an empty batch is accepted") {
  const TableModel model(random_table(6, 1));
  const Batch batch = make_batch(4, 1);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 0}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 2, .n_best = 0}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 2, .n_best = 3}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.length_penalty = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.length_penalty = std::nan("")}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.coverage_penalty = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.coverage_penalty = std::numeric_limits<double>::infinity()}),
                  std::invalid_argument);
  CHECK(beam_search(model, Batch{}, {}).empty());
}
