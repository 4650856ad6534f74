// Compares Cheng et al.'s model with a PyTorch composition of its equations. The tests also check the model without a
// source, and where its words attend to past words.
#include "tests/models/golden_model.h"

namespace {

using namespace kinds;

Var parameter(const Params& params, const std::string& name) {
  for (const auto& p : params.all())
    if (p.name == name) return p.var;
  throw std::invalid_argument("no parameter " + name);
}

}  // namespace

// Cheng et al. 2016, section 4, eq. 10-15.
TEST_CASE("lstmn equals PyTorch with shallow and deep fusion, in loss, attention and every parameter's gradient") {
  check_golden(GENERATE("cheng_shallow", "cheng_deep"));
}

TEST_CASE("lstmn: without input from the source through the fusions it is the LSTMN language model") {
  const Made alone(kind({{"model", "lstmn-lm"}}).options);
  const Batch batch = all_pairs();
  const Array expected = alone.model.teacher_forced(batch).losses.value();
  struct Way {
    std::string fusion, through;
    Real shut;
  };
  for (const auto& [fusion, through, shut] : {Way{"shallow", "decoder/C", 0}, Way{"deep", "fusion/b", -1000}}) {
    INFO(fusion);
    const Made made(kind({{"model", "lstmn"}, {"fusion", fusion}}).options);
    for (const std::string name : {"target/E", "output/W", "output/b", "layer0/cell/W", "layer0/cell/U",
                                   "layer0/cell/b", "layer0/W_h", "layer0/W_x", "layer0/W_t", "layer0/v"}) {
      const Array theirs = parameter(alone.params, "decoder/" + name).value();
      const std::string mine = name.starts_with("layer0/") ? "decoder/" + name.substr(7) : name;
      std::copy_n(theirs.data(), theirs.size(), parameter(made.params, mine).mutable_value().data());
    }
    const auto apart = [&] {
      return compare::relative_error(made.model.teacher_forced(batch).losses.value(), expected);
    };
    CHECK(apart() > 1e-3);
    Var way = parameter(made.params, through);
    std::fill_n(way.mutable_value().data(), way.value().size(), shut);
    CHECK(apart() < alone_tolerance);
  }
}

TEST_CASE("lstmn: source words attend in both directions, and target words to the past only") {
  const ModelOptions o = kind({{"model", "lstmn"}, {"layers", 2}, {"fusion", "deep"}}).options;
  const Made made(o);
  const Batch batch = all_pairs();
  const std::vector<Heads> looks = made.model.self_attention(batch);
  REQUIRE(looks.size() == 3);
  for (std::size_t l = 0; l < 2; ++l) {
    CHECK((looks[l].kind == data::HeadKind::encoder_self && looks[l].layer == l));
    CHECK(looks[l].weights.dim(1) == 2);
  }
  CHECK((looks[2].kind == data::HeadKind::decoder_self && looks[2].layer == 0));
  const std::size_t T = batch.targets.steps, B = batch.size;
  REQUIRE(looks[2].weights.shape() == Shape{T * B, 1, T});
  for (std::size_t t = 0; t < T; ++t)
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0;
      for (std::size_t s = 0; s < T; ++s) {
        const Real weight = looks[2].weights.value()[(t * B + b) * T + s];
        CHECK((weight > 0) == (s < t));
        sum += static_cast<double>(weight);
      }
      CHECK(sum == Approx(t == 0 ? 0 : 1).margin(1e-6));
    }
}
