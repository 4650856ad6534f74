#include "autograd/fused/gru.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "autograd/fused/internal/gru_kernels.h"
#include "autograd/fused/internal/recurrence.h"
#include "autograd/leaf_gradients.h"
#include "autograd/storage/parallel_for.h"

namespace softalign::autograd::fused {
namespace {

struct GRU {
  GRUForm form;
  GateInputs inputs;
  Var U, b_u, h_0;
  Steps steps;
  std::size_t H;
  Array gates;    // (S*B, 3H) activations r z n, and on the way back the gradients by what they were made of
  Array product;  // pytorch: h_{t-1} U + [0 0 b_u] (S*B, 3H), and on the way back its gradients

  bool is_cho() const { return form == GRUForm::cho; }
  const Real* h_before(const Array& h, std::size_t i) const {
    return i ? h.data() + steps.at(i - 1) * steps.B * H : h_0.value().data();
  }
  Matrix slab(const Array& x, std::size_t t) const { return rows(matrix(x), t * steps.B, (t + 1) * steps.B); }

  // row(b) for every sentence whose step t is a word, padding(b) for every other.
  template <class Row, class Padding>
  void for_words(std::size_t t, const Row& row, const Padding& padding) const {
    parallel_for(0, steps.B, steps.B * H >= parallel_from,
                 [&](std::size_t b) { steps.is_word(t, b) ? row(b) : padding(b); });
  }
  template <class Row>
  void for_words(std::size_t t, const Row& row) const {
    for_words(t, row, [](std::size_t) {});
  }

