// These tests compare the memory of a differentiable neural computer with PyTorch. They also check its gradients and
// the properties of each weighting.
#include "autograd/ops/shape.h"
#include "layers/addressing/dynamic_memory.h"

#include <algorithm>

#include "autograd/gradcheck.h"
#include "autograd/ops/elementwise.h"
#include "autograd/ops/softmax.h"
#include "tests/golden.h"

using namespace softalign;

namespace {

using namespace layers;
using namespace autograd;
using compare::random_array;
using compare::relative_error;

constexpr std::size_t N = 5, B = 2, W = 4, H = 4;
const double exact = sizeof(Real) == 8 ? 1e-12 : 1e-5;

Var column(Real x) { return constant(Array({B, 1}, x)); }
Var one_hot(std::size_t position) {
  Array w = zeros({B, N});
  for (std::size_t b = 0; b < B; ++b) w[b * N + position] = 1;
  return constant(w);
}
// The vectors have length 1. The first W are the unit vectors, and the next W their negatives, so no two are similar.
Var direction(std::size_t i) {
  Array v = zeros({B, W});
  for (std::size_t b = 0; b < B; ++b) v[b * W + i % W] = i < W ? 1 : -1;
  return constant(v);
}
double number(const Var& x, std::size_t i) { return static_cast<double>(x.value()[i]); }

// Random inputs of a test. Each row of a weighting sums to `total`.
struct Drawn {
  Random random;
  explicit Drawn(std::uint64_t seed) : random(seed) {}
  Var any(const Shape& shape) { return variable(random_array(shape, random)); }
  Var between(const Shape& shape, double low, double high) {
    Array x(shape);
    for (Real& each : x.span()) each = static_cast<Real>(low + (high - low) * random.uniform());
    return variable(x);
  }
  Var weighting(Real total = 1) { return variable((total * softmax(any({B, N}))).value()); }

  MemoryInterface interface(std::size_t heads) {
    const auto gate = [&] { return between({B, 1}, 0, 1); };
    MemoryInterface xi{.k_r = {},
                       .beta_r = {},
                       .k_w = any({B, W}),
                       .beta_w = between({B, 1}, 1, 9),
                       .e = between({B, W}, 0, 1),
                       .v = any({B, W}),
                       .f = {},
                       .g_a = gate(),
                       .g_w = gate(),
                       .pi = {}};
    for (std::size_t i = 0; i < heads; ++i) {
      xi.k_r.push_back(any({B, W})), xi.beta_r.push_back(between({B, 1}, 1, 9)), xi.f.push_back(gate());
      xi.pi.push_back(constant(softmax(any({B, 3})).value()));
    }
    return xi;
  }
};

// The interface of one head. It writes v into newly allocated memory, or writes nothing if `write` is 0.
// `mode` is how it reads: 0 backward, 1 by content, 2 forward. If f is 1, the head frees what it read before.
MemoryInterface orders(const Var& v, Real write, std::size_t mode, Real f = 0) {
  Array pi = zeros({B, 3});
  for (std::size_t b = 0; b < B; ++b) pi[b * 3 + mode] = 1;
  return {.k_r = {v},
          .beta_r = {column(200)},
          .k_w = v,
          .beta_w = column(1),
          .e = constant(Array({B, W}, 1)),
          .v = v,
          .f = {column(f)},
          .g_a = column(1),
          .g_w = column(write),
          .pi = {constant(pi)}};
}

std::vector<std::pair<std::string, Var>> parts_of(const MemoryState& state) {
  std::vector<std::pair<std::string, Var>> parts{
      {"M", state.M}, {"u", state.u}, {"w_w", state.w_w}, {"p", state.p}, {"L", state.L}};
  for (std::size_t i = 0; i < state.w_r.size(); ++i) parts.emplace_back("w_r_" + std::to_string(i), state.w_r[i]);
  return parts;
}

#ifdef SOFTALIGN_DOUBLE
void check_gradients(const std::function<Var(const std::vector<Var>&)>& f, const std::vector<Var>& inputs) {
  const GradcheckResult check = gradcheck(f, inputs);
  INFO(check.report);
  CHECK(check.ok);
}
#endif

}  // namespace

