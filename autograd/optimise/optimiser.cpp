#include "autograd/optimise/optimiser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/optimise/gradient_pieces.h"

namespace softalign::autograd {

// Coefficients has the numbers of a step that the kernels multiply by, converted to Real once.
struct Coefficients {
  Real rate;        // r, for adam r / (1 - beta1^t)
  Real decay;       // added to the gradient per weight (L2)
  Real shrink;      // w is multiplied by this first (adamw)
  Real first;       // momentum, rho or beta1
  Real second;      // beta2
  Real correction;  // 1 / sqrt(1 - beta2^t)
  Real epsilon;
};

// Update is the kernel of a rule. It changes n weights w, given their gradients g and up to two arrays of memory.
using Update = void (*)(Real* __restrict w, const Real* __restrict g, Real* __restrict a, Real* __restrict b,
                        std::size_t n, Coefficients k);

namespace {

// w -= r g
void sgd(Real* __restrict w, const Real* __restrict dw, Real* __restrict, Real* __restrict, std::size_t n,
         Coefficients k) {
  for (std::size_t i = 0; i < n; ++i) w[i] -= k.rate * (dw[i] + k.decay * w[i]);
}

// v = momentum v + g        w -= r v
void sgd_momentum(Real* __restrict w, const Real* __restrict dw, Real* __restrict v, Real* __restrict, std::size_t n,
                  Coefficients k) {
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = k.first * v[i] + (dw[i] + k.decay * w[i]);
    w[i] -= k.rate * v[i];
  }
}

// G = rho G + (1 - rho) g^2     d = g sqrt(D + eps) / sqrt(G + eps)     D = rho D + (1 - rho) d^2     w -= r d
void adadelta(Real* __restrict w, const Real* __restrict dw, Real* __restrict G, Real* __restrict D, std::size_t n,
              Coefficients k) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = dw[i] + k.decay * w[i];
    G[i] = k.first * G[i] + (1 - k.first) * g * g;
    const Real d = g * std::sqrt(D[i] + k.epsilon) / std::sqrt(G[i] + k.epsilon);
    D[i] = k.first * D[i] + (1 - k.first) * d * d;
    w[i] -= k.rate * d;
  }
}

// m = beta1 m + (1 - beta1) g     v = beta2 v + (1 - beta2) g^2     w -= r m^ / (sqrt(v^) + eps)
void adam(Real* __restrict w, const Real* __restrict dw, Real* __restrict m, Real* __restrict v, std::size_t n,
          Coefficients k) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real g = dw[i] + k.decay * w[i];
    m[i] = k.first * m[i] + (1 - k.first) * g;
    v[i] = k.second * v[i] + (1 - k.second) * g * g;
    w[i] = k.shrink * w[i] - k.rate * m[i] / (std::sqrt(v[i]) * k.correction + k.epsilon);
  }
}

struct Rule {
  std::vector<std::string> memory;
  Update update;
};
Rule rule(const OptimiserOptions& o) {
  switch (o.kind) {
    case OptimiserKind::sgd:
      return o.momentum == 0 ? Rule{{}, sgd} : Rule{{"v"}, sgd_momentum};
    case OptimiserKind::adadelta:
      return {{"G", "D"}, adadelta};
    case OptimiserKind::adam:
    case OptimiserKind::adamw:
      break;
  }
  return {{"m", "v"}, adam};
}

void check(const OptimiserOptions& o) {
  const auto decays = [](const char* name, double value) {
    if (!(value >= 0 && value < 1))
      throw std::invalid_argument(fmt::format("optimiser: {} {} is not in [0, 1)", name, value));
  };
  decays("momentum", o.momentum);
  decays("rho", o.rho);
  decays("beta1", o.beta1);
  decays("beta2", o.beta2);
  if (!(o.epsilon >= 0)) throw std::invalid_argument(fmt::format("optimiser: epsilon {} is negative", o.epsilon));
  if (!(o.weight_decay >= 0))
    throw std::invalid_argument(fmt::format("optimiser: weight decay {} is negative", o.weight_decay));
}

