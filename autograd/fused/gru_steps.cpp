#include "autograd/fused/internal/gru_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "autograd/fused/internal/gru_kernels.h"
#include "autograd/internal/context.h"
#include "autograd/linalg/gemm.h"

namespace autograd::inline SOFTALIGN_PRECISION {
namespace {

// What the backward pass needs of the forward one.
struct Tape {
  Array gates;    // (S*B, 3H) activations r z n
  Array product;  // cho: r * h_before (S*B, H)      pytorch: h_before U + [0 0 b_u] (S*B, 3H)
};

// row(b) for every sentence whose step t is a word.
template <class Row>
void for_words(const Steps& steps, std::size_t t, std::size_t H, const Row& row) {
#pragma omp parallel for schedule(static) if (steps.B * H >= parallel_from)
  for (std::size_t b = 0; b < steps.B; ++b)
    if (t < steps.lengths[b]) row(b);
}

// U, or its transpose, as the steps multiply by it: Cho's form in two parts, PyTorch's whole.
struct RecurrentFactors {
  Factor rz, n, rzn;

  RecurrentFactors(const GRUWeights& w, const Steps& steps, Matrix (*turned)(const Matrix&)) {
    const Matrix U = matrix(w.U.value());
    const std::size_t H = w.hidden();
    const auto ready = [&](const Matrix& b) {
      return steps.S > 1 ? factor(turned(b), steps.B) : factor_of(w.U, turned(b), steps.B);
    };
    if (w.form == GRUForm::cho) {
      rz = ready(columns(U, 0, 2 * H));
      n = ready(columns(U, 2 * H, 3 * H));
    } else {
      rzn = ready(U);
    }
  }
};

Matrix slab(const Array& a, std::size_t t, std::size_t B) { return rows(matrix(a), t * B, (t + 1) * B); }

void forward(const GRUWeights& w, const Array& before, const Steps& steps, Tape& tape, Array& h) {
  const std::size_t B = steps.B, H = w.hidden();
  const RecurrentFactors U(w, steps, [](const Matrix& b) { return b; });
  const Real* h_before = before.data();
  for (const std::size_t t : steps.order) {
    Real *gates = tape.gates.data() + t * B * 3 * H, *h_t = h.data() + t * B * H;
    Real* product = tape.product.data() + t * B * tape.product.dim(1);
    const Matrix h_b{h_before, B, H, H, false};
    for (std::size_t b = 0; b < B; ++b)
      if (t >= steps.lengths[b]) std::copy_n(h_before + b * H, H, h_t + b * H);
    if (w.form == GRUForm::cho) {
      gemm(h_b, U.rz, gates, 3 * H, Into::add);
      for_words(steps, t, H,
                [&](std::size_t b) { cho_reset_row(gates + b * 3 * H, h_before + b * H, product + b * H, H); });
      gemm(slab(tape.product, t, B), U.n, gates + 2 * H, 3 * H, Into::add);
      for_words(steps, t, H, [&](std::size_t b) { cho_next_row(gates + b * 3 * H, h_before + b * H, h_t + b * H, H); });
    } else {
      gemm(h_b, U.rzn, product, 3 * H, Into::overwrite);
      for_words(steps, t, H, [&](std::size_t b) {
        pytorch_row(gates + b * 3 * H, product + b * 3 * H, w.b_u.value().data(), h_before + b * H, h_t + b * H, H);
      });
    }
    h_before = h_t;
  }
}

struct Gradients {
  Array gates;    // (S*B, 3H) by x
  Array product;  // (S*B, 3H) pytorch: by h_before U + b_u
  Array before;   // (B, H) by the state before the first step
};

// Walks the steps in reverse; rows of padding have no gates and pass dh on as it is.
Gradients backward_pass(const Array& dy, const Array& h, const Array& before, const GRUWeights& w, const Steps& steps,
                        const Tape& tape) {
  const std::size_t B = steps.B, H = w.hidden();
  const RecurrentFactors U_t(w, steps, [](const Matrix& b) { return autograd::t(b); });
  const bool cho = w.form == GRUForm::cho;
  Gradients d{zeros(tape.gates.shape()), cho ? Array() : zeros(tape.gates.shape()), zeros({B, H})};
  Array dreset({cho ? B : 0, H});
  Real* dh = d.before.data();
  for (std::size_t i = steps.order.size(); i-- > 0;) {
    const std::size_t t = steps.order[i];
    const Real* h_before = i == 0 ? before.data() : h.data() + steps.order[i - 1] * B * H;
    const Real* gates = tape.gates.data() + t * B * 3 * H;
    Real* dgates = d.gates.data() + t * B * 3 * H;
    add_into(d.before, dy.rows(t * B, (t + 1) * B));
    if (cho) {
      for_words(steps, t, H, [&](std::size_t b) {
        cho_next_row_backward(gates + b * 3 * H, h_before + b * H, dh + b * H, dgates + b * 3 * H, H);
      });
      gemm(columns(slab(d.gates, t, B), 2 * H, 3 * H), U_t.n, dreset, Into::overwrite);
      for_words(steps, t, H, [&](std::size_t b) {
        cho_reset_row_backward(gates + b * 3 * H, h_before + b * H, dreset.data() + b * H, dh + b * H,
                               dgates + b * 3 * H, H);
      });
      gemm(columns(slab(d.gates, t, B), 0, 2 * H), U_t.rz, d.before, Into::add);
    } else {
      const Real* product = tape.product.data() + t * B * 3 * H;
      Real* dproduct = d.product.data() + t * B * 3 * H;
      for_words(steps, t, H, [&](std::size_t b) {
        pytorch_row_backward(gates + b * 3 * H, product + b * 3 * H, h_before + b * H, dh + b * H, dgates + b * 3 * H,
                             dproduct + b * 3 * H, H);
      });
      gemm(slab(d.product, t, B), U_t.rzn, d.before, Into::add);
    }
  }
  return d;
}

//   cho: dU_rz = sum h_before' [dr dz]   dU_n = sum (r h_before)' dn      pytorch: dU = sum h_before' [dr dz du]   db_u
//   = sum du
void add_weight_gradients(const GRUWeights& w, const Array& h, const Array& before, const Steps& steps,
                          const Tape& tape, const Gradients& d) {
  const std::size_t H = w.hidden();
  const bool cho = w.form == GRUForm::cho;
  const std::size_t by_h = cho ? 2 * H : 3 * H;  // columns of U that multiply h itself
  const Array& dproduct = cho ? d.gates : d.product;
  if (steps.S == 1) {
    w.U.add_product_grad(before, dproduct, 0, by_h);
    if (cho) w.U.add_product_grad(tape.product, d.gates, by_h, 3 * H);
  } else if (w.U.needs_grad()) {
    Real* dU = w.U.zeroed_grad().data();
    steps.add_recurrent_gradient(h, before, columns(matrix(dproduct), 0, by_h), dU, 3 * H);
    if (cho) gemm(t(matrix(tape.product)), columns(matrix(d.gates), by_h, 3 * H), dU + by_h, 3 * H, Into::add);
  }
  if (!cho && w.b_u.needs_grad()) {
    Array& db_u = w.b_u.zeroed_grad();
    for (std::size_t row = 0; row < d.product.dim(0); ++row)
      for (std::size_t k = 0; k < H; ++k) db_u[k] += d.product[row * 3 * H + 2 * H + k];
  }
}

}  // namespace

void check_gru(const char* op, const Var& x, const GRUWeights& w) {
  const std::size_t H = w.U.shape().rank() == 2 ? w.U.dim(0) : 0;
  if (!(w.U.shape() == Shape{H, 3 * H}) || x.shape().rank() != 2 || x.dim(1) != 3 * H)
    throw std::invalid_argument(fmt::format("{}: x {} and U {} do not fit; (.., 3H) and (H, 3H) expected", op,
                                            to_string(x.shape()), to_string(w.U.shape())));
  const bool fits = w.form == GRUForm::cho ? !w.b_u.defined() : w.b_u.defined() && w.b_u.shape() == Shape{H};
  if (!fits)
    throw std::invalid_argument(fmt::format("{}: b_u is {}, {} expected", op,
                                            w.b_u.defined() ? to_string(w.b_u.shape()) : "undefined",
                                            w.form == GRUForm::cho ? "none (Cho's form)" : fmt::format("({})", H)));
}

Var gru_steps(const char* op, const Var& x, const Var& before, const GRUWeights& w, const Steps& steps) {
  const std::size_t H = w.hidden(), rows = steps.S * steps.B;
  Array h({rows, H});
  const auto tape = std::make_shared<Tape>();
  tape->gates = x.spend();
  tape->product = w.form == GRUForm::cho ? zeros({rows, H}) : Array({rows, 3 * H});
  forward(w, before.value(), steps, *tape, h);
  if (steps.S == 1) w.U.expect_product_grad();
  if (steps.S == 1 && w.form == GRUForm::cho) w.U.expect_product_grad();
  std::vector<Var> inputs{x, before, w.U};
  if (w.b_u.defined()) inputs.push_back(w.b_u);
  return Var(op, h, inputs, [=](const Array& dy, const Array& y) {
    const Gradients d = backward_pass(dy, y, before.value(), w, steps, *tape);
    add_weight_gradients(w, y, before.value(), steps, *tape, d);
    x.add_grad(d.gates);
    before.add_grad(d.before);
  });
}

}  // namespace autograd::inline SOFTALIGN_PRECISION
