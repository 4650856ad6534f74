// Properties of every model while it writes: in single steps, in a search, and after it was saved and loaded.
#include <fmt/format.h>

#include <map>

#include "autograd/ops/loss.h"
#include "models/checkpoint.h"
#include "models/search/beam_search.h"
#include "models/search/hypothesis.h"
#include "tests/models/kinds.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace kinds;

std::map<std::string, Var> parts_of(State state) {
  std::map<std::string, Var> parts;
  state.each([&](const std::string& name, Var& part) { parts[name] = part; });
  return parts;
}

}  // namespace

TEST_CASE("models: decoding step by step equals forced decoding, and the loss is the sum over steps") {
  const autograd::NoGrad no_grad;
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const std::size_t B = batch.size;
    const TeacherForced forced = made.model.teacher_forced(batch);
    const Decoder& decoder = made.model.decoder();
    const Memory memory = made.model.encode(batch);
    State state = decoder.start(memory);
    double total = 0;
    std::size_t words = 0;
    for (std::size_t t = 0; t < batch.targets.steps; ++t) {
      const auto at = [&](const Ids& ids) {
        return Ids(ids.begin() + static_cast<long>(t * B), ids.begin() + static_cast<long>((t + 1) * B));
      };
      const Step step = decoder.step(at(batch.targets.in), state, memory);
      REQUIRE(step.logits.shape() == Shape{B, o.target_vocabulary});
      const Array losses = cross_entropy(step.logits, at(batch.targets.out)).value();
      CHECK(compare::relative_error(losses, forced.losses.value().rows(t * B, (t + 1) * B)) < alone_tolerance);
      const auto of_step = [&](const Var& x) { return x.value().rows(t * B, (t + 1) * B); };
      REQUIRE(step.weights.matrix.defined() == attends(o));
      if (decoder.attends())
        CHECK(compare::relative_error(step.weights.matrix.value(), of_step(forced.weights.matrix)) < alone_tolerance);
      REQUIRE(step.weights.heads.size() == attentions_with_heads(o));
      for (std::size_t i = 0; i < step.weights.heads.size(); ++i)
        CHECK(compare::relative_error(step.weights.heads[i].weights.value(), of_step(forced.weights.heads[i].weights)) <
              alone_tolerance);
      for (const Real loss : losses.span()) total += loss;
      for (const auto id : at(batch.targets.out)) words += id != data::pad_id;
      state = step.state;
    }
    CHECK(words == (answers(o) ? 6 : 10));
    CHECK(mean_loss(forced, batch).value().item() == Approx(total / static_cast<double>(words)).epsilon(1e-6));
  }
}

TEST_CASE("models: selected rows, repeated or of one sentence, continue unchanged") {
  const autograd::NoGrad no_grad;
  for (const auto& [name, o] : all()) {
    if (answers(o)) continue;  // nothing follows an answer (tests/stories/test_models_answers.cpp)
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const Decoder& decoder = made.model.decoder();
    const Memory memory = made.model.encode(batch);
    const Step first = decoder.step({2, 2, 2}, decoder.start(memory), memory);
    const Step second = decoder.step({4, 5, 6}, first.state, memory);
    const Ids rows{2, 0, 2, 2};  // rows are chosen twice; the second choice refers to the rows of the first
    const State shuffled = select(first.state, {1, 2, 0});
    const Step chosen = decoder.step({6, 4, 6, 5}, select(shuffled, {1, 2, 1, 1}), memory);
    const auto same = [&](const Var& some, const Var& all_rows, std::size_t r) {
      const auto from = static_cast<std::size_t>(rows[r]);
      return compare::relative_error(some.value().rows(r, r + 1), all_rows.value().rows(from, from + 1)) <
             alone_tolerance;
    };
    for (std::size_t r = 0; r < 3; ++r) {  // the fourth row reads another word
      CHECK(same(chosen.logits, second.logits, r));
      if (decoder.attends()) CHECK(same(chosen.weights.matrix, second.weights.matrix, r));
      const auto some = parts_of(chosen.state), all_rows = parts_of(second.state);
      REQUIRE(!some.empty());
      for (const auto& [part, x] : some) CHECK(same(x, all_rows.at(part), r));
    }
    const auto apart = [](const Var& x) { return compare::relative_error(x.value().rows(3, 4), x.value().rows(2, 3)); };
    if (o.model == "rnnsearch" && !o.query_word)
      CHECK(apart(chosen.weights.matrix) < alone_tolerance);  // it attends before it reads the word
    CHECK(apart(chosen.logits) > 1e-3);
  }
}

