#include "autograd/ops/fused.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "autograd/array.h"
#include "autograd/internal/simd.h"
#include "autograd/kernels/internal/shared_weights.h"
#include "autograd/kernels/products.h"
#include "autograd/ops/shape.h"
#include "autograd/threads/parallel_for.h"
#include "autograd/var.h"

namespace softalign::autograd::fused {
namespace {

// check_steps throws std::invalid_argument, naming the op, if there is no step or if the lengths do not fit S and B.
void check_steps(const char* op, const Steps& steps) {
  const auto& [S, B, lengths, direction] = steps;
  if (S == 0) throw std::invalid_argument(fmt::format("{}: no step; at least one expected", op));
  if (!lengths.empty() && lengths.size() != B)
    throw std::invalid_argument(fmt::format("{}: {} lengths for {} sentences", op, lengths.size(), B));
  for (const std::size_t length : lengths)
    if (length > S)
      throw std::invalid_argument(fmt::format("{}: a sentence of {} steps in a batch of {}", op, length, S));
}

// sum_of_inputs returns a + sum x W as an array (S*B, G).
Array sum_of_inputs(const char* op, const GateInputs& in, const Steps& steps, std::size_t G) {
  const Var& a = in.a;
  const std::size_t rows = steps.S * steps.B;
  const bool bias = a.shape() == Shape{G};
  if (!bias && (a.shape().rank() == 0 || a.shape().back() != G || a.value().size() != rows * G))
    throw std::invalid_argument(fmt::format("{}: gates {} for {} steps of {} sentences; ({}) or ({}, {}, {}) expected",
                                            op, to_string(a.shape()), steps.S, steps.B, G, steps.S, steps.B, G));
  Array gates = bias ? repeated(a.value(), {rows, G}) : a.value().clone().reshaped({rows, G});
  for (const auto& [x, W] : in.terms) {
    if (W.shape().rank() != 2 || W.dim(1) != G || matrix(x.value()).columns != W.dim(0) ||
        matrix(x.value()).rows != rows)
      throw std::invalid_argument(fmt::format("{}: x {} times W {} is not ({}, {}, {})", op, to_string(x.shape()),
                                              to_string(W.shape()), steps.S, steps.B, G));
    multiply(x, W, gates, Into::add);
  }
  return gates;
}

void add_input_gradients(const GateInputs& in, const Array& dgates) {
  const Var& a = in.a;
  a.add_grad(a.shape().rank() > 1 ? dgates.reshaped(a.shape()) : dgates);
  for (const auto& [x, W] : in.terms) add_product_gradients(x, W, dgates);
}

void append_inputs(const GateInputs& in, std::vector<Var>& inputs) {
  inputs.push_back(in.a);
  for (const auto& [x, W] : in.terms) inputs.insert(inputs.end(), {x, W});
}

bool is_zero(const Array& h) {
  return std::all_of(h.data(), h.data() + h.size(), [](Real v) { return v == 0; });
}

// recurrent_factor prepares b for products; b is the value of U, its transpose, or a part of either. Several steps
// share one prepared copy. For a single step, as in a decoder, factor_of decides whether to keep a copy.
Factor recurrent_factor(const Var& U, const MatrixView& b, const Steps& steps) {
  if (const auto shared = shared_factor(U, b, steps.B)) return *shared;
  return steps.S > 1 && !by_integers() ? factor(b, steps.B) : factor_of(U, b, steps.B);
}

// add_recurrent_gradient adds sum_t h_{t-1}' dgates_t to the given columns of dU (H, K). h (S, B, H) has the state
// after each step, and h_0 (B, H) has the state before the first step. dgates is (S*B, K). Except for the first step,
// the states before the steps are h shifted by one step, so one product sums them.
void add_recurrent_gradient(const Var& U, const Array& h, const Array& h_0, const Array& dgates, const Steps& steps,
                            Columns columns) {
  const std::size_t S = steps.S, B = steps.B;
  const bool forward = steps.direction == Direction::forward;
  const auto add = [&](const Array& x, std::size_t begin, std::size_t end) {
    add_product_grad(U, x, dgates.rows(begin * B, end * B), columns.begin, columns.end);
  };
  if (S > 1) forward ? add(h.rows(0, S - 1), 1, S) : add(h.rows(1, S), 0, S - 1);
  if (S == 1 || !is_zero(h_0)) add(h_0, steps.at(0), steps.at(0) + 1);
}

// step computes one LSTM step of one row. On entry, gates (4H) has the pre-activations. Afterwards it has the
// activations i f g o.
//   c' = f c + i g       h' = o tanh(c')
void step(Real* __restrict gates, const Real* __restrict c, Real* __restrict c_next, Real* __restrict h_next,
          std::size_t H) {
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = sigmoid(load(gates + k, n)), f = sigmoid(load(gates + H + k, n));
    const Lanes g = tanh(load(gates + 2 * H + k, n)), o = sigmoid(load(gates + 3 * H + k, n));
    const Lanes next = f * load(c + k, n) + i * g;
    store(gates + k, i, n);
    store(gates + H + k, f, n);
    store(gates + 2 * H + k, g, n);
    store(gates + 3 * H + k, o, n);
    store(c_next + k, next, n);
    store(h_next + k, o * tanh(next), n);
  });
}

