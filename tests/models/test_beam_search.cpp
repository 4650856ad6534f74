// The models of this test are tables: what they say next is a fixed function of the sentence and of the words so far.
// The search meets them through the seam alone, so it cannot know what it holds.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "models/beam_search.h"
#include "tests/catch.h"

using autograd::Array;
using autograd::Id;
using autograd::Ids;
using autograd::Real;
using autograd::Shape;
using autograd::Var;
using data::Batch;
using models::BeamOptions;
using models::Hypothesis;
using models::Memory;
using models::State;

namespace {

// Logits after `words` of the sentence whose first source id is `sentence`.
using Table = std::function<std::vector<Real>(Id sentence, const Ids& words)>;

std::uint64_t hash(Id sentence, const Ids& words) {
  std::uint64_t h = 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(sentence);
  for (const Id id : words) h = (h ^ static_cast<std::uint64_t>(id)) * 0x100000001b3u;
  return autograd::Random(h).next();
}

// Random logits in -2 .. 2 for V words, those of <pad> and <s> the largest of all.
Table random_table(std::size_t V, std::uint64_t seed) {
  return [=](Id sentence, const Ids& words) {
    autograd::Random random(hash(sentence, words) + seed);
    std::vector<Real> logits(V);
    for (Real& l : logits) l = static_cast<Real>(4 * random.uniform() - 2);
    logits[data::pad_id] = logits[data::start_id] = 5;
    return logits;
  };
}

// The weights of the step that follows `words`, over `length` source steps.
std::vector<Real> weights(Id sentence, const Ids& words, std::size_t length) {
  const std::uint64_t h = hash(sentence, words);
  std::vector<Real> row(length, Real(0.25) / static_cast<Real>(length));
  row[h % length] += Real(0.75);
  return row;
}

// The state holds the words so far, one row per hypothesis: (R, 40, 1), 0 where there is none yet, and their number.
class TableModel : public models::Seq2Seq {
 public:
  explicit TableModel(Table table) : table_(std::move(table)) {}
  mutable std::vector<std::size_t> rows;  // of every step that was taken

  Memory encode(const Batch& batch, const models::Training*) const override {
    Memory memory;
    memory.sentences = batch.size;
    memory.steps = batch.source_steps;
    memory.mask = Array({batch.size, batch.source_steps}, 0);
    for (std::size_t b = 0; b < batch.size; ++b)
      std::fill_n(memory.mask.data() + b * batch.source_steps, batch.source_lengths[b], Real(1));
    Array first({batch.size, 1});
    for (std::size_t b = 0; b < batch.size; ++b) first[b] = static_cast<Real>(batch.source[b]);
    memory.states = Var(first);
    rows.clear();
    encoded_ = memory.states.node().get();
    return memory;
  }
  State start(const Memory& memory) const override {
    State state{{Var(Array({memory.sentences, 40, 1}, 0)), Var(Array({memory.sentences}, 0))}, {}};
    for (std::size_t b = 0; b < memory.sentences; ++b) state.sentence.push_back(static_cast<Id>(b));
    return state;
  }
  models::Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    CHECK(memory.states.node().get() == encoded_);  // never copied
    const std::size_t R = previous.size(), S = memory.steps;
    REQUIRE(state.sentence.size() == R);
    REQUIRE(state.parts[0].shape() == Shape{R, 40, 1});
    rows.push_back(R);
    Array words = state.parts[0].value().clone(), counts = state.parts[1].value().clone();
    Array logits, attention({R, S}, 0);
    for (std::size_t r = 0; r < R; ++r) {
      if (previous[r] != data::start_id) words[r * 40 + static_cast<std::size_t>(counts[r]++)] = Real(previous[r]);
      const Ids prefix(words.data() + r * 40, words.data() + r * 40 + static_cast<std::size_t>(counts[r]));
      const auto b = static_cast<std::size_t>(state.sentence[r]);
      const Id sentence = static_cast<Id>(memory.states.value()[b]);
      const std::vector<Real> row = table_(sentence, prefix);
      if (!logits.defined()) logits = Array({R, row.size()});
      std::copy(row.begin(), row.end(), logits.data() + r * row.size());
      std::size_t length = 0;
      while (length < S && memory.mask[b * S + length] == 1) ++length;
      const std::vector<Real> alpha = weights(sentence, prefix, length);
      std::copy(alpha.begin(), alpha.end(), attention.data() + r * S);
    }
    return {Var(logits), {{Var(words), Var(counts)}, state.sentence}, Var(attention)};
  }
  models::Forced forced(const Batch&, const models::Training*) const override { return {}; }

