// Properties of every model under teacher forcing: padding, single sentences, both kernels, gradients.
#include "autograd/gradcheck.h"
#include "autograd/kernels.h"
#include "autograd/ops/shape.h"
#include "autograd/var.h"
#include "tests/models/kinds.h"

using namespace softalign;

namespace {

using namespace kinds;

// Row b of each step's attention, cut to the sentence's own words: (T_b, S_b).
Array attention_of(const TeacherForced& forced, const Batch& batch, std::size_t b) {
  const std::size_t T = batch.target_lengths[b], S = batch.places[b];
  Array a({T, S});
  for (std::size_t t = 0; t < T; ++t)
    std::copy_n(forced.weights.matrix.value().data() + (t * batch.size + b) * most_places(batch), S, a.data() + t * S);
  return a;
}

}  // namespace

TEST_CASE("models: a sentence has the same losses and attention in a batch") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const TeacherForced together = made.model.teacher_forced(batch);
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      const Batch single = data::make_batch(pairs_of(o), {b});
      const TeacherForced alone = made.model.teacher_forced(single);
      for (std::size_t t = 0; t < batch.targets.steps; ++t) {
        const double loss = together.losses.value()[t * batch.size + b];
        if (t < single.targets.steps) CHECK(loss == Approx(alone.losses.value()[t]).epsilon(alone_tolerance));
        else CHECK(loss == 0);
      }
      CHECK(together.weights.matrix.defined() == made.model.decoder().attends());
      if (made.model.decoder().attends())
        CHECK(compare::relative_error(attention_of(together, batch, b), attention_of(alone, single, 0)) <
              alone_tolerance);
    }
  }
}

TEST_CASE("models: attention rows sum to one, and padding has zero weight and its embedding no gradient") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const TeacherForced forced = made.model.teacher_forced(batch);
    const std::size_t rows = batch.targets.steps * batch.size, S = most_places(batch);
    CHECK(made.model.decoder().attends() == attends(o));
    CHECK(forced.weights.heads.size() == attentions_with_heads(o));
    for (const Heads& heads : forced.weights.heads) CHECK(heads.weights.shape() == Shape{rows, o.heads, S});
    if (made.model.decoder().attends()) {
      const Array alpha = forced.weights.matrix.value();
      REQUIRE(alpha.shape() == Shape{rows, S});
      for (std::size_t row = 0; row < rows; ++row) {
        double total = 0;
        for (std::size_t j = 0; j < S; ++j) {
          const Real weight = alpha[row * S + j];
          total += weight;
          if (j >= batch.places[row % batch.size]) CHECK(weight == 0);
        }
        CHECK(total == Approx(1).epsilon(1e-6));
      }
    }
    backward(mean_loss(forced, batch));
    for (const auto& p : made.params.all())
      if ((p.name == "source/E" || p.name == "target/E") &&
          o.tie == Tie::none)  // a tied table is also the output layer
        for (std::size_t k = 0; k < o.embedding; ++k) CHECK(p.var.grad()[data::pad_id * o.embedding + k] == 0);
  }
}

TEST_CASE("models: fused and composed kernels give the same loss and the same gradients") {
  for (const auto& [name, o] : all()) {
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const auto run = [&](autograd::Kernels kernels) {
      autograd::set_kernels(kernels);
      const Var loss = mean_loss(made.model.teacher_forced(batch), batch);
      backward(loss);
      std::vector<Array> result = compare::gradients(made.params);
      result.push_back(loss.value().clone());
      autograd::set_kernels(autograd::Kernels::fused);
      return result;
    };
    const auto fused = run(autograd::Kernels::fused), composed = run(autograd::Kernels::composed);
    for (std::size_t i = 0; i < fused.size(); ++i)
      CHECK(compare::relative_error(fused[i], composed[i]) < (sizeof(Real) == 8 ? 1e-9 : 1e-4));
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("models: gradients of losses and attention equal central differences, with dropout and smoothing") {
  for (auto [name, o] : all()) {
    o.dropout = 0.3;
    o.variational_dropout = o.layers > 1;
    INFO(name);
    const Made made(o);
    const Batch batch = all_pairs(o);
    const auto check = autograd::gradcheck(made.params,
                                           [&] {
                                             Random random(7);
                                             const Training training{random, Real(0.1)};
                                             const TeacherForced forced = made.model.teacher_forced(batch, &training);
                                             std::vector<Var> everything{forced.losses};
                                             const Var& alpha = forced.weights.matrix;
                                             if (alpha.defined())
                                               everything.push_back(reshape(alpha, {alpha.value().size()}));
                                             return concat(everything, 0);
                                           },
                                           {.samples = 8});
    INFO(check.report);
    CHECK(check.ok);
    CHECK(check.worst < 1e-6);
  }
}
#endif
