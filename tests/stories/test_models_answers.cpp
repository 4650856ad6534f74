// Models that answer with one word are compared with PyTorch. The tests also check that nothing follows an answer, and
// which stories are refused.
#include <cmath>

#include "autograd/ops/loss.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "models/search/beam_search.h"
#include "models/stories/attentive_reader.h"
#include "models/stories/memory_network.h"
#include "models/stories/story.h"
#include "models/training/losses.h"
#include "tests/golden.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;
using compare::relative_error;

// A story of three sentences and one of two. The question follows.
const std::vector<data::EncodedPair> stories{{{4, 5, 6, 3, 7, 4, 3, 5, 5, 8, 3, 4, 8}, {4}, {{1, 0}}, 3},
                                             {{7, 8, 3, 6, 3, 8, 5, 6}, {6}, {{0, 0}, {1, 0}}, 2}};
Batch two_stories() { return data::make_batch(stories, {0, 1}); }

ModelOptions tiny(const std::string& model) {
  return completed(with({}, {{"model", model},
                             {"source-vocabulary", 9},
                             {"target-vocabulary", 9},
                             {"embedding", 3},
                             {"hidden", 4},
                             {"attention-size", 2},
                             {"cell", "gru"},
                             {"dropout", 0},
                             {"known-positions", 3}}));
}

}  // namespace

// Hermann et al. 2015, section 2.2.
TEST_CASE("attentive reader: losses of answers and weights over sentences equal torch's, with all gradients") {
  golden::Golden g("attentive_reader");
  Params p(Random(1));
  const Hermann model(tiny("attentive-reader"), p);
  g.adopt(p);
  const Batch batch = two_stories();
  const TeacherForced forced = model.teacher_forced(batch);
  g.check({{"losses", slice(forced.losses, 0, 0, 2)}, {"weights", slice(forced.weights.matrix, 0, 0, 2)}});
}

// Sukhbaatar et al. 2015, section 2.2.
TEST_CASE("memory network: its decoder gives the network's answers, with a tied or a separate output layer") {
  for (const Tie tie : {Tie::all, Tie::none}) {
    ModelOptions o = tiny("memory-network");
    o.tie = tie, o.hops = 3;
    const Made made(o);
    const Batch batch = two_stories();
    const Memory memory = made.model.encode(batch);
    const Step step = made.model.decoder().step({2, 2}, made.model.decoder().start(memory), memory);
    CHECK(step.logits.shape() == Shape{2, 9});
    CHECK(step.weights.heads.size() == 3);
    Params p(Random(1));  // with the same initial values
    const MemoryNetwork network({.words = 9, .width = 3, .sentences = 3, .hops = 3}, p);
    for (std::size_t i = 0; i < p.all().size(); ++i) {
      REQUIRE(p.all()[i].name == made.params.all()[i].name);
      const Array& same = made.params.all()[i].var.value();
      std::copy_n(same.data(), same.size(), Var(p.all()[i].var).mutable_value().data());
    }
    const auto out = network(stories_of(batch), MemoryNetwork::Weighting::softmax);
    for (std::size_t h = 0; h < 3; ++h)
      CHECK(relative_error(reshape(step.weights.heads[h].weights, {2, 3}).value(), out.weights[h].value()) <
            alone_tolerance);
    if (tie == Tie::all)
      CHECK(relative_error(step.logits.value(), (out.logits + made.params.all().back().var).value()) < alone_tolerance);
    Array mean = autograd::zeros({2, 3});
    for (const Heads& heads : step.weights.heads)
      for (std::size_t i = 0; i < 6; ++i) mean[i] += heads.weights.value()[i] / 3;
    CHECK(relative_error(mean, step.weights.matrix.value()) < alone_tolerance);
    CHECK(count_parameters(o) == 4 * (9 + 3) * 3 + 9 + (tie == Tie::none ? 3 * 9 : 0));
  }
}

// Sukhbaatar et al. 2015, section 4.2.
TEST_CASE("memory network: the linear start trains without the softmax and answers with it") {
  const Made made(tiny("memory-network"));
  const Batch batch = two_stories();
  Random random(1);
  const Training linear{.random = random, .linear_start = true}, later{.random = random};
  const auto weights = [&](const Training* training) {
    const Var w = made.model.teacher_forced(batch, training).weights.matrix;
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += static_cast<double>(w.value()[i]);
    return sum;
  };
  CHECK(weights(nullptr) == Approx(1).epsilon(1e-5));
  CHECK(weights(&later) == Approx(1).epsilon(1e-5));
  CHECK(std::abs(weights(&linear) - 1) > 1e-3);
}

TEST_CASE("answers: after an answer only </s> is possible, with probability 1") {
  const autograd::NoGrad no_grad;
  for (const std::string model : {"memory-network", "attentive-reader"}) {
    INFO(model);
    const Made made(tiny(model));
    const Decoder& decoder = made.model.decoder();
    const Memory memory = made.model.encode(two_stories());
    const Step first = decoder.step({2, 2}, decoder.start(memory), memory);
    const Step second = decoder.step({2, 6, 5}, select(first.state, {0, 0, 1}), memory);
    CHECK(relative_error(second.logits.value().rows(0, 1), first.logits.value().rows(0, 1)) < alone_tolerance);
    const Array ends = log_softmax(second.logits).value();
    for (std::size_t v = 0; v < 9; ++v)
      for (const std::size_t row : {1, 2})
        CHECK((v == data::end_id ? ends[row * 9 + v] == 0 : ends[row * 9 + v] < -1e9));
    CHECK(relative_error(second.weights.matrix.value().rows(2, 3), first.weights.matrix.value().rows(1, 2)) <
          alone_tolerance);
    for (const auto& found : beam_search(made.model, two_stories(), {.beam = 4, .n_best = 4}))
      for (const Hypothesis& h : found) {
        CHECK(h.ids.size() <= 1);
        CHECK(h.finished);
        CHECK(h.word_log_prob.back() == Approx(0).margin(h.ids.empty() ? 1e9 : 1e-6));
      }
  }
}

