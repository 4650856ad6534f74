// Compares the Transformer with PyTorch, and checks properties of this model.
#include <numeric>

#include "autograd/kernels.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/var.h"
#include "models/search/observation.h"
#include "models/search/sentence_weights.h"
#include "tests/models/golden_model.h"

using namespace softalign;

namespace {

using namespace kinds;

const std::vector<std::string> files{"transformer_pre", "transformer_post"};

Batch batch_of(const std::vector<data::EncodedPair>& pairs) {
  data::Indices all(pairs.size());
  std::iota(all.begin(), all.end(), 0);
  return data::make_batch(pairs, all);
}
Batch batch_of(const Ids& source, const Ids& target) { return batch_of({{source, target}}); }

}  // namespace

// Vaswani et al. 2017, section 3.1, section 3.4, section 3.5; Xiong et al. 2020, table 1.
TEST_CASE("Transformer: loss, attention and all gradients equal PyTorch's, with both norms and all kernels") {
  using autograd::Kernels;
  const autograd::KernelsInForce in_force(GENERATE(Kernels::fused, Kernels::composed, Kernels::tiled));
  for (const std::string& file : files) check_golden(file);
}

TEST_CASE("Transformer: the losses and gradients of ten steps of Adam equal PyTorch's") {
  for (const std::string& file : files) {
    INFO(file);
    golden::Golden g(file);
    Params params{Random(1)};
    const auto model = make_model(with({}, g.fact<nlohmann::json>("options")), params);
    g.adopt(params);
    autograd::Optimiser adam(params, {.kind = autograd::OptimiserKind::adam, .beta2 = 0.98, .epsilon = 1e-9});
    const Array expected = g.fact_array("adam");
    REQUIRE(expected.size() == 10);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Batch batch = all_pairs();
      const Var loss = mean_loss(model->teacher_forced(batch), batch);
      INFO("step " << i);
      CHECK(loss.value().item() == Approx(expected[i]).epsilon(sizeof(Real) == 8 ? 1e-8 : 1e-4));
      backward(loss);
      adam.step(0.01);
    }
  }
}

TEST_CASE("Transformer: later words change no earlier loss") {
  const Made made(kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}}).options);
  const Batch batch = batch_of({{{4, 5, 6}, {4, 5, 6, 4}}, {{4, 5, 6}, {4, 5, 1, 6}}});
  const Array losses = made.model.teacher_forced(batch).losses.value();
  for (std::size_t t = 0; t < 2; ++t) CHECK(losses[2 * t] == Approx(losses[2 * t + 1]).epsilon(alone_tolerance));
  CHECK(losses[4] != Approx(losses[5]).epsilon(1e-3));
}

TEST_CASE("Transformer: the encoder ignores word order without positions, and depends on it with them") {
  for (const std::string positions : {"none", "sinusoidal", "learned", "rotary"}) {
    INFO(positions);
    const Made made(kind({{"model", "transformer"}, {"positions", positions}}).options);
    const auto loss = [&](const Ids& source) {
      return made.model.teacher_forced(batch_of(source, {4, 5})).losses.value();
    };
    const double apart = compare::relative_error(loss({4, 5, 6}), loss({6, 4, 5}));
    CHECK((positions == "none" ? apart < alone_tolerance : apart > 1e-3));
  }
}

TEST_CASE("Transformer: position tables refuse longer sentences by name, and decoding continues beyond them") {
  for (const nlohmann::json& option : std::vector<nlohmann::json>{
           {{"positions", "learned"}}, {{"self-attention", "positional"}}, {{"self-attention", "factorized"}}}) {
    INFO(option.dump());
    nlohmann::json all = option;
    all.update({{"model", "transformer"}, {"known-positions", 4}});
    const Made made(kind(all).options);
    CHECK_NOTHROW(made.model.teacher_forced(batch_of({4, 5, 6}, {4, 5, 6})));
    CHECK_THROWS_WITH(
        made.model.teacher_forced(batch_of({4, 5, 6, 4}, {4})),
        Catch::Matchers::Contains("the source has 5 tokens") && Catch::Matchers::Contains("only 4 positions"));
    const autograd::NoGrad no_grad;
    const Memory memory = made.model.encode(batch_of({4, 5, 6}, {4}));
    State state = made.model.decoder().start(memory);
    for (std::size_t t = 0; t < 6; ++t) {
      const Step step = made.model.decoder().step({4}, state, memory);
      CHECK(autograd::all_finite(step.logits.value()));
      state = step.state;
    }
  }
}

