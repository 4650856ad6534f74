// Language models, and the texts that they continue.
#include "models/search/prompt.h"

#include <cmath>

#include "autograd/ops/loss.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "layers/transformer/positions.h"
#include "models/search/beam_search.h"
#include "models/search/sampling.h"
#include "models/transformer/transformer_stack.h"
#include "tests/models/kinds.h"

using namespace softalign;
using namespace kinds;

namespace {

const std::vector<nlohmann::json> language_models{{{"model", "transformer-lm"}, {"layers", 2}, {"heads", 2}},
                                                  {{"model", "transformer-lm"}, {"self-attention", "delta"}},
                                                  {{"model", "rnn-lm"}, {"layers", 2}},
                                                  {{"model", "lstmn-lm"}, {"layers", 2}}};

const std::vector<data::Ids> prompts{{4, 6}, {}, {5, 5, 1, 6}};

Batch prompt_batch(const data::Indices& indices) {
  std::vector<data::EncodedPair> begun;
  for (const Ids& prompt : prompts) begun.push_back({prompt, {}});
  return data::make_source_batch(begun, indices);
}

}  // namespace

// Liu et al. 2018, section 4.2.3; Radford et al. 2018, eq. 2
TEST_CASE("language models: the Transformer's equals a stack of its causal blocks") {
  const ModelOptions o = completed(with(small(), language_models[0]));
  const Made made(o);
  const Params params{Random(1)}, room = params / "decoder";
  const layers::InitialiserConfig init = layers::initialiser_config(*o.initialiser);
  const layers::Embedding E(room / "target", o.target_vocabulary, o.hidden, init.embedding);
  const Var W = (room / "output").declare("W", {o.hidden, o.target_vocabulary}, layers::zeros());
  const Var b = (room / "output").declare("b", {o.target_vocabulary}, layers::zeros());
  const layers::Positions P(room / "positions", *o.positions, o.known_positions, o.hidden, init.embedding);
  const auto stack = blocks<layers::EncoderBlock>(o, room, init);
  const layers::LayerNorm norm(room / "norm", o.hidden);
  Random random(2);
  compare::randomise(params, random);
  REQUIRE(params.count() == made.params.count());

  const Batch batch = all_pairs();
  Var y = P(E(batch.targets.in, batch.size) * std::sqrt(static_cast<Real>(o.hidden)));
  for (const layers::EncoderBlock& block : stack) y = block(y, {.causal = true}, layers::ReturnWeights::no, nullptr).x;
  const std::size_t rows = batch.targets.steps * batch.size;
  const Var logits = affine(reshape(norm(y), {rows, o.hidden}), W, b);
  const Var expected = cross_entropy(logits, batch.targets.out, {.ignore = data::pad_id});
  CHECK(compare::relative_error(made.model.teacher_forced(batch).losses.value(), expected.value()) < 1e-5);
}

TEST_CASE("language models: the source and its length have no effect") {
  for (const nlohmann::json& json : language_models) {
    INFO(json);
    const Made made(with(small(), json));
    const std::vector<data::EncodedPair> of_nothing{
        {{}, pairs[0].target}, {{}, pairs[1].target}, {{}, pairs[2].target}};
    const TeacherForced a = made.model.teacher_forced(all_pairs()),
                        b = made.model.teacher_forced(data::make_batch(of_nothing, {0, 1, 2}));
    CHECK(compare::same_bits(a.losses.value(), b.losses.value()));
  }
}

TEST_CASE("prompts: a text begins with its prompt, which costs nothing, and continues as in forced decoding") {
  for (const nlohmann::json& json : language_models) {
    INFO(json);
    const Made made(with(small(), json));
    const auto model = prompted(made.model);
    const Batch batch = prompt_batch({0, 1, 2});
    const std::vector<Random> streams{Random(1), Random(2), Random(3)};
    for (const auto& found : {beam_search(*model, batch, {.beam = 4, .n_best = 2, .max_length = 6}),
                              sample(*model, batch, {.samples = 3, .max_length = 6}, streams)})
      for (std::size_t b = 0; b < prompts.size(); ++b)
        for (const Hypothesis& h : found[b]) {
          const std::size_t begun = prompts[b].size();
          REQUIRE(h.ids.size() >= begun);
          CHECK(Ids(h.ids.begin(), h.ids.begin() + static_cast<std::ptrdiff_t>(begun)) == prompts[b]);
          const std::vector<data::EncodedPair> whole{{{}, h.ids}};
          const TeacherForced forced = made.model.teacher_forced(data::make_batch(whole, {0}));
          double log_p = 0;
          for (std::size_t t = 0; t < h.word_log_prob.size(); ++t) {
            const double own = t < begun ? 0 : -static_cast<double>(forced.losses.value()[t]);
            CHECK(h.word_log_prob[t] == Approx(own).margin(1e-5));
            log_p += own;
          }
          CHECK(h.log_prob == Approx(log_p).margin(1e-4));
        }
  }
}

TEST_CASE("prompts: a text has the same continuation in a batch") {
  const Made made(with(small(), language_models[0]));
  const auto model = prompted(made.model);
  const BeamOptions options{.beam = 3, .n_best = 3, .max_length = 7};
  const auto together = beam_search(*model, prompt_batch({0, 1, 2}), options);
  for (std::size_t b = 0; b < prompts.size(); ++b) {
    const auto alone = beam_search(*model, prompt_batch({b}), options).front();
    REQUIRE(alone.size() == together[b].size());
    for (std::size_t n = 0; n < alone.size(); ++n) {
      CHECK(alone[n].ids == together[b][n].ids);
      CHECK(alone[n].log_prob == Approx(together[b][n].log_prob).margin(1e-5));
    }
  }
}