TEST_CASE("answers: an answer of several words is refused, and so is a story whose sentences are not its positions") {
  const Made made(tiny("memory-network"));
  std::vector<data::EncodedPair> corpus = stories;
  corpus[1].target = {5, 6};
  CHECK_THROWS_WITH(made.model.teacher_forced(data::make_batch(corpus, {0, 1})),
                    Catch::Contains("source 1: an answer of several"));
  corpus = stories;
  corpus[0].places = 2;
  CHECK_THROWS_WITH(made.model.encode(data::make_batch(corpus, {0, 1})),
                    Catch::Contains("source 0: 3 sentences before the question; 2 expected"));
  CHECK_THROWS_WITH(made.model.encode(data::make_batch({{{4, 5}, {4}}}, {0})), Catch::Contains("0 sentences"));
  const Made compares(tiny("decomposable"));
  CHECK_THROWS_WITH(compares.model.encode(two_stories()), Catch::Contains("4 sentences; a premise and a hypothesis"));
}

TEST_CASE("answers: the attention to the supporting sentences can be supervised") {
  for (const std::string model : {"memory-network", "attentive-reader"}) {
    const Made made(tiny(model));
    const Batch batch = two_stories();
    const TeacherForced forced = made.model.teacher_forced(batch);
    const Array& alpha = forced.weights.matrix.value();
    const double expected =
        -std::log(double(alpha[1])) - std::log(double(alpha[3])) / 2 - std::log(double(alpha[4])) / 2;
    CHECK(double(guided_alignment_loss(forced.weights.matrix, batch).value().item()) == Approx(expected));
  }
}

// Parikh et al. 2016, section 3.4.
TEST_CASE("decomposable: both sentences' attention is at their words' positions, and the label depends on words only") {
  for (const bool intra : {false, true}) {
    ModelOptions o = tiny("decomposable");
    o.intra_sentence = intra;
    const Made made(o);
    const std::vector<data::EncodedPair> two{{{4, 5, 6, 3, 7, 4}, {4}, {}, 6}, {{8, 3, 5, 6}, {6}, {}, 4}};
    const Batch batch = data::make_batch(two, {0, 1});
    const std::vector<Heads> looks = made.model.self_attention(batch);
    REQUIRE(looks.size() == 1);
    const std::size_t K = intra ? 2 : 1, marks[] = {3, 1}, ends[] = {6, 4};
    REQUIRE(looks[0].weights.shape() == Shape{12, K, 6});
    const Array label = made.model.teacher_forced(batch).weights.matrix.value();  // (2*2, 6), two steps of two pairs
    for (std::size_t b = 0; b < 2; ++b) {
      CHECK(label[b * 6 + marks[b]] == 0);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t k = 0; k < K; ++k) {
          double sum = 0;
          for (std::size_t s = 0; s < 6; ++s) {
            const Real weight = looks[0].weights.value()[((i * 2 + b) * K + k) * 6 + s];
            sum += weight;
            const bool mark = i == marks[b] || s == marks[b], beyond = i >= ends[b] || s >= ends[b];
            const bool same_side = (i < marks[b]) == (s < marks[b]);
            if (mark || beyond) CHECK(weight == (mark && i == s ? 1 : 0));
            else CHECK((weight > 0) == (same_side == (k == 1)));
          }
          CHECK(sum == Approx(i < ends[b] ? 1 : 0));
        }
      }
    }
    const auto alone = made.model.self_attention(data::make_batch(two, {1}));
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t x = 0; x < K * 4; ++x)
        CHECK(alone[0].weights.value()[i * K * 4 + x] ==
              Approx(looks[0].weights.value()[((i * 2 + 1) * K + x / 4) * 6 + x % 4]).margin(1e-6));
    // The same layers read both sentences, so the weights of the label are swapped when the sentences are swapped.
    const std::vector<data::EncodedPair> other{{{7, 4, 3, 4, 5, 6}, {4}, {}, 6}};
    const Array exchanged = made.model.teacher_forced(data::make_batch(other, {0})).weights.matrix.value();
    for (std::size_t s = 0; s < 6; ++s)
      CHECK(label[s] == Approx(exchanged[s < 3 ? s + 3 : s == 3 ? 2 : s - 4]).epsilon(1e-4));
  }
}

TEST_CASE("answers: forced attention to another sentence changes the answer, and every hop has its attention") {
  const Made made(tiny("memory-network"));
  const Memory memory = made.model.encode(two_stories());
  std::vector<std::size_t> layers;
  const auto elsewhere = made.model.decoder().with_attention_hook([&](const layers::HookInput& input) {
    layers.push_back(input.layer);
    CHECK(std::isinf(input.scores.value()[5]));  // the second story has no third sentence, so this is padding
    Array all = autograd::zeros(input.weights.shape());
    all[0] = all[4] = 1;
    return autograd::constant(all);
  });
  const Step before = made.model.decoder().step({2, 2}, made.model.decoder().start(memory), memory);
  const Step after = elsewhere->step({2, 2}, elsewhere->start(memory), memory);
  CHECK(layers == std::vector<std::size_t>{0, 1});
  CHECK(relative_error(before.logits.value(), after.logits.value()) > 1e-3);
  CHECK(after.weights.matrix.value()[0] == 1);
}