 private:
  Table table_;
  mutable const void* encoded_ = nullptr;
};

// Sentence b is `words[b]` times its own id, then </s>.
Batch make_batch(const Ids& ids, const std::vector<std::size_t>& words) {
  Batch batch;
  batch.size = ids.size();
  batch.source_steps = *std::max_element(words.begin(), words.end()) + 1;
  batch.source.assign(batch.source_steps * batch.size, data::pad_id);
  for (std::size_t b = 0; b < batch.size; ++b) {
    for (std::size_t t = 0; t < words[b]; ++t) batch.source[t * batch.size + b] = ids[b];
    batch.source[words[b] * batch.size + b] = data::end_id;
    batch.source_lengths.push_back(words[b] + 1);
    batch.index.push_back(10 * b);
  }
  return batch;
}
Batch make_batch(Id id, std::size_t words) { return make_batch(Ids{id}, {words}); }

// log softmax of a row, in double.
std::vector<double> log_probabilities(const std::vector<Real>& logits) {
  double total = 0;
  for (const Real l : logits) total += std::exp(static_cast<double>(l));
  std::vector<double> log_p;
  for (const Real l : logits) log_p.push_back(static_cast<double>(l) - std::log(total));
  return log_p;
}

struct Found {
  Ids ids;
  double log_prob;
};
// Every translation of at most max_length words, in no order.
void enumerate(const Table& table, Id sentence, Ids& words, double log_prob, std::size_t max_length,
               std::vector<Found>& all) {
  const std::vector<double> log_p = log_probabilities(table(sentence, words));
  all.push_back({words, log_prob + log_p[data::end_id]});
  if (words.size() == max_length) return;
  for (Id v = 0; v < static_cast<Id>(log_p.size()); ++v) {
    if (v == data::pad_id || v == data::start_id || v == data::end_id) continue;
    words.push_back(v);
    enumerate(table, sentence, words, log_prob + log_p[static_cast<std::size_t>(v)], max_length, all);
    words.pop_back();
  }
}

Ids greedy(const Table& table, Id sentence, std::size_t max_length, bool& finished) {
  Ids words;
  while (true) {
    const std::vector<Real> logits = table(sentence, words);
    Id best = data::unk_id;
    for (Id v = 3; v < static_cast<Id>(logits.size()); ++v)
      if (logits[static_cast<std::size_t>(v)] > logits[static_cast<std::size_t>(best)]) best = v;
    finished = best == data::end_id;
    if (finished || words.size() == max_length) return words;
    words.push_back(best);
  }
}

// What must hold of any answer, whatever the model.
void check_hypotheses(const Table& table, Id sentence, std::size_t source_length, const BeamOptions& options,
                      const std::vector<Hypothesis>& best) {
  std::set<std::pair<Ids, bool>> seen;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Hypothesis& h = best[i];
    CHECK(seen.emplace(h.ids, h.finished).second);
    if (i > 0)
      CHECK((best[i - 1].finished && !h.finished ||
             (best[i - 1].finished == h.finished && best[i - 1].score >= h.score)));
    const std::size_t steps = h.ids.size() + (h.finished ? 1 : 0);
    REQUIRE(h.word_log_prob.size() == steps);
    REQUIRE(h.attention.size() == steps);
    double total = 0;
    Ids prefix;
    for (std::size_t t = 0; t < steps; ++t) {
      const Id id = t < h.ids.size() ? h.ids[t] : data::end_id;
      CHECK(id != data::pad_id);
      CHECK(id != data::start_id);
      CHECK(h.word_log_prob[t] ==
            Approx(log_probabilities(table(sentence, prefix))[static_cast<std::size_t>(id)]).margin(1e-5));
      CHECK(h.attention[t] == weights(sentence, prefix, source_length));
      total += h.word_log_prob[t];
      prefix.push_back(id);
    }
    CHECK(h.log_prob == Approx(total).margin(1e-9));
    CHECK(h.score == Approx(total / std::pow(steps, options.length_penalty)).margin(1e-9));
  }
}

constexpr Real never = -50;

}  // namespace

