// RNNsearch against a PyTorch composition of the same equations, and the laws that any such model obeys.
#include "autograd/gradcheck.h"
#include "autograd/kernels.h"
#include "autograd/ops/loss.h"
#include "data/batches.h"
#include "models/factory.h"
#include "tests/golden.h"

namespace {

using namespace models;
using autograd::Params;
using autograd::Shape;
using golden::Golden;

const double alone_tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-5;

// Pairs of unlike lengths, so that there is padding on both sides.
const std::vector<data::EncodedPair> pairs{{{4, 5, 6}, {5, 4}}, {{7}, {6, 6, 5, 1}}, {{6, 4, 1, 5}, {4}}};

ModelOptions small(const std::string& cell, const std::string& readout, std::size_t layers = 1,
                   const std::string& start = "backward") {
  ModelOptions o;
  o.cell = cell;
  o.readout_kind = readout;
  o.layers = layers;
  o.start = start;
  o.source_vocabulary = 8;
  o.target_vocabulary = 7;
  o.embedding = 3;
  o.hidden = 4;
  o.attention_size = 5;
  o.readout = 2;
  o.dropout = 0;
  return o;
}

// Every kind of cell, readout, depth and start at least once.
const std::vector<ModelOptions> kinds{small("lstm", "maxout"), small("lstm", "tanh", 2, "both"), small("gru", "tanh"),
                                      small("gru", "maxout", 2, "both"), small("gru-pytorch", "maxout")};

std::string describe(const ModelOptions& o) {
  return o.cell + ", " + o.readout_kind + ", " + std::to_string(o.layers) + " layers, start " + o.start;
}

struct Made {
  Params params{Random(1)};
  std::unique_ptr<Seq2Seq> owner;
  const Seq2Seq& model;
  explicit Made(const ModelOptions& o) : owner(make_model(o, params)), model(*owner) {
    Random random(2);
    compare::randomise(params, random);
  }
};

// Row b of each step's attention, as far as the sentence's own words go: (T_b, S_b).
Array attention_of(const Forced& forced, const Batch& batch, std::size_t b) {
  const std::size_t T = batch.target_lengths[b], S = batch.source_lengths[b];
  Array a({T, S});
  for (std::size_t t = 0; t < T; ++t)
    std::copy_n(forced.attention[t].value().data() + b * batch.source_steps, S, a.data() + t * S);
  return a;
}

}  // namespace

TEST_CASE("RNNsearch equals PyTorch: loss, attention and the gradient of every parameter") {
  const std::string file = GENERATE("rnnsearch_lstm_maxout", "rnnsearch_lstm_tanh", "rnnsearch_gru_maxout",
                                    "rnnsearch_gru_tanh", "rnnsearch_gru_pytorch");
  INFO(file);
  Golden g(file);
  const ModelOptions o = small(g.fact<std::string>("cell"), g.fact<std::string>("readout"),
                               g.fact<std::size_t>("layers"), g.fact<std::string>("start"));
  const Made made(o);
  g.adopt(made.params);

  const auto sources = g.fact<std::vector<Ids>>("source"), targets = g.fact<std::vector<Ids>>("target");
  std::vector<data::EncodedPair> corpus;
  for (std::size_t i = 0; i < sources.size(); ++i) corpus.push_back({sources[i], targets[i]});
  const Batch batch = data::make_batch(corpus, {0, 1, 2});
  Random random(1);
  const Training training{random, g.fact<Real>("label_smoothing")};
  const Forced forced = made.model.forced(batch, &training);
  CHECK(compare::relative_error(forced.losses.value(), g.fact_array("losses")) < golden::tolerance);
  const Array attention = g.fact_array("attention");
  REQUIRE(forced.attention.size() == attention.dim(0));
  for (std::size_t t = 0; t < attention.dim(0); ++t)
    CHECK(compare::relative_error(forced.attention[t].value(),
                                  attention.rows(t, t + 1).reshaped({attention.dim(1), attention.dim(2)})) <
          golden::tolerance);
  g.check({{"loss", mean_loss(forced, batch)}});
}

