// Models that are tables: their prediction is a fixed function of the sentence and of the words so far. The search uses
// only the interface of models, so it cannot treat a table differently.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "autograd/random.h"
#include "models/search/beam_search.h"
#include "tests/catch.h"

using namespace softalign;

namespace tables {

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

// The logits after `words`, for the sentence whose first source id is `sentence`.
using Table = std::function<std::vector<Real>(Id sentence, const Ids& words)>;

inline std::uint64_t hash(Id sentence, const Ids& words) {
  std::uint64_t h = 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(sentence);
  for (const Id id : words) h = (h ^ static_cast<std::uint64_t>(id)) * 0x100000001b3u;
  return autograd::Random(h).next();
}

// Random logits in -2 .. 2 for V words. The logits of <pad> and <s> are larger than all others.
inline Table random_table(std::size_t V, std::uint64_t seed) {
  return [=](Id sentence, const Ids& words) {
    autograd::Random random(hash(sentence, words) + seed);
    std::vector<Real> logits(V);
    for (Real& l : logits) l = static_cast<Real>(4 * random.uniform() - 2);
    logits[data::pad_id] = logits[data::start_id] = 5;
    return logits;
  };
}

// The weights of the step after `words`, over `length` source steps.
inline std::vector<float> weights(Id sentence, const Ids& words, std::size_t length) {
  const std::uint64_t h = hash(sentence, words);
  std::vector<float> row(length, 0.25f / static_cast<float>(length));
  row[h % length] += 0.75f;
  return row;
}

// A function like `weights`; empty for a model without attention.
using Attend = std::function<std::vector<float>(Id sentence, const Ids& words, std::size_t length)>;

// Head k of two has the weights of sentence + 1 + k.
inline std::vector<float> head_weights(std::size_t k, Id sentence, const Ids& words, std::size_t length) {
  return weights(sentence + 1 + static_cast<Id>(k), words, length);
}

// The state holds the words so far, one row per hypothesis.
class TableDecoder : public models::Decoder {
 public:
  TableDecoder(Table table, Attend attend) : table_(std::move(table)), attend_(std::move(attend)) {}
  mutable std::vector<std::size_t> rows;  // number of rows in every step taken

  bool attends() const override { return attend_ != nullptr; }

  Memory memory(const Batch& batch) const {
    Array first({batch.size, 1});
    for (std::size_t b = 0; b < batch.size; ++b) first[b] = static_cast<Real>(batch.source[b]);
    rows.clear();
    const Source source{Var(first), batch.source_steps};
    encoded_ = source.first.node().get();
    return {batch.source_lengths, source};
  }
  State start(const Memory& memory) const override {
    Ids sentence(memory.size());
    std::iota(sentence.begin(), sentence.end(), 0);
    return {Written{Var(Array({memory.size(), 40, 1}, 0)), Var(Array({memory.size()}, 0))}, sentence};
  }
  models::Step step(const Ids& previous, const State& state, const Memory& memory) const override {
    const auto& source = memory.as<Source>();
    const auto& written = state.as<Written>();
    CHECK(source.first.node().get() == encoded_);  // the memory is never copied
    const std::size_t R = previous.size(), S = source.steps;
    REQUIRE(state.sentence.size() == R);
    REQUIRE(written.words.shape() == Shape{R, 40, 1});
    rows.push_back(R);
    Array words = written.words.value().clone(), counts = written.counts.value().clone();
    Array logits, alignment({R, S}, 0), heads({R, 2, S}, 0);
    for (std::size_t r = 0; r < R; ++r) {
      if (previous[r] != data::start_id) words[r * 40 + static_cast<std::size_t>(counts[r]++)] = Real(previous[r]);
      const Ids prefix(words.data() + r * 40, words.data() + r * 40 + static_cast<std::size_t>(counts[r]));
      const auto b = static_cast<std::size_t>(state.sentence[r]);
      const Id sentence = static_cast<Id>(source.first.value()[b]);
      const std::vector<Real> row = table_(sentence, prefix);
      if (!logits.defined()) logits = Array({R, row.size()});
      std::copy(row.begin(), row.end(), logits.data() + r * row.size());
      const std::size_t length = memory.lengths[b];
      if (!attends()) continue;
      const std::vector<float> alpha = attend_(sentence, prefix, length);
      std::copy(alpha.begin(), alpha.end(), alignment.data() + r * S);
      for (std::size_t k = 0; k < 2; ++k) {
        const std::vector<float> head = head_weights(k, sentence, prefix, length);
        std::copy(head.begin(), head.end(), heads.data() + (r * 2 + k) * S);
      }
    }
    const State next(Written{Var(words), Var(counts)}, state.sentence);
    if (!attends()) return {Var(logits), next, {}};
    return {Var(logits), next, {Var(alignment), {{.weights = Var(heads)}}}};
  }
  models::TeacherForced teacher_forced(const Memory&, const models::Targets&, const models::Training*) const override {
    return {};
  }