TEST_CASE("beam search: a beam as wide as the search space finds what enumeration finds") {
  const double alpha = GENERATE(0.0, 0.6, 1.0, 2.0);
  const std::uint64_t seed = GENERATE(1, 2, 3);
  const Table table = random_table(7, seed);
  std::vector<Found> all;
  Ids none;
  enumerate(table, 5, none, 0, 4, all);
  REQUIRE(all.size() == 1 + 4 + 16 + 64 + 256);
  const auto score = [&](const Found& f) {
    return f.log_prob / std::pow(static_cast<double>(f.ids.size() + 1), alpha);
  };
  std::sort(all.begin(), all.end(), [&](const Found& a, const Found& b) { return score(a) > score(b); });

  for (const std::size_t n : {std::size_t{1}, std::size_t{5}, all.size()}) {
    const BeamOptions options{.beam = 5 * 256, .n_best = n, .length_penalty = alpha, .max_length = 4};
    const TableModel model(table);
    const auto best = beam_search(model, make_batch(5, 2), options).at(0);
    REQUIRE(best.size() == n);
    for (std::size_t i = 0; i < n; ++i) {
      INFO("alpha " << alpha << ", seed " << seed << ", rank " << i << " of " << n);
      CHECK(best[i].finished);
      CHECK(best[i].score == Approx(score(all[i])).margin(1e-5));
      // Neighbours within rounding may change places.
      const bool alone = (i == 0 || score(all[i - 1]) - score(all[i]) > 1e-5) &&
                         (i + 1 == all.size() || score(all[i]) - score(all[i + 1]) > 1e-5);
      if (alone) CHECK(best[i].ids == all[i].ids);
    }
    check_hypotheses(table, 5, 3, options, best);
  }
}

TEST_CASE("beam search: a beam of one takes the best word at each step") {
  std::size_t cut = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Table table = random_table(9, seed);
    const TableModel model(table);
    const auto best = beam_search(model, make_batch(4, 1), {.max_length = 6}).at(0);
    REQUIRE(best.size() == 1);
    bool finished = false;
    CHECK(best[0].ids == greedy(table, 4, 6, finished));
    CHECK(best[0].finished == finished);
    cut += !finished;
    check_hypotheses(table, 4, 2, {}, best);
  }
  CHECK(cut > 5);
  CHECK(cut < 45);
}

TEST_CASE("beam search: the best words are found wherever they stand in a large vocabulary") {
  const Id V = 700;
  for (Id first = 4; first < V; ++first) {
    const Id second = first > 4 ? V + 3 - first : 5;
    if (first == second) continue;
    const TableModel model([=](Id, const Ids& words) {  // one word, then </s>
      std::vector<Real> logits(V, 0);
      if (words.empty()) {
        logits[static_cast<std::size_t>(first)] = 9;
        logits[static_cast<std::size_t>(second)] = 8;
      } else {
        logits[data::end_id] = 20;
      }
      return logits;
    });
    const auto best = beam_search(model, make_batch(4, 1), {.beam = 2, .n_best = 2}).at(0);
    CHECK(best[0].ids == Ids{first});
    CHECK(best[1].ids == Ids{second});
  }
}

TEST_CASE("beam search: a batch gives what its sentences give alone") {
  const Ids ids = {4, 9, 5, 4, 12, 7};
  const std::vector<std::size_t> words = {3, 1, 7, 2, 0, 5};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Table table = random_table(12, seed);
    const TableModel model(table);
    const BeamOptions options{.beam = 1 + seed % 5, .n_best = 1 + seed % 3 % (1 + seed % 5)};
    const auto together = beam_search(model, make_batch(ids, words), options);
    REQUIRE(together.size() == ids.size());
    for (std::size_t b = 0; b < ids.size(); ++b) {
      INFO("seed " << seed << ", sentence " << b);
      // A sentence without words starts with </s>: that is its first id.
      const Id id = words[b] == 0 ? data::end_id : ids[b];
      check_hypotheses(table, id, words[b] + 1, options, together[b]);
      const auto alone = beam_search(model, make_batch(ids[b], words[b]), options).at(0);
      REQUIRE(together[b].size() == options.n_best);
      REQUIRE(alone.size() == options.n_best);
      for (std::size_t i = 0; i < options.n_best; ++i) {
        CHECK(together[b][i].ids == alone[i].ids);
        CHECK(together[b][i].finished == alone[i].finished);
        CHECK(together[b][i].log_prob == Approx(alone[i].log_prob).margin(1e-5));
        CHECK(together[b][i].attention == alone[i].attention);
      }
    }
  }
}