  Array forward();
  void backward(const Array& dh, const Array& h);
  struct WayBack {
    Array reset;  // r * h_{t-1} once more (S, B, H), of Cho's form
    Array dh_0;   // (B, H)
  };
  WayBack steps_backward(const Array& dy, const Array& h);
};

// U as the steps multiply by it: of Cho's form in two parts, of PyTorch's whole (then the first is all).
struct RecurrentFactors {
  Factor rz, n;
};

RecurrentFactors factors(const GRU& g, bool transposed) {
  const Matrix U = matrix(g.U.value());
  const auto part = [&](std::size_t begin, std::size_t end) {
    const Matrix b = columns(U, begin, end);
    return recurrent_factor(g.U, transposed ? t(b) : b, g.steps);
  };
  if (g.is_cho()) return {part(0, 2 * g.H), part(2 * g.H, 3 * g.H)};
  return {part(0, 3 * g.H), {}};
}

Array GRU::forward() {
  const std::size_t S = steps.S, B = steps.B;
  Array h({S, B, H}), reset = is_cho() ? zeros({B, H}) : Array();  // r * h_{t-1}
  const RecurrentFactors by = factors(*this, false);
  for (std::size_t i = 0; i < S; ++i) {
    const std::size_t t = steps.at(i);
    const Real* const before = h_before(h, i);
    Real *const gates_t = gates.data() + t * B * 3 * H, *const h_t = h.data() + t * B * H;
    for (std::size_t b = 0; b < B; ++b)
      if (!steps.is_word(t, b)) std::copy_n(before + b * H, H, h_t + b * H);
    if (is_cho()) {
      gemm({before, B, H, H}, by.rz, gates_t, 3 * H, Into::add);
      for_words(t, [&](std::size_t b) { cho_reset_row(gates_t + b * 3 * H, before + b * H, reset.data() + b * H, H); });
      gemm(matrix(reset), by.n, gates_t + 2 * H, 3 * H, Into::add);
      for_words(t, [&](std::size_t b) { cho_next_row(gates_t + b * 3 * H, before + b * H, h_t + b * H, H); });
    } else {
      Real* const product_t = product.data() + t * B * 3 * H;
      gemm({before, B, H, H}, by.rz, product_t, 3 * H, Into::overwrite);
      for_words(t, [&](std::size_t b) {
        pytorch_row(gates_t + b * 3 * H, product_t + b * 3 * H, b_u.value().data(), before + b * H, h_t + b * H, H);
      });
    }
  }
  return h;
}

// Rows of padding have no gates and pass dh on as it is.
GRU::WayBack GRU::steps_backward(const Array& dy, const Array& h) {
  const std::size_t B = steps.B;
  Array reset = is_cho() ? Array({steps.S, B, H}) : Array(), dh = zeros({B, H});
  const RecurrentFactors back = factors(*this, true);
  for (std::size_t i = steps.S; i-- > 0;) {
    const std::size_t t = steps.at(i);
    add_into(dh, dy.rows(t, t + 1).reshaped({B, H}));
    const Real* const before = h_before(h, i);
    Real *const gates_t = gates.data() + t * B * 3 * H, *const d = dh.data();
    const auto no_gates = [&](std::size_t b) { std::fill_n(gates_t + b * 3 * H, 3 * H, Real(0)); };
    if (is_cho()) {
      Real* const reset_t = reset.data() + t * B * H;
      for_words(
          t, [&](std::size_t b) { cho_next_row_backward(gates_t + b * 3 * H, before + b * H, d + b * H, H); },
          no_gates);
      gemm(columns(slab(gates, t), 2 * H, 3 * H), back.n, reset_t, H, Into::overwrite);
      for_words(t, [&](std::size_t b) {
        cho_reset_row_backward(gates_t + b * 3 * H, before + b * H, reset_t + b * H, d + b * H, H);
      });
      gemm(columns(slab(gates, t), 0, 2 * H), back.rz, dh, Into::add);
    } else {
      Real* const product_t = product.data() + t * B * 3 * H;
      for_words(
          t,
          [&](std::size_t b) {
            pytorch_row_backward(gates_t + b * 3 * H, product_t + b * 3 * H, before + b * H, d + b * H, H);
          },
          [&](std::size_t b) {
            no_gates(b);
            std::fill_n(product_t + b * 3 * H, 3 * H, Real(0));
          });
      gemm(slab(product, t), back.rz, dh, Into::add);
    }
  }
  return {reset, dh};
}

//   cho: dU_rz = sum h_{t-1}' [dr dz]   dU_n = sum (r h)' dn      pytorch: dU = sum h_{t-1}' [dr dz du]   db_u = sum du
void GRU::backward(const Array& dy, const Array& h) {
  const auto [reset, dh_0] = steps_backward(dy, h);
  if (is_cho()) {
    add_recurrent_gradient(U, h, h_0.value(), gates, steps, {0, 2 * H});
    add_product_grad(U, reset, gates, 2 * H, 3 * H);
  } else {
    add_recurrent_gradient(U, h, h_0.value(), product, steps, {0, 3 * H});
    if (b_u.needs_grad()) {
      Array& db_u = b_u.zeroed_grad();
      for (std::size_t row = 0; row < steps.S * steps.B; ++row)
        for (std::size_t k = 0; k < H; ++k) db_u[k] += product[row * 3 * H + 2 * H + k];
    }
  }
  inputs.add_gradients(gates);
  h_0.add_grad(dh_0);
}

}  // namespace

Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps) {
  steps.check("gru");
  const std::size_t B = steps.B, H = U.shape().rank() == 2 ? U.dim(0) : 0;
  if (!(U.shape() == Shape{H, 3 * H}) || !(h.shape() == Shape{B, H}))
    throw std::invalid_argument(fmt::format("gru: U {} and h {} do not fit; (H, 3H) and ({}, H) expected",
                                            to_string(U.shape()), to_string(h.shape()), B));
  const bool cho = form == GRUForm::cho;
  if (cho ? b_u.defined() : !b_u.defined() || !(b_u.shape() == Shape{H}))
    throw std::invalid_argument(fmt::format("gru: b_u is {}, {} expected",
                                            b_u.defined() ? to_string(b_u.shape()) : "undefined",
                                            cho ? "none (Cho's form)" : fmt::format("({})", H)));
  const std::size_t rows = steps.S * B;
  const auto run = std::make_shared<GRU>(
      GRU{form, gates, U, b_u, h, steps, H, gates.sum("gru", steps, 3 * H), cho ? Array() : Array({rows, 3 * H})});
  std::vector<Var> inputs{U, h};
  if (b_u.defined()) inputs.push_back(b_u);
  gates.append_to(inputs);
  return Var("gru", run->forward(), inputs, [run](const Array& dy, const Array& y) { run->backward(dy, y); });
}

}  // namespace softalign::autograd::fused
