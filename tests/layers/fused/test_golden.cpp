// Compares values and gradients of the expensive ops with PyTorch, for both kernels of every op.
#include "autograd/ops/matmul.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "layers/attention/scores.h"
#include "layers/dense/output.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "tests/golden.h"
#include "tests/layers/fused/fused_cases.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using fused_cases::Chosen;
using golden::Golden;
using Lengths = std::vector<std::size_t>;

// Reshapes x (S*B, E) of the file to (S, B, E).
Var steps_of(const Var& x, std::size_t B) { return reshape(x, {x.dim(0) / B, B, x.dim(1)}); }

// Reshapes h (S, B, H) to the file's (S*B, H).
Var rows_of(const Var& h) { return reshape(h, {h.dim(0) * h.dim(1), h.dim(2)}); }

const std::vector<std::pair<std::string, Direction>> directions{{"forward/", Direction::forward},
                                                                {"backward/", Direction::backward}};

}  // namespace

TEST_CASE("LSTM equals torch.nn.LSTM") {
  const Chosen chosen(GENERATE(Kernels::fused, Kernels::composed));
  Golden g("lstm");
  std::vector<std::pair<std::string, Var>> outputs;
  for (const auto& [d, direction] : directions) {
    const auto lengths = g.fact<Lengths>("lengths");
    const Var x = steps_of(g("x"), lengths.size());
    const LSTMSequence y = lstm({g(d + "b"), {{x, g(d + "W")}}}, g(d + "U"), {g(d + "h0"), g(d + "c0")},
                                {x.dim(0), x.dim(1), lengths, direction});
    outputs.insert(outputs.end(), {{d + "h", rows_of(y.h)}, {d + "h_last", y.last_h}, {d + "c_last", y.last_c}});
  }
  g.check(outputs);
}

// Cho et al. 2014, eq. 5-8; Bahdanau et al. 2015, appendix A.1.1.
TEST_CASE("GRU equals torch.nn.GRU in PyTorch's form and Cho's equations in Cho's form") {
  const Chosen chosen(GENERATE(Kernels::fused, Kernels::composed));
  const GRUForm form = GENERATE(GRUForm::pytorch, GRUForm::cho);
  Golden g(form == GRUForm::pytorch ? "gru_pytorch" : "gru_cho");
  std::vector<std::pair<std::string, Var>> outputs;
  for (const auto& [d, direction] : directions) {
    const Var b_u = form == GRUForm::pytorch ? g(d + "b_u") : Var();
    const auto lengths = g.fact<Lengths>("lengths");
    const Var x = steps_of(g("x"), lengths.size());
    const Steps steps{x.dim(0), x.dim(1), lengths, direction};
    const Var h = gru(form, {g(d + "b"), {{x, g(d + "W")}}}, g(d + "U"), b_u, g(d + "h0"), steps);
    outputs.insert(outputs.end(), {{d + "h", rows_of(h)}, {d + "h_last", at(h, steps.at(steps.S - 1))}});
  }
  g.check(outputs);
}

TEST_CASE("a GRU step by step equals PyTorch's sequence") {
  const Chosen chosen(GENERATE(Kernels::fused, Kernels::composed));
  const GRUForm form = GENERATE(GRUForm::pytorch, GRUForm::cho);
  Golden g(form == GRUForm::pytorch ? "gru_pytorch" : "gru_cho");
  const Array h = g.array("outputs", "forward/h");
  const std::size_t B = 3;
  const Var b_u = form == GRUForm::pytorch ? g("forward/b_u") : Var();
  const Var xW = affine(g("x"), g("forward/W"), g("forward/b"));
  Var state = g("forward/h0");
  for (std::size_t t = 0; t < 5; ++t) {
    state = at(gru(form, slice(xW, 0, t * B, (t + 1) * B), g("forward/U"), b_u, state, {1, B}), 0);
    const Var longest = slice(state, 0, 0, 1);  // this sentence has no padding
    CHECK(compare::relative_error(longest.value(), h.rows(t * B, t * B + 1)) < golden::tolerance);
  }
}

TEST_CASE("additive attention equals its PyTorch composition") {
  const Chosen chosen(GENERATE(Kernels::fused, Kernels::composed));
  Golden g("additive_attention");
  const auto lengths = g.fact<Lengths>("lengths");
  const auto sentence = g.fact<Ids>("sentence");
  Array mask = zeros(g.array("outputs", "weights").shape());
  for (std::size_t r = 0; r < sentence.size(); ++r)
    std::fill_n(mask.data() + r * mask.dim(1), lengths[static_cast<std::size_t>(sentence[r])], Real(1));
  const Var h = steps_of(g("states"), lengths.size());
  const Var e = additive_scores(matmul(g("s"), g("W_a")), matmul(h, g("U_a")), g("v_a"), {}, {}, sentence);
  const Var alpha = softmax(e, mask);
  g.check({{"scores", e}, {"weights", alpha}, {"context", weighted_sum(alpha, h, sentence)}});
}

TEST_CASE("output layer and cross-entropy equal torch.nn.functional.cross_entropy") {
  const Chosen chosen(GENERATE(Kernels::fused, Kernels::composed));
  Golden g("output_cross_entropy");
  const auto targets = g.fact<Ids>("targets");
  g.check({{"loss_0.0", output_cross_entropy(g("x"), g("W"), g("b"), targets, 0)},
           {"loss_0.1", output_cross_entropy(g("x"), g("W"), g("b"), targets, Real(0.1))}});
}