TEST_CASE("RNNsearch: a sentence alone has the losses and the attention that it has in a batch") {
  for (const ModelOptions& o : kinds) {
    INFO(describe(o));
    const Made made(o);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const Forced together = made.model.forced(batch);
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      const Batch single = data::make_batch(pairs, {b});
      const Forced alone = made.model.forced(single);
      for (std::size_t t = 0; t < batch.target_steps; ++t) {
        const double loss = together.losses.value()[t * batch.size + b];
        if (t < single.target_steps) CHECK(loss == Approx(alone.losses.value()[t]).epsilon(alone_tolerance));
        else CHECK(loss == 0);
      }
      CHECK(compare::relative_error(attention_of(together, batch, b), attention_of(alone, single, 0)) <
            alone_tolerance);
    }
  }
}

TEST_CASE("RNNsearch: attention rows sum to one, padding weighs exactly nothing and its embedding learns nothing") {
  for (const ModelOptions& o : kinds) {
    INFO(describe(o));
    const Made made(o);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const Forced forced = made.model.forced(batch);
    for (const Var& alpha : forced.attention)
      for (std::size_t b = 0; b < batch.size; ++b) {
        double total = 0;
        for (std::size_t j = 0; j < batch.source_steps; ++j) {
          const Real weight = alpha.value()[b * batch.source_steps + j];
          total += weight;
          if (j >= batch.source_lengths[b]) CHECK(weight == 0);
        }
        CHECK(total == Approx(1).epsilon(1e-6));
      }
    backward(mean_loss(forced, batch));
    for (const auto& p : made.params.all())
      if (p.name == "source/E" || p.name == "target/E")
        for (std::size_t k = 0; k < o.embedding; ++k) CHECK(p.var.grad()[data::pad_id * o.embedding + k] == 0);
  }
}

TEST_CASE("RNNsearch: step by step, as search does it, gives what forced gives at once, the loss is its steps' sum") {
  const autograd::NoGrad no_grad;
  for (const ModelOptions& o : kinds) {
    INFO(describe(o));
    const Made made(o);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const std::size_t B = batch.size;
    const Forced forced = made.model.forced(batch);
    const Memory memory = made.model.encode(batch);
    State state = made.model.start(memory);
    double total = 0;
    std::size_t words = 0;
    for (std::size_t t = 0; t < batch.target_steps; ++t) {
      const auto at = [&](const Ids& ids) {
        return Ids(ids.begin() + static_cast<long>(t * B), ids.begin() + static_cast<long>((t + 1) * B));
      };
      const Step step = made.model.step(at(batch.target_in), state, memory);
      REQUIRE(step.logits.shape() == Shape{B, o.target_vocabulary});
      const Array losses = cross_entropy(step.logits, at(batch.target_out)).value();
      CHECK(compare::relative_error(losses, forced.losses.value().rows(t * B, (t + 1) * B)) < alone_tolerance);
      CHECK(compare::relative_error(step.attention.value(), forced.attention[t].value()) < alone_tolerance);
      for (const Real loss : losses.span()) total += loss;
      for (const auto id : at(batch.target_out)) words += id != data::pad_id;
      state = step.state;
    }
    CHECK(words == 10);
    CHECK(mean_loss(forced, batch).value().item() == Approx(total / static_cast<double>(words)).epsilon(1e-6));
  }
}