// coefficients returns the coefficients of step t at the learning rate r.
Coefficients coefficients(const OptimiserOptions& o, double r, double t) {
  const bool is_adam = o.kind == OptimiserKind::adam || o.kind == OptimiserKind::adamw;
  const double epsilon = o.epsilon > 0 ? o.epsilon : is_adam ? 1e-8 : 1e-6;
  const double first = o.kind == OptimiserKind::sgd ? o.momentum : o.kind == OptimiserKind::adadelta ? o.rho : o.beta1;
  const auto real = [](double x) { return static_cast<Real>(x); };
  return {.rate = real(is_adam ? r / (1 - std::pow(o.beta1, t)) : r),
          .decay = real(o.kind == OptimiserKind::adamw ? 0 : o.weight_decay),
          .shrink = real(o.kind == OptimiserKind::adamw ? 1 - r * o.weight_decay : 1),
          .first = real(first),
          .second = real(o.beta2),
          .correction = real(1 / std::sqrt(1 - std::pow(o.beta2, t))),
          .epsilon = real(epsilon)};
}

}  // namespace

std::size_t arrays_kept(const OptimiserOptions& options) { return rule(options).memory.size(); }

Optimiser::Optimiser(const Params& params, const OptimiserOptions& options) : params_(params), options_(options) {
  check(options);
  for (const Parameter& p : params.all()) {
    memory_.emplace_back();
    for (std::size_t i = 0; i < arrays_kept(options); ++i) memory_.back().push_back(zeros(p.var.shape()));
  }
}

// step prefetches this many weights before it writes them. Other threads have read the weights, so each cache line
// comes from another cache. Fetching many lines together takes no longer than fetching one line.
constexpr std::size_t at_once = 512;

void Optimiser::step(double learning_rate) {
  const std::vector<Parameter>& all = params_.all();
  if (all.size() != memory_.size())
    throw std::invalid_argument(
        fmt::format("optimiser: parameter {} was declared after the optimiser was made", all[memory_.size()].name));
  if (!(learning_rate >= 0 && std::isfinite(learning_rate)))
    throw std::invalid_argument(fmt::format("optimiser: learning rate {}", learning_rate));
  ++steps_;
  const Update update = rule(options_).update;
  const Coefficients k = coefficients(options_, learning_rate, static_cast<double>(steps_));
  const bool moves_every_row =
      options_.weight_decay != 0 || (options_.kind == OptimiserKind::sgd && options_.momentum != 0);
  const std::vector<Piece> pieces = gradient_pieces(params_, moves_every_row);
  std::vector<Real*> weights;
  for (const Parameter& p : all) weights.push_back(p.var.mutable_value().data());
  for_each_piece(pieces, [&](std::size_t i) {
    const auto [p, first, size, gradient] = pieces[i];
    for (std::size_t begin = 0; begin < size; begin += at_once) {
      const std::size_t n = std::min(at_once, size - begin), at = first + begin;
      Real* const w = weights[p] + at;
      for (std::size_t line = 0; line < n; line += 64 / sizeof(Real)) __builtin_prefetch(w + line, 1);
      const auto memory = [&, p = p](std::size_t m) {
        return m < memory_[p].size() ? memory_[p][m].data() + at : nullptr;
      };
      update(w, gradient + begin, memory(0), memory(1), n, k);
    }
  });
  params_.zero_grad();
}

std::vector<NamedArray> Optimiser::state() const {
  const Rule r = rule(options_);
  std::vector<NamedArray> named;
  for (std::size_t p = 0; p < memory_.size(); ++p)
    for (std::size_t i = 0; i < r.memory.size(); ++i)
      named.push_back(
          {fmt::format("{}/{}/{}", name_of(options_.kind), r.memory[i], params_.all()[p].name), memory_[p][i]});
  return named;
}

}  // namespace softalign::autograd