 private:
  struct Source {
    Var first;  // (B, 1), first id of the sentence
    std::size_t steps;
  };
  struct Written {
    Var words;   // (R, 40, 1), 0 where no word has been written
    Var counts;  // (R)
    template <class Visit>
    void each(Visit&& visit) {
      visit("words", words), visit("counts", counts);
    }
  };
  Table table_;
  Attend attend_;
  mutable const void* encoded_ = nullptr;
};

class TableModel : public models::Seq2Seq {
 public:
  explicit TableModel(Table table, Attend attend = weights) : decoder_(std::move(table), std::move(attend)) {}
  const TableDecoder& decoder() const override { return decoder_; }

 private:
  Memory read(const Batch& batch, const models::Training*) const override { return decoder_.memory(batch); }
  TableDecoder decoder_;
};

// Sentence b consists of `words[b]` copies of its id, then </s>.
inline Batch make_batch(const Ids& ids, const std::vector<std::size_t>& words) {
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
inline Batch make_batch(Id id, std::size_t words) { return make_batch(Ids{id}, {words}); }

// log softmax of a row, in double precision.
inline std::vector<double> log_probabilities(const std::vector<Real>& logits) {
  double total = 0;
  for (const Real l : logits) total += std::exp(static_cast<double>(l));
  std::vector<double> log_p;
  for (const Real l : logits) log_p.push_back(static_cast<double>(l) - std::log(total));
  return log_p;
}

// The score that the header of beam_score.h defines, from attention rows whose last column is </s>.
inline double expected_score(double log_prob, const data::Matrix& attention, const BeamOptions& o) {
  const auto length = static_cast<double>(attention.size());
  const double lp = o.normalisation == models::Normalisation::wu
                        ? std::pow(5 + length, o.length_penalty) / std::pow(6, o.length_penalty)
                        : std::pow(length, o.length_penalty);
  double cp = 0;
  for (std::size_t j = 0; j + 1 < attention.at(0).size(); ++j) {
    double sum = 0;
    for (const auto& row : attention) sum += static_cast<double>(row[j]);
    cp += std::log(std::max(std::min(sum, 1.0), 1e-6));
  }
  return log_prob / lp + o.coverage_penalty * cp;
}

// Checks the properties of the result of a search that hold for any model.
inline void check_hypotheses(const Table& table, Id sentence, std::size_t source_length, const BeamOptions& options,
                             const std::vector<Hypothesis>& best) {
  std::set<std::pair<Ids, bool>> seen;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Hypothesis& h = best[i];
    CHECK(seen.emplace(h.ids, h.finished).second);
    if (i > 0 && best[i - 1].finished == h.finished) CHECK(best[i - 1].score >= h.score);
    if (i > 0) CHECK(best[i - 1].finished >= h.finished);
    const std::size_t steps = h.ids.size() + (h.finished ? 1 : 0);
    REQUIRE(h.word_log_prob.size() == steps);
    REQUIRE(h.weights.matrix.size() == steps);
    double total = 0;
    Ids prefix;
    for (std::size_t t = 0; t < steps; ++t) {
      const Id id = t < h.ids.size() ? h.ids[t] : data::end_id;
      CHECK(id != data::pad_id);
      CHECK(id != data::start_id);
      CHECK(h.word_log_prob[t] ==
            Approx(log_probabilities(table(sentence, prefix))[static_cast<std::size_t>(id)]).margin(1e-5));
      CHECK(h.weights.matrix[t] == weights(sentence, prefix, source_length));
      REQUIRE(h.weights.heads.size() == 2);
      for (std::size_t k = 0; k < 2; ++k) {
        CHECK(h.weights.heads[k].head == k);
        CHECK(h.weights.heads[k].matrix.at(t) == head_weights(k, sentence, prefix, source_length));
      }
      total += h.word_log_prob[t];
      prefix.push_back(id);
    }
    CHECK(h.log_prob == Approx(total).margin(1e-9));
    CHECK(h.score == Approx(expected_score(total, h.weights.matrix, options)).margin(1e-9));
  }
}

inline constexpr Real never = -50;

}  // namespace tables
