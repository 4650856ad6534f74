// Compares RNNsearch with a PyTorch composition of its equations, and checks how the paper's model is initialised.
#include "autograd/var.h"
#include "tests/models/golden_model.h"

namespace {

using namespace kinds;

}  // namespace

// Bahdanau et al. 2015, eq. 4, section 3.1, section 3.2, appendix A.1.2, appendix A.2.2.
TEST_CASE("RNNsearch equals PyTorch in loss, attention and the gradient of every parameter") {
  check_golden(GENERATE("rnnsearch_lstm_maxout", "rnnsearch_lstm_tanh", "rnnsearch_gru_maxout", "rnnsearch_gru_tanh",
                        "rnnsearch_gru_pytorch", "rnnsearch_appendix", "rnnsearch_bridging"));
}

TEST_CASE("RNNsearch with the paper's initial v_a = 0 attends uniformly, and W_a and U_a get no gradient") {
  for (const char* cell : {"lstm", "gru"}) {
    const Params params{Random(3)};
    const std::unique_ptr<Seq2Seq> model =
        make_model(with(small(), {{"cell", cell}, {"initialiser", "paper"}}), params);
    const Batch batch = all_pairs();
    const TeacherForced forced = model->teacher_forced(batch);
    const Array alpha = forced.weights.matrix.value();  // (T*B, S)
    for (std::size_t row = 0; row < alpha.dim(0); ++row) {
      const std::size_t words = batch.source_lengths[row % batch.size];
      for (std::size_t j = 0; j < words; ++j)
        CHECK(alpha[row * batch.source_steps + j] == Real(1) / static_cast<Real>(words));
    }
    backward(mean_loss(forced, batch));
    for (const auto& p : params.all()) {
      INFO(p.name);
      const bool zero = compare::same_bits(compare::gradient(p.var), zeros_like(p.var.value()));
      CHECK(zero == (p.name == "attention/W_a" || p.name == "attention/U_a"));
    }
  }
}

TEST_CASE("RNNsearch with state dropout differs in training, and not without training") {
  const auto losses = [](bool state_dropout, bool trains) {
    const ModelOptions o = with(small(), {{"dropout", 0.5}, {"state_dropout", state_dropout}});
    const Params params{Random(3)};
    Random random(7);
    const Training training{random};
    return make_model(o, params)->teacher_forced(all_pairs(o), trains ? &training : nullptr).losses.value();
  };
  CHECK(compare::same_bits(losses(true, false), losses(false, false)));
  CHECK_FALSE(compare::same_bits(losses(true, true), losses(false, true)));
}