// step_backward computes gradients from dh' and dc'. On entry, gates (4H) has the activations and dc has the gradient
// of c'. Afterwards, gates has the gradients of the pre-activations and dc has the gradient of c.
//   dc' += dh' o (1 - tanh(c')^2)
//   di = dc' g i (1 - i)    df = dc' c f (1 - f)    dg = dc' i (1 - g^2)    do = dh' tanh(c') o (1 - o)    dc = dc' f
void step_backward(Real* __restrict gates, const Real* __restrict c, const Real* __restrict c_next,
                   const Real* __restrict dh, Real* __restrict dc, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes i = load(gates + k, n), f = load(gates + H + k, n), g = load(gates + 2 * H + k, n),
                o = load(gates + 3 * H + k, n);
    const Lanes tanh_c = tanh(load(c_next + k, n)), dh_next = load(dh + k, n);
    const Lanes dc_next = load(dc + k, n) + dh_next * o * (one - tanh_c * tanh_c);
    store(gates + k, dc_next * g * i * (one - i), n);
    store(gates + H + k, dc_next * load(c + k, n) * f * (one - f), n);
    store(gates + 2 * H + k, dc_next * i * (one - g * g), n);
    store(gates + 3 * H + k, dh_next * tanh_c * o * (one - o), n);
    store(dc + k, dc_next * f, n);
  });
}

struct LSTM {
  GateInputs inputs;
  Var U, h_0, c_0;
  Steps steps;
  std::size_t H;
  Array gates;  // (S*B, 4H) activations i f g o; the backward pass replaces them by gradients of the pre-activations
  Array c;      // (S-1, B, H) after each step but the last, in processing order

  // y (S+1, B, H) has h of every step, and then the last c.
  const Real* h_before(const Array& y, std::size_t i) const {
    return i ? rows(y, steps.at(i - 1)) : h_0.value().data();
  }
  const Real* c_before(std::size_t i) const { return i ? rows(c, i - 1) : c_0.value().data(); }
  const Real* c_after(const Array& y, std::size_t i) const { return i + 1 < steps.S ? rows(c, i) : rows(y, steps.S); }
  const Real* rows(const Array& x, std::size_t t) const { return x.data() + t * steps.B * H; }

  Array forward();
  void backward(const Array& dy, const Array& y);
};

Array LSTM::forward() {
  const std::size_t S = steps.S, B = steps.B;
  Array y({S + 1, B, H});
  const Factor recurrent = recurrent_factor(U, matrix(U.value()), steps);
  for (std::size_t i = 0; i < S; ++i) {
    const std::size_t t = steps.at(i);
    const Real *h = h_before(y, i), *before = c_before(i);
    Real *const gates_t = gates.data() + t * B * 4 * H, *const h_t = y.data() + t * B * H;
    Real* const c_t = const_cast<Real*>(c_after(y, i));
    gemm({h, B, H, H}, recurrent, gates_t, 4 * H, Into::add);
    parallel_for(0, B, B * H >= parallel_from, [&](std::size_t b) {
      if (steps.is_word(t, b)) {
        step(gates_t + b * 4 * H, before + b * H, c_t + b * H, h_t + b * H, H);
      } else {
        std::copy_n(h + b * H, H, h_t + b * H);
        std::copy_n(before + b * H, H, c_t + b * H);
      }
    });
  }
  return y;
}