TEST_CASE("models: a beam of one equals greedy decoding") {
  const autograd::NoGrad no_grad;
  std::size_t finished = 0;
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const auto found = beam_search(made.model, all_pairs(o), {.beam = 1});
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      const Batch single = data::make_batch(pairs_of(o), {b});
      const Memory memory = made.model.encode(single);
      State state = made.model.decoder().start(memory);
      Ids words;
      Id last = data::start_id;
      while (words.size() < length_limit(0, single.source_lengths[0])) {
        const Step step = made.model.decoder().step({last}, state, memory);
        Id best = data::unk_id;
        for (Id id = 0; id < static_cast<Id>(o.target_vocabulary); ++id)
          if (writable(id) &&
              step.logits.value()[static_cast<std::size_t>(id)] > step.logits.value()[static_cast<std::size_t>(best)])
            best = id;
        if (best == data::end_id) break;
        words.push_back(last = best);
        state = step.state;
      }
      REQUIRE(found[b].size() == 1);
      CHECK(found[b][0].ids == words);
      finished += found[b][0].finished;
    }
  }
  CHECK(finished > 20);
}

TEST_CASE("models: search results have the probabilities and the attention of forced decoding") {
  const autograd::NoGrad no_grad;
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const auto found = beam_search(made.model, all_pairs(o), {.beam = 3, .n_best = 3});
    for (std::size_t b = 0; b < pairs.size(); ++b)
      for (const Hypothesis& h : found[b]) {
        data::EncodedPair pair = pairs_of(o)[b];
        pair.target = h.ids;
        const Batch batch = data::make_batch({pair}, {0});
        const TeacherForced forced = made.model.teacher_forced(batch);
        CHECK(h.weights.matrix.empty() == !attends(o));
        for (std::size_t t = 0; t < h.word_log_prob.size(); ++t) {
          CHECK(h.word_log_prob[t] == Approx(-static_cast<double>(forced.losses.value()[t])).margin(1e-5));
          if (!attends(o)) continue;
          const std::vector<float>& row = h.weights.matrix.at(t);
          REQUIRE(row.size() == most_places(batch));
          for (std::size_t j = 0; j < row.size(); ++j)
            CHECK(row[j] == Approx(forced.weights.matrix.value()[t * row.size() + j]).margin(1e-5));
        }
      }
  }
}

#ifndef SOFTALIGN_DOUBLE  // files have float32 numbers
TEST_CASE("models: saved models are read back with the same bits") {
  const TemporaryFolder folder;
  std::size_t files = 0;
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made trained(o), other(o, 3);
    const std::string path = folder.file(fmt::format("model{}.safetensors", files++));
    Checkpoint checkpoint;
    checkpoint.parameters = named_arrays(trained.params);
    save_checkpoint(path, checkpoint);
    const Checkpoint loaded = load_checkpoint(path);
    const Batch batch = all_pairs(o);
    const Array before = trained.model.teacher_forced(batch).losses.value();
    CHECK(!compare::same_bits(other.model.teacher_forced(batch).losses.value(), before));
    restore(path, loaded.parameters, named_arrays(other.params));
    CHECK(compare::same_bits(other.model.teacher_forced(batch).losses.value(), before));
  }
}
#endif
