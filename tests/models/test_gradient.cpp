// The gradient of a batch does not depend on how many threads share its sentences.
#include "models/gradient.h"

#include "data/batches.h"
#include "models/factory.h"
#include "tests/catch.h"

using namespace models;

TEST_CASE("one shard or several: the same loss and the same gradient", "[gradient]") {
  ModelOptions options;
  options.source_vocabulary = options.target_vocabulary = 12;
  options.embedding = options.hidden = options.attention_size = options.readout = 6;
  options.dropout = 0;
  const std::vector<data::EncodedPair> corpus{{{5, 6, 7}, {8}}, {{5}, {6, 7, 8, 9}}, {{9, 9}, {4, 4}}, {{6}, {7}}, {{8}, {5, 5}}};
  const Batch batch = data::make_batch(corpus, {0, 1, 2, 3, 4});
  const std::size_t shards = GENERATE(std::size_t{2}, std::size_t{3}, std::size_t{8});

  struct Run {
    autograd::Params params{Random(3)};
    std::unique_ptr<Seq2Seq> model;
    double loss = 0;
    Run(const ModelOptions& o, const Batch& b, std::size_t n) : model(make_model(o, params)) {
      Random random(1);
      loss = add_gradient(*model, params, b, {random}, n);
    }
  };
  const Run one(options, batch, 1), several(options, batch, shards);
  const double tolerance = sizeof(Real) == 8 ? 1e-10 : 1e-4;
  CHECK(several.loss == Approx(one.loss).epsilon(tolerance));
  CHECK(one.loss == Approx(double(mean_loss(one.model->forced(batch), batch).value().item())).epsilon(tolerance));
  for (std::size_t p = 0; p < one.params.all().size(); ++p) {
    const Array &a = one.params.all()[p].var.grad(), &b = several.params.all()[p].var.grad();
    INFO(one.params.all()[p].name);
    REQUIRE(a.defined());
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == Approx(a[i]).epsilon(tolerance).margin(tolerance * 1e-2));
  }
}