// backward visits the steps in reverse. dh and dc (B, H) are gradients of the state after a step, and then of the state
// before the step.
void LSTM::backward(const Array& dy, const Array& y) {
  const std::size_t S = steps.S, B = steps.B;
  Factor back = recurrent_factor(U, t(matrix(U.value())), steps);
  Array dc = dy.rows(S, S + 1).reshaped({B, H}).clone(),
        dh = dy.rows(steps.at(S - 1), steps.at(S - 1) + 1).reshaped({B, H});
  for (std::size_t i = S; i-- > 0;) {
    const std::size_t t = steps.at(i);
    const Real *const before = c_before(i), *const after = c_after(y, i);
    Real* const dgates = gates.data() + t * B * 4 * H;
    parallel_for(0, B, B * H >= parallel_from, [&](std::size_t b) {
      if (steps.is_word(t, b)) {
        step_backward(dgates + b * 4 * H, before + b * H, after + b * H, std::as_const(dh).data() + b * H,
                      dc.data() + b * H, H);
      } else {
        std::fill_n(dgates + b * 4 * H, 4 * H, Real(0));
      }
    });
    Array dh_before({B, H});
    gemm({dgates, B, 4 * H, 4 * H}, back, dh_before, Into::overwrite);
    for (std::size_t b = 0; b < B; ++b)
      if (!steps.is_word(t, b)) std::copy_n(std::as_const(dh).data() + b * H, H, dh_before.data() + b * H);
    if (i > 0) add_into(dh_before, dy.rows(steps.at(i - 1), steps.at(i - 1) + 1).reshaped({B, H}));
    dh = dh_before;
  }
  back = {};
  add_recurrent_gradient(U, y.rows(0, S), h_0.value(), gates, steps, {0, 4 * H});
  add_input_gradients(inputs, gates);
  h_0.add_grad(dh);
  c_0.add_grad(dc);
}

}  // namespace

LSTMSequence lstm(const GateInputs& gates, const Var& U, const Var& h, const Var& c, const Steps& steps) {
  check_steps("lstm", steps);
  const std::size_t S = steps.S, B = steps.B, H = U.shape().rank() == 2 ? U.dim(0) : 0;
  if (!(U.shape() == Shape{H, 4 * H}) || !(h.shape() == Shape{B, H}) || !(c.shape() == Shape{B, H}))
    throw std::invalid_argument(fmt::format("lstm: U {}, h {} and c {} do not fit; (H, 4H), ({}, H), ({}, H) expected",
                                            to_string(U.shape()), to_string(h.shape()), to_string(c.shape()), B, B));
  const auto run = std::make_shared<LSTM>(
      LSTM{gates, U, h, c, steps, H, sum_of_inputs("lstm", gates, steps, 4 * H), Array({S - 1, B, H})});
  std::vector<Var> inputs{U, h, c};
  append_inputs(gates, inputs);
  const Var y("lstm", run->forward(), inputs, [run](const Array& dy, const Array& value) { run->backward(dy, value); });
  return {slice(y, 0, 0, S), at(y, steps.at(S - 1)), at(y, S)};
}

namespace {

// The next functions compute one row of a GRU step, forward and backward. Their pointers are __restrict parameters, so
// that compilers know that the arrays do not overlap. On entry, gates (3H) has the pre-activations x W + b; in Cho's
// form it also includes h U. Afterwards it has the activations r z n.

// Cho's form needs r before the second matrix product, so two functions compute a row.
//   r, z = sigmoid(.)      reset = r h
void cho_reset_row(Real* __restrict gates, const Real* __restrict h, Real* __restrict reset, std::size_t H) {
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = sigmoid(load(gates + k, n)), z = sigmoid(load(gates + H + k, n));
    store(gates + k, r, n);
    store(gates + H + k, z, n);
    store(reset + k, r * load(h + k, n), n);
  });
}

//   n = tanh(.)            h' = (1 - z) h + z n
void cho_next_row(Real* __restrict gates, const Real* __restrict h, Real* __restrict h_next, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes z = load(gates + H + k, n), candidate = tanh(load(gates + 2 * H + k, n));
    store(gates + 2 * H + k, candidate, n);
    store(h_next + k, (one - z) * load(h + k, n) + z * candidate, n);
  });
}

// cho_next_row_backward computes the gradients that do not pass through r. dz and dn replace z and n in gates, and dh
// replaces dh'.
//   dz = dh' (n - h) z (1 - z)      dn = dh' z (1 - n^2)      dh = dh' (1 - z)
void cho_next_row_backward(Real* __restrict gates, const Real* __restrict h, Real* __restrict dh, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes z = load(gates + H + k, n), candidate = load(gates + 2 * H + k, n), dh_next = load(dh + k, n);
    store(gates + H + k, dh_next * (candidate - load(h + k, n)) * z * (one - z), n);
    store(gates + 2 * H + k, dh_next * z * (one - candidate * candidate), n);
    store(dh + k, dh_next * (one - z), n);
  });
}

// On entry, dreset is dn U_n'. dr replaces r in gates. dreset becomes reset = r h again, because the gradient of U_n
// needs it.
//   dr = dreset h r (1 - r)         dh += dreset r
void cho_reset_row_backward(Real* __restrict gates, const Real* __restrict h, Real* __restrict dreset,
                            Real* __restrict dh, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = load(gates + k, n), before = load(h + k, n), d = load(dreset + k, n);
    store(gates + k, d * before * r * (one - r), n);
    store(dreset + k, r * before, n);
    add_store(dh + k, d * r, n);
  });
}

