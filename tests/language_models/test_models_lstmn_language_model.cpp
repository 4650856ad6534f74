// The language model of LSTMs that attend to past states: it equals its stacked layers, and these tests check where its
// words attend.
#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/recurrent/lstmn.h"
#include "models/search/sentence_weights.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;

const nlohmann::json deep{{"model", "lstmn-lm"}, {"layers", 2}, {"residual", true}};

}  // namespace

// Cheng et al. 2016, section 5.1, section 3.2
TEST_CASE("lstmn-lm equals a stack of its layers with attention to the past") {
  const ModelOptions o = completed(with(small(), deep));
  const Made made(o);
  const Params params{Random(1)}, room = params / "decoder";
  const layers::InitialiserConfig init = layers::initialiser_config(*o.initialiser);
  const layers::Embedding E(room / "target", o.target_vocabulary, o.embedding, init.embedding);
  const Var W = (room / "output").declare("W", {o.hidden, o.target_vocabulary}, layers::zeros());
  const Var b = (room / "output").declare("b", {o.target_vocabulary}, layers::zeros());
  const layers::Lstmn first(room / "layer0", o.embedding, o.hidden, o.attention_size, init);
  const layers::Lstmn second(room / "layer1", o.hidden, o.hidden, o.attention_size, init);
  Random random(2);
  compare::randomise(params, random);
  REQUIRE(params.count() == made.params.count());

  const Batch batch = all_pairs();
  const Var h = first.run(E(batch.targets.in, batch.size)).h;
  const Var y = second.run(h).h + h;
  const Var logits = affine(reshape(y, {batch.targets.steps * batch.size, o.hidden}), W, b);
  const Var expected = cross_entropy(logits, batch.targets.out, {.ignore = data::pad_id});
  CHECK(compare::relative_error(made.model.teacher_forced(batch).losses.value(), expected.value()) < 1e-5);
}

TEST_CASE("lstmn-lm: each word attends to all earlier words, the first to none, and a batch changes nothing") {
  const ModelOptions o = with(small(), deep);
  const Made made(o);
  const Batch batch = all_pairs();
  const std::vector<Heads> looks = made.model.self_attention(batch);
  REQUIRE(looks.size() == 2);
  for (std::size_t b = 0; b < pairs.size(); ++b) {
    std::vector<data::Head> together, alone;
    append(together, looks, b, batch.size, batch.source_lengths[b], batch.target_lengths[b]);
    append(alone, made.model.self_attention(data::make_batch(pairs, {b})), 0, 1, batch.source_lengths[b],
           batch.target_lengths[b]);
    REQUIRE(together.size() == 2);
    for (std::size_t l = 0; l < 2; ++l) {
      CHECK(together[l].kind == data::HeadKind::decoder_self);
      CHECK(together[l].layer == l);
      const data::Matrix& rows = together[l].matrix;
      REQUIRE(rows.size() == pairs[b].target.size() + 1);
      for (std::size_t t = 0; t < rows.size(); ++t) {
        REQUIRE(rows[t].size() == rows.size());
        double sum = 0;
        for (std::size_t s = 0; s < rows.size(); ++s) {
          CHECK((rows[t][s] > 0) == (s < t));
          CHECK(rows[t][s] == Approx(alone[l].matrix[t][s]).margin(1e-6));
          sum += static_cast<double>(rows[t][s]);
        }
        CHECK(sum == Approx(t == 0 ? 0 : 1).margin(1e-6));
      }
    }
  }
}