TEST_CASE("beam search: a model that never ends is cut at the limit") {
  const Table table = [](Id, const Ids& words) {
    std::vector<Real> logits = {0, 0, 0, never, 2, 1};
    if (words.size() % 2) std::swap(logits[4], logits[5]);
    return logits;
  };
  const TableModel model(table);
  const auto best = beam_search(model, make_batch({4, 4}, {3, 1}), {.beam = 2, .n_best = 2});
  CHECK(best[0][0].ids.size() == 2 * 3 + 10);  // the stated default: twice the source's words and 10
  CHECK(best[1][0].ids == Ids{4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5});
  CHECK_FALSE(best[0][0].finished);
  check_hypotheses(table, 4, 4, {}, best[0]);
  check_hypotheses(table, 4, 2, {}, best[1]);
  // Two rows a sentence, until the shorter limit and its last chance of </s> has gone by.
  std::vector<std::size_t> rows(17, 2);
  std::fill(rows.begin(), rows.begin() + 13, 4);
  rows[0] = 2;  // one hypothesis a sentence: <s>
  CHECK(model.rows == rows);
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
  CHECK(best[0][0].attention.size() == 1);
  CHECK(best[1][0].ids == Ids{5, 5});
  CHECK(best[2][0].attention[0].size() == 2);
  CHECK(model.rows == std::vector<std::size_t>{3, 1, 1});
}

TEST_CASE("beam search: it stops as soon as no live hypothesis can change the n best, and no sooner") {
  // </s> is worth `end`, any other step log_p(word) = log(1 - e^end) or less.
  const auto steps = [](double end, double alpha, std::size_t max_length) {
    const TableModel model([=](Id, const Ids&) {
      return std::vector<Real>{never, never, never, static_cast<Real>(end),
                               static_cast<Real>(std::log1p(-std::exp(end)))};
    });
    beam_search(model, make_batch(4, 3), {.beam = 2, .n_best = 1, .length_penalty = alpha, .max_length = max_length});
    return model.rows.size();
  };
  // p(</s>) = .9: -.1054 finished; "4" has -2.3 and could reach -2.3 / 21 = -.1096 at best: one step is enough.
  CHECK(steps(std::log(.9), 1, 20) == 1);
  // Were 21 words allowed, it could reach -2.3 / 22 = -.1047 > -.1054, so one more step is needed.
  CHECK(steps(std::log(.9), 1, 21) == 2);
  CHECK(steps(std::log(.9), 0, 1000) == 1);
}

TEST_CASE("beam search: finished translations come before those that the limit cut, whatever their scores") {
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

TEST_CASE("beam search: equal hypotheses come in the order of their ids") {
  const TableModel model([](Id, const Ids&) { return std::vector<Real>(6, 0); });
  const auto best =
      beam_search(model, make_batch(4, 0), {.beam = 4, .n_best = 4, .length_penalty = 0, .max_length = 1});
  REQUIRE(best[0].size() == 4);
  // Step 1 finds <unk>, </s>, 4, 5; step 2, of equal continuations, <unk> before </s>, so no other word is finished.
  CHECK(best[0][0].ids.empty());
  CHECK(best[0][1].ids == Ids{data::unk_id});
  CHECK(best[0][1].finished);
  CHECK(best[0][2].ids == Ids{4});
  CHECK_FALSE(best[0][2].finished);
  CHECK(best[0][3].ids == Ids{5});
}

TEST_CASE("beam search: of equal hypotheses the one that continues the earlier comes first") {
  const TableModel model([](Id, const Ids& words) {
    const Real word = words.empty() ? Real(0) : never, end = words.empty() ? never : Real(0);
    return std::vector<Real>{0, never, 0, end, word, word};
  });
  const auto best = beam_search(model, make_batch(4, 0), {.beam = 2, .n_best = 2, .max_length = 4});
  CHECK(best[0][0].ids == Ids{4});
  CHECK(best[0][1].ids == Ids{5});
}

TEST_CASE(
    "beam search: logits that are not finite are an error that names sentence and step; -infinity forbids a word") {
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
          Catch::Contains("sentence 11 (from 1)") && Catch::Contains("at step 3: its logits are not finite"));
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
                    Catch::Contains("sentence 1 (from 1)") && Catch::Contains("step 1"));
}

TEST_CASE("beam search: misuse is refused, an empty batch is not") {
  const TableModel model(random_table(6, 1));
  const Batch batch = make_batch(4, 1);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 0}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 2, .n_best = 0}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.beam = 2, .n_best = 3}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.length_penalty = -0.1}), std::invalid_argument);
  CHECK_THROWS_AS(beam_search(model, batch, {.length_penalty = std::nan("")}), std::invalid_argument);
  CHECK(beam_search(model, Batch{}, {}).empty());
}

TEST_CASE("mean_loss: the sum of the losses by the number of words, which must not be 0") {
  Batch batch;
  batch.target_out = {7, 8, data::end_id, data::pad_id};
  const models::Forced forced{Var(Array({4}, {Real(1), Real(2), Real(6), Real(0)})), {}};
  CHECK(mean_loss(forced, batch).value().item() == Approx(3));
  batch.target_out.clear();
  CHECK_THROWS_AS(mean_loss(forced, batch), std::invalid_argument);
}