TEST_CASE("Transformer: the attention of every layer and head can be observed and replaced") {
  const Made made(kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}}).options);
  const Batch batch = batch_of({4, 5, 6}, {4, 5});
  const Memory memory = made.model.encode(batch);
  const Observation seen = observe(made.model.decoder(), memory, batch.targets);
  REQUIRE(seen.scores.size() == 4);
  for (const data::Matrix& scores : seen.scores) {
    REQUIRE(scores.size() == 3);
    for (const auto& row : scores) CHECK(row.size() == 4);
  }
  CHECK(seen.scores[0] != seen.scores[2]);

  std::vector<std::size_t> order;
  const auto watched = made.model.decoder().with_attention_hook([&](const layers::HookInput& input) {
    order.push_back(input.layer);
    return input.weights;
  });
  const TeacherForced same = watched->teacher_forced(memory, batch.targets), own = made.model.teacher_forced(batch);
  CHECK(order == std::vector<std::size_t>{0, 1});
  CHECK(compare::relative_error(same.losses.value(), own.losses.value()) < alone_tolerance);
}

TEST_CASE("Transformer: self-attention sums to 1, excludes padding and the future, and is the same in any batch") {
  const Made made(kind({{"model", "transformer"}, {"layers", 2}, {"heads", 2}}).options);
  const std::vector<data::EncodedPair> pairs{{{4, 5, 6, 5}, {4, 5}}, {{5, 6}, {6, 4, 5, 4}}};
  const Batch batch = batch_of(pairs);
  const std::vector<Heads> looks = made.model.self_attention(batch);
  REQUIRE(looks.size() == 4);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    CHECK(looks[i].layer == i % 2);
    CHECK(looks[i].kind == (i < 2 ? data::HeadKind::encoder_self : data::HeadKind::decoder_self));
    CHECK(looks[i].weights.shape() == autograd::Shape{10, 2, 5});
  }
  for (std::size_t b = 0; b < 2; ++b) {
    std::vector<data::Head> heads, alone;
    append(heads, looks, b, 2, batch.source_lengths[b], batch.target_lengths[b]);
    append(alone, made.model.self_attention(batch_of({pairs[b]})), 0, 1, batch.source_lengths[b],
           batch.target_lengths[b]);
    REQUIRE(heads.size() == 8);
    for (std::size_t h = 0; h < heads.size(); ++h) {
      const bool causal = heads[h].kind == data::HeadKind::decoder_self;
      CHECK((heads[h].layer == alone[h].layer && heads[h].head == alone[h].head && heads[h].kind == alone[h].kind));
      REQUIRE(heads[h].matrix.size() == (causal ? batch.target_lengths : batch.source_lengths)[b]);
      for (std::size_t i = 0; i < heads[h].matrix.size(); ++i) {
        const auto& row = heads[h].matrix[i];
        CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(1).epsilon(1e-5));
        for (std::size_t j = 0; j < row.size(); ++j) {
          CHECK(row[j] == Approx(alone[h].matrix[i][j]).epsilon(1e-4).margin(1e-6));
          CHECK((row[j] > 0) == (!causal || j <= i));
        }
      }
    }
  }
  for (const std::string model : {"rnnsearch", "delta"})
    CHECK(Made(kind(model == "delta" ? nlohmann::json{{"model", "transformer"}, {"self-attention", "delta"}}
                                     : nlohmann::json{{"model", model}})
                   .options)
              .model.self_attention(batch)
              .empty());
}