// Graves et al. 2016, Methods, "Content-based addressing", Methods, "Dynamic memory allocation".
// Methods, "Write weighting", Methods, "Temporal memory linkage", Methods, "Read weighting".
TEST_CASE("dynamic memory: every weighting equals torch's, with all gradients") {
  const auto check = [](const std::string& name, const auto& f) {
    INFO(name);
    golden::Golden g("dynamic_memory", name);
    g.check({{"y", f(g)}});
  };
  using G = golden::Golden;
  check("content", [](G& g) { return content_weighting(g("M"), g("k"), g("beta")); });
  check("retention", [](G& g) { return retention({g("f_0"), g("f_1")}, {g("w_0"), g("w_1")}); });
  check("usage", [](G& g) { return usage(g("u"), g("w_w"), g("psi")); });
  check("allocation", [](G& g) { return allocation_weighting(g("u")); });
  check("write_weighting", [](G& g) { return write_weighting(g("g_w"), g("g_a"), g("a"), g("c")); });
  check("link", [](G& g) { return link_matrix(g("L"), g("w_w"), g("p")); });
  check("precedence", [](G& g) { return precedence_weighting(g("p"), g("w_w")); });
  check("forward", [](G& g) { return forward_weighting(g("L"), g("w_r")); });
  check("backward", [](G& g) { return backward_weighting(g("L"), g("w_r")); });
  check("read_weighting", [](G& g) { return read_weighting(g("pi"), g("b"), g("c"), g("b_f")); });
  CHECK(golden::cases("dynamic_memory").size() == 11);  // ten weightings, and the access of the next test
}