// On entry, product (3H) is h U. Afterwards its last third is u = h U_n + b_u, which the backward pass needs.
//   r, z = sigmoid(.)      n = tanh(. + r u)      h' = (1 - z) n + z h
void pytorch_row(Real* __restrict gates, Real* __restrict product, const Real* __restrict b_u, const Real* __restrict h,
                 Real* __restrict h_next, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = sigmoid(load(gates + k, n) + load(product + k, n));
    const Lanes z = sigmoid(load(gates + H + k, n) + load(product + H + k, n));
    const Lanes u = load(product + 2 * H + k, n) + load(b_u + k, n);
    const Lanes candidate = tanh(load(gates + 2 * H + k, n) + r * u);
    store(gates + k, r, n);
    store(gates + H + k, z, n);
    store(gates + 2 * H + k, candidate, n);
    store(product + 2 * H + k, u, n);
    store(h_next + k, (one - z) * candidate + z * load(h + k, n), n);
  });
}

// The gradients of x W + b replace the activations in gates. The gradients of h U (+ b_u) replace the product. They
// differ only in the candidate n. dh replaces dh'.
//   dz = dh' (h - n) z (1 - z)    dn = dh' (1 - z) (1 - n^2)    dr = dn u r (1 - r)    du = dn r    dh = dh' z
void pytorch_row_backward(Real* __restrict gates, Real* __restrict product, const Real* __restrict h,
                          Real* __restrict dh, std::size_t H) {
  const Lanes one(Real(1));
  for_lanes(H, [&](std::size_t k, std::size_t n) {
    const Lanes r = load(gates + k, n), z = load(gates + H + k, n), candidate = load(gates + 2 * H + k, n);
    const Lanes dh_next = load(dh + k, n);
    const Lanes dz = dh_next * (load(h + k, n) - candidate) * z * (one - z);
    const Lanes dn = dh_next * (one - z) * (one - candidate * candidate);
    const Lanes dr = dn * load(product + 2 * H + k, n) * r * (one - r);
    store(gates + k, dr, n);
    store(product + k, dr, n);
    store(gates + H + k, dz, n);
    store(product + H + k, dz, n);
    store(gates + 2 * H + k, dn, n);
    store(product + 2 * H + k, dn * r, n);
    store(dh + k, dh_next * z, n);
  });
}

struct GRU {
  GRUForm form;
  GateInputs inputs;
  Var U, b_u, h_0;
  Steps steps;
  std::size_t H;
  Array gates;    // (S*B, 3H) activations r z n; the backward pass replaces them by gradients of the pre-activations
  Array product;  // (S*B, 3H) h_{t-1} U + [0 0 b_u], in PyTorch's form; the backward pass replaces it by its gradients

  bool is_cho() const { return form == GRUForm::cho; }
  const Real* h_before(const Array& h, std::size_t i) const {
    return i ? h.data() + steps.at(i - 1) * steps.B * H : h_0.value().data();
  }
  MatrixView slab(const Array& x, std::size_t t) const { return rows(matrix(x), t * steps.B, (t + 1) * steps.B); }

  // for_words calls row(b) for every sentence whose step t is a word, and padding(b) for every other sentence.
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
    Array reset;  // (S, B, H) r * h_{t-1} computed again, in Cho's form
    Array dh_0;   // (B, H)
  };
  WayBack steps_backward(const Array& dy, const Array& h);
};

// RecurrentFactors has U prepared for the products of the steps. Cho's form uses two parts of U. PyTorch's form uses
// the complete U, which is then in `rz`.
struct RecurrentFactors {
  Factor rz, n;
};

RecurrentFactors factors(const GRU& g, bool transposed) {
  const MatrixView U = matrix(g.U.value());
  const auto part = [&](std::size_t begin, std::size_t end) {
    const MatrixView b = columns(U, begin, end);
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

// Padding has no gates, so the gradients of its gates are 0 and dh passes through unchanged.
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
  add_input_gradients(inputs, gates);
  h_0.add_grad(dh_0);
}

}  // namespace

Var gru(GRUForm form, const GateInputs& gates, const Var& U, const Var& b_u, const Var& h, const Steps& steps) {
  check_steps("gru", steps);
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
  const auto run =
      std::make_shared<GRU>(GRU{form, gates, U, b_u, h, steps, H, sum_of_inputs("gru", gates, steps, 3 * H),
                                cho ? Array() : Array({rows, 3 * H})});
  std::vector<Var> inputs{U, h};
  if (b_u.defined()) inputs.push_back(b_u);
  append_inputs(gates, inputs);
  return Var("gru", run->forward(), inputs, [run](const Array& dy, const Array& y) { run->backward(dy, y); });
}

}  // namespace softalign::autograd::fused