TEST_CASE("RNNsearch: rows chosen anew, repeated or of one sentence only, go on as they would have") {
  const autograd::NoGrad no_grad;
  for (const ModelOptions& o : kinds) {
    INFO(describe(o));
    const Made made(o);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const Memory memory = made.model.encode(batch);
    const Step first = made.model.step({2, 2, 2}, made.model.start(memory), memory);
    const Step all = made.model.step({4, 5, 6}, first.state, memory);
    const Ids rows{2, 0, 2, 2};  // chosen twice: the second choice counts in the rows of the first
    const State shuffled = select(first.state, {1, 2, 0});
    const Step chosen = made.model.step({6, 4, 6, 5}, select(shuffled, {1, 2, 1, 1}), memory);
    for (std::size_t r = 0; r < 3; ++r) {  // the fourth reads another word
      const auto from = static_cast<std::size_t>(rows[r]);
      CHECK(compare::relative_error(chosen.logits.value().rows(r, r + 1), all.logits.value().rows(from, from + 1)) <
            alone_tolerance);
      CHECK(compare::relative_error(chosen.attention.value().rows(r, r + 1),
                                    all.attention.value().rows(from, from + 1)) < alone_tolerance);
    }
    const auto apart = [](const Var& x) { return compare::relative_error(x.value().rows(3, 4), x.value().rows(2, 3)); };
    CHECK(apart(chosen.attention) < alone_tolerance);  // it looks before it reads
    CHECK(apart(chosen.logits) > 1e-3);
  }
}

TEST_CASE("RNNsearch with v_a = 0, as the paper begins, looks everywhere alike and teaches W_a and U_a nothing") {
  for (const std::string cell : {"lstm", "gru"}) {
    ModelOptions o = small(cell, "maxout");
    o.initialiser = "paper";
    const Params params{Random(3)};
    const std::unique_ptr<Seq2Seq> model = make_model(o, params);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const Forced forced = model->forced(batch);
    for (const Var& alpha : forced.attention)
      for (std::size_t b = 0; b < batch.size; ++b)
        for (std::size_t j = 0; j < batch.source_lengths[b]; ++j)
          CHECK(alpha.value()[b * batch.source_steps + j] == Real(1) / static_cast<Real>(batch.source_lengths[b]));
    backward(mean_loss(forced, batch));
    for (const auto& p : params.all()) {
      INFO(p.name);
      const bool zero = compare::same_bits(compare::gradient(p.var), zeros_like(p.var.value()));
      CHECK(zero == (p.name == "attention/W_a" || p.name == "attention/U_a"));
    }
  }
}

TEST_CASE("RNNsearch: fused and composed kernels give the same loss and the same gradients") {
  for (const ModelOptions& o : kinds) {
    INFO(describe(o));
    const Made made(o);
    const Batch batch = data::make_batch(pairs, {0, 1, 2});
    const auto run = [&](autograd::Kernels kernels) {
      autograd::set_kernels(kernels);
      const Var loss = mean_loss(made.model.forced(batch), batch);
      std::vector<Array> result{loss.value().clone()};
      backward(loss);
      for (const auto& p : made.params.all()) {
        result.push_back(compare::gradient(p.var));
        p.var.zero_grad();
      }
      autograd::set_kernels(autograd::Kernels::fused);
      return result;
    };
    const auto fused = run(autograd::Kernels::fused), composed = run(autograd::Kernels::composed);
    for (std::size_t i = 0; i < fused.size(); ++i)
      CHECK(compare::relative_error(fused[i], composed[i]) < (sizeof(Real) == 8 ? 1e-9 : 1e-4));
  }
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("RNNsearch: the gradient of every parameter equals central differences, dropout and smoothing included") {
  for (ModelOptions o : kinds)
    for (const double dropout : {0.0, 0.3}) {
      o.dropout = dropout;
      o.variational_dropout = o.layers > 1;
      INFO(describe(o) << ", dropout " << dropout);
      const Made made(o);
      const Batch batch = data::make_batch(pairs, {0, 1, 2});
      const auto check = autograd::gradcheck(made.params,
                                             [&] {
                                               Random random(7);
                                               const Training training{random, Real(0.1)};
                                               return made.model.forced(batch, &training).losses;
                                             },
                                             {.samples = 12});
      INFO(check.report);
      CHECK(check.ok);
      CHECK(check.worst < 1e-6);
    }
}
#endif