// Graves et al. 2016, Methods, "Reading and writing to memory".
TEST_CASE("dynamic memory: an access equals torch's, with all gradients") {
  golden::Golden g("dynamic_memory", "access");
  const auto heads = [&](const std::string& part) { return std::vector<Var>{g(part + "_0"), g(part + "_1")}; };
  const MemoryState after =
      access({.k_r = heads("k"),
              .beta_r = heads("beta"),
              .k_w = g("k_w"),
              .beta_w = g("beta_w"),
              .e = g("e"),
              .v = g("v"),
              .f = heads("f"),
              .g_a = g("g_a"),
              .g_w = g("g_w"),
              .pi = heads("pi")},
             {.M = g("M"), .u = g("u"), .w_w = g("w_w"), .p = g("p"), .L = g("L"), .w_r = heads("w_r")});
  g.check(parts_of(after));
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("dynamic memory: gradients of every weighting equal central differences") {
  Drawn drawn(1);
  const Var L = drawn.between({B, N, N}, 0, 0.1), M = drawn.any({N, B, W}), k = drawn.any({B, W});
  const Var u = drawn.between({B, N}, 0.1, 0.9), psi = drawn.between({B, N}, 0, 1);
  const Var g = drawn.between({B, 1}, 0.1, 0.9), h = drawn.between({B, 1}, 0.1, 0.9),
            beta = drawn.between({B, 1}, 1, 4);
  const Var a = drawn.weighting(), b = drawn.weighting(), c = drawn.weighting(), pi = drawn.between({B, 3}, 0, 1);
  using X = std::vector<Var>;
  check_gradients([](const X& x) { return content_weighting(x[0], x[1], x[2]); }, {M, k, beta});
  check_gradients([](const X& x) { return retention({x[0], x[1]}, {x[2], x[3]}); }, {g, h, a, b});
  check_gradients([](const X& x) { return usage(x[0], x[1], x[2]); }, {u, a, psi});
  check_gradients([](const X& x) { return allocation_weighting(x[0]); }, {u});
  check_gradients([](const X& x) { return write_weighting(x[0], x[1], x[2], x[3]); }, {g, h, a, b});
  check_gradients([](const X& x) { return link_matrix(x[0], x[1], x[2]); }, {L, a, b});
  check_gradients([](const X& x) { return precedence_weighting(x[0], x[1]); }, {a, b});
  check_gradients([](const X& x) { return forward_weighting(x[0], x[1]); }, {L, a});
  check_gradients([](const X& x) { return backward_weighting(x[0], x[1]); }, {L, a});
  check_gradients([](const X& x) { return read_weighting(x[0], x[1], x[2], x[3]); }, {pi, a, b, c});
}

// Graves et al. 2016, Methods, "Interface parameters".
TEST_CASE("dynamic memory: gradients of an interface and of two accesses equal central differences") {
  Drawn drawn(2);
  const Params p{Random(3)};
  const InterfaceLayer interface(p, H, W, 2, glorot());
  compare::randomise(p, drawn.random);
  const MemoryState before{.M = drawn.any({N, B, W}),
                           .u = drawn.between({B, N}, 0.1, 0.9),
                           .w_w = drawn.weighting(),
                           .p = drawn.weighting(),
                           .L = drawn.between({B, N, N}, 0, 0.1),
                           .w_r = {drawn.weighting(), drawn.weighting()}};
  std::vector<Var> inputs{drawn.any({B, H}), drawn.any({B, H}), before.M,      before.u,     before.w_w,
                          before.p,          before.L,          before.w_r[0], before.w_r[1]};
  for (const Parameter& parameter : p.all()) inputs.push_back(parameter.var);
  check_gradients(
      [&](const std::vector<Var>& in) {
        const MemoryState after = access(interface(in[1]), access(interface(in[0]), before));
        return concat({memory_read(after.M, after.w_r[0]), after.w_r[1], after.u, after.p}, 1);
      },
      inputs);
}
#endif

// Graves et al. 2016, Methods, "Interface parameters".
TEST_CASE("dynamic memory: gates are between 0 and 1, strengths are at least 1, and read modes sum to 1") {
  Drawn drawn(4);
  const Params p{Random(5)};
  const InterfaceLayer interface(p, H, W, 3, normal(1));
  const MemoryInterface xi = interface(drawn.any({B, H}));
  REQUIRE((xi.k_r.size() == 3 && xi.beta_r.size() == 3 && xi.f.size() == 3 && xi.pi.size() == 3));
  for (const Var& gate : {xi.g_a, xi.g_w, xi.e, xi.f[0], xi.f[1], xi.f[2]})
    for (const Real x : gate.value().span()) CHECK((x > 0 && x < 1));
  for (const Var& beta : {xi.beta_w, xi.beta_r[0], xi.beta_r[1], xi.beta_r[2]})
    for (const Real x : beta.value().span()) CHECK(x >= 1);
  for (const Var& pi : xi.pi)
    for (std::size_t b = 0; b < B; ++b)
      CHECK(number(pi, 3 * b) + number(pi, 3 * b + 1) + number(pi, 3 * b + 2) == Approx(1).epsilon(1e-5));
  CHECK((xi.k_w.shape() == Shape{B, W} && xi.v.shape() == Shape{B, W} && xi.k_r[2].shape() == Shape{B, W}));
}

// Graves et al. 2016, Methods, "Dynamic memory allocation".
TEST_CASE("dynamic memory: allocation takes the least used position first, and nothing if all are used") {
  const Var u = constant(Array({B, N}, {Real(.9), Real(.1), Real(.5), 1, Real(.8),  //
                                        1, 1, 1, 1, 1}));
  const Var a = allocation_weighting(u);
  const double expected[] = {.1 * .1 * .5 * .8, .9, .5 * .1, 0, .2 * .1 * .5, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < B * N; ++i) CHECK(number(a, i) == Approx(expected[i]).margin(1e-5));
  const Var unused = allocation_weighting(constant(zeros({B, N})));  // the first of equals is taken
  CHECK(relative_error(unused.value(), one_hot(0).value()) < 1e-5);
}

TEST_CASE("dynamic memory: usage stays between 0 and 1 over many accesses, and weightings and links sum to at most 1") {
  const std::size_t heads = GENERATE(1, 3);
  Drawn drawn(6 + heads);
  MemoryState state = empty_memory(B, N, W, heads);
  const auto at_most_1 = [](double sum) { CHECK(sum <= 1 + 1e-5); };
  const auto is_weighting = [&](const Var& w) {
    for (std::size_t b = 0; b < B; ++b) {
      double sum = 0;
      for (std::size_t i = 0; i < N; ++i) {
        CHECK(number(w, b * N + i) >= 0);
        sum += number(w, b * N + i);
      }
      at_most_1(sum);
    }
  };
  double most_linked = 0;
  for (int step = 0; step < 40; ++step) {
    state = access(drawn.interface(heads), state);
    for (const Real u : state.u.value().span()) CHECK((u >= 0 && u <= 1));
    is_weighting(allocation_weighting(state.u));
    is_weighting(state.w_w), is_weighting(state.p);
    for (const Var& w : state.w_r) is_weighting(w);
    for (std::size_t b = 0; b < B; ++b)
      for (std::size_t i = 0; i < N; ++i) {
        double row = 0, sum_of_column = 0;
        for (std::size_t j = 0; j < N; ++j) {
          CHECK(number(state.L, (b * N + i) * N + j) >= 0);
          row += number(state.L, (b * N + i) * N + j), sum_of_column += number(state.L, (b * N + j) * N + i);
        }
        CHECK(number(state.L, (b * N + i) * N + i) == 0);
        at_most_1(row), at_most_1(sum_of_column);
        most_linked = std::max(most_linked, row);
      }
  }
  CHECK(most_linked > 0.1);  // some link is large enough for the bound to matter
}

TEST_CASE("dynamic memory: an access is equivariant to permutations of the positions") {
  Drawn drawn(10);
  const std::vector<std::size_t> order{3, 0, 4, 1, 2};
  const auto exchanged = [&](const Var& w, std::size_t axis) {
    std::vector<Var> slices;
    for (const std::size_t i : order) slices.push_back(slice(w, axis, i, i + 1));
    return concat(slices, axis);
  };
  const auto all_exchanged = [&](const MemoryState& state) {
    MemoryState other{.M = exchanged(state.M, 0),
                      .u = exchanged(state.u, 1),
                      .w_w = exchanged(state.w_w, 1),
                      .p = exchanged(state.p, 1),
                      .L = exchanged(exchanged(state.L, 1), 2),
                      .w_r = {}};
    for (const Var& w : state.w_r) other.w_r.push_back(exchanged(w, 1));
    return other;
  };
  const MemoryState before{.M = drawn.any({N, B, W}),
                           .u = drawn.between({B, N}, 0.1, 0.9),
                           .w_w = drawn.weighting(),
                           .p = drawn.weighting(),
                           .L = drawn.between({B, N, N}, 0, 0.1),
                           .w_r = {drawn.weighting(), drawn.weighting()}};
  const MemoryInterface xi = drawn.interface(2);
  const auto expected = parts_of(all_exchanged(access(xi, before))),
             found = parts_of(access(xi, all_exchanged(before)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(expected[i].first);
    CHECK(relative_error(found[i].second.value(), expected[i].second.value()) < exact);
  }
}

// Graves et al. 2016, Methods, "Temporal memory linkage", Methods, "Read weighting".
TEST_CASE("dynamic memory: temporal links read a written sequence forwards and backwards") {
  std::vector<Var> v, written;
  MemoryState state = empty_memory(B, N, W, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    v.push_back(direction(i));
    state = access(orders(v[i], 1, 1), state);
    written.push_back(state.w_w);
    CHECK(relative_error(state.w_w.value(), one_hot(i).value()) < 1e-4);
  }
  const auto read = [&](const MemoryInterface& xi) {
    state = access(xi, state);
    return memory_read(state.M, state.w_r[0]).value();
  };
  const std::size_t backward = 0, content = 1, forward = 2;
  CHECK(relative_error(read(orders(v[0], 0, content)), v[0].value()) < 1e-3);  // the head finds v[0] by its content
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(relative_error(read(orders(v[0], 0, forward)), v[i].value()) < 1e-3);
    CHECK(relative_error(state.w_r[0].value(), written[i].value()) < 1e-3);
  }
  for (std::size_t i = 3; i-- > 0;) CHECK(relative_error(read(orders(v[0], 0, backward)), v[i].value()) < 1e-3);
}

// Graves et al. 2016, Methods, "Dynamic memory allocation", Methods, "Temporal memory linkage".
TEST_CASE("dynamic memory: freed positions are written again and linked to their new neighbours") {
  std::vector<Var> v;
  for (std::size_t i = 0; i < N + 2; ++i) v.push_back(direction(i));
  MemoryState state = empty_memory(B, N, W, 1);
  for (std::size_t i = 0; i < N; ++i) state = access(orders(v[i], 1, 1), state);  // the memory is full now
  const Array kept = at(state.M, 0).value().clone();
  for (const std::size_t i : {3, 1}) {  // each is read now, and freed at the next step
    state = access(orders(v[i], 0, 1), state);
    state = access(orders(v[0], 0, 2, 1), state);
    CHECK(number(state.u, i) < 1e-3);
  }
  for (const std::size_t i : {5, 6}) state = access(orders(v[i], 1, 1), state);
  CHECK(relative_error(at(state.M, 1).value(), v[5].value()) < 1e-3);
  CHECK(relative_error(at(state.M, 3).value(), v[6].value()) < 1e-3);
  CHECK(relative_error(at(state.M, 0).value(), kept) < 1e-3);
  const auto linked = [&](std::size_t i, std::size_t j) { return number(state.L, i * N + j); };
  CHECK(linked(3, 1) == Approx(1).margin(1e-3));  // position 3 was written after position 1
  CHECK(linked(1, 4) == Approx(1).margin(1e-3));  // position 1 was written after position 4, the last one before
  using Positions = std::pair<std::size_t, std::size_t>;
  for (const auto& [i, j] : {Positions{1, 0}, Positions{2, 1}, Positions{3, 2}, Positions{4, 3}})
    CHECK(linked(i, j) < 1e-3);  // the links of the overwritten content are gone
}
