// These tests check cells and stacks. tests/layers/fused/test_golden.cpp compares the cells with the papers' equations.
#include "autograd/gradcheck.h"
#include "autograd/ops/reduce.h"
#include "autograd/var.h"
#include "layers/recurrent/stacks.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using autograd::concat;
using autograd::constant;
using autograd::variable;
using Catch::Matchers::Contains;
using compare::random_array;

const double close_enough = sizeof(Real) == 8 ? 1e-10 : 1e-5;

// The columns begin .. end-1 of one row.
Array part(const Var& x, std::size_t row, std::size_t begin, std::size_t end) {
  Array y({end - begin});
  std::copy_n(x.value().data() + row * x.shape().back() + begin, end - begin, y.data());
  return y;
}

}  // namespace

TEST_CASE("cells declare W, U and b by name, with adjacent gates") {
  Random random(1);
  for (const auto& [kind_name, kind] : names_of(CellKind{})) {
    INFO(kind_name);
    Params p(random);
    const Cell cell(p / "cell", kind, 3, 4, initialiser_config(InitialiserKind::standard));
    const std::size_t gates = kind == CellKind::lstm ? 16 : 12;
    CHECK(cell.gates() == gates);
    REQUIRE(p.all().size() == (kind == CellKind::gru_pytorch ? 4 : 3));
    CHECK(p.all()[0].name == "cell/W");
    CHECK(p.all()[0].var.shape() == Shape{3, gates});
    CHECK(p.all()[1].name == "cell/U");
    CHECK(p.all()[1].var.shape() == Shape{4, gates});
    CHECK(p.all()[2].name == "cell/b");
    CHECK(p.all()[2].var.shape() == Shape{gates});
    const Cell::State s = cell.start(constant(random_array({2, 4}, random)));
    Cell::State next = cell.step(cell.project(constant(random_array({2, 3}, random))), s);
    std::vector<std::string> parts;
    each_var("", next, [&](const std::string& name, const Var& x) {
      parts.push_back(name);
      CHECK(x.shape() == Shape{2, 4});
    });
    CHECK(parts == (kind == CellKind::lstm ? std::vector<std::string>{"h", "c"} : std::vector<std::string>{"h"}));
  }
}

TEST_CASE("a cell's complete run equals its steps in values and gradients") {
  const std::size_t S = 4, B = 2, H = 3;
  for (const auto& [kind_name, kind] : names_of(CellKind{})) {
    INFO(kind_name);
    Random random(2);
    Params p(random);
    const Cell cell(p, kind, 5, H, initialiser_config(InitialiserKind::standard));
    compare::randomise(p, random);
    const Var x = constant(random_array({S, B, 5}, random)), weight = constant(random_array({S, B, H}, random));
    const auto gradients = [&](const Var& h) {
      backward(sum(h * weight));
      return compare::gradients(p);
    };
    const auto looped = [&](const Cell& c) {
      const Var xW = c.project(x);
      Cell::State s = c.start(constant(autograd::zeros({B, H})));
      std::vector<Var> h;
      for (std::size_t t = 0; t < S; ++t) {
        s = c.step(at(xW, t), s);
        h.push_back(s.h);
      }
      return stack(h);
    };
    const Var whole = cell.run(x, {S, S}, Direction::forward).h;
    const Var steps = looped(cell);
    CHECK(compare::relative_error(whole.value(), steps.value()) < close_enough);
    const auto by_whole = gradients(whole), by_steps = gradients(steps);
    for (std::size_t i = 0; i < by_steps.size(); ++i)
      CHECK(compare::relative_error(by_whole[i], by_steps[i]) < close_enough);
  }
}

TEST_CASE("a stack has its shapes, names and last states, and a sentence has the same states in any batch") {
  const std::size_t S = 5, B = 3, E = 4, H = 3;
  const std::vector<std::size_t> lengths{2, 5, 3};
  for (const auto& [kind_name, kind] : names_of(CellKind{}))
    for (const std::size_t layers : {1, 3})
      for (const bool bidirectional : {false, true}) {
        INFO(kind_name << ", " << layers << " layers, bidirectional " << bidirectional);
        Random random(3);
        Params p(random);
        const RecurrentStack stack = recurrent_stack(p / "encoder", kind, {E, H, layers, bidirectional},
                                                     initialiser_config(InitialiserKind::standard));
        compare::randomise(p, random);
        CHECK(p.all()[0].name == (layers == 1 ? "encoder/forward/W" : "encoder/layer0/forward/W"));
        const Var x = constant(random_array({S, B, E}, random));
        const auto out = stack(x, lengths);
        const std::size_t D = stack.width();
        REQUIRE(out.states.shape() == Shape{S, B, D});
        CHECK(D == (bidirectional ? 2 * H : H));
        CHECK(out.forward.size() == layers);
        CHECK(out.backward.size() == (bidirectional ? layers : 0));
        for (std::size_t b = 0; b < B; ++b) {
          const Array last = out.forward.back().last.h.value();
          CHECK(
              compare::same_bits(part(out.states, (lengths[b] - 1) * B + b, 0, H), last.rows(b, b + 1).reshaped({H})));
          if (bidirectional)
            CHECK(compare::same_bits(part(out.states, b, H, D),
                                     out.backward.back().last.h.value().rows(b, b + 1).reshaped({H})));
          Array alone({lengths[b], 1, E});
          for (std::size_t t = 0; t < lengths[b]; ++t)
            std::copy_n(x.value().data() + (t * B + b) * E, E, alone.data() + t * E);
          const auto single = stack(constant(alone), {lengths[b]});
          for (std::size_t t = 0; t < lengths[b]; ++t)
            CHECK(compare::relative_error(part(single.states, t, 0, D), part(out.states, t * B + b, 0, D)) <
                  close_enough);
        }
      }
  Params p{Random(1)};
  CHECK_THROWS_WITH(recurrent_stack(p, CellKind::lstm, {E, H, 0, true}, initialiser_config(InitialiserKind::standard)),
                    Contains("at least one layer"));
}

TEST_CASE("dropout between layers reaches both directions of the layer above") {
  Random random(4);
  Params p(random);
  const RecurrentStack stack =
      recurrent_stack(p, CellKind::lstm, {4, 3, 2, true}, initialiser_config(InitialiserKind::standard));
  const Dropout everything{1 - 1e-12};
  Random drops(5);
  const auto one = stack(constant(random_array({3, 2, 4}, random)), {3, 2}, everything, &drops);
  const auto other = stack(constant(random_array({3, 2, 4}, random)), {3, 2}, everything, &drops);
  CHECK(compare::same_bits(one.states.value(), other.states.value()));
}

#ifdef SOFTALIGN_DOUBLE
TEST_CASE("the gradients of every stack equal central differences") {
  for (const auto& [kind_name, kind] : names_of(CellKind{}))
    for (const bool bidirectional : {false, true})
      for (const bool variational : {false, true}) {
        INFO(kind_name << ", bidirectional " << bidirectional << ", variational dropout " << variational);
        Random random(6);
        Params p(random);
        const RecurrentStack stack =
            recurrent_stack(p, kind, {3, 3, 2, bidirectional}, initialiser_config(InitialiserKind::standard));
        compare::randomise(p, random);
        const Var x = p.declare("x", {4, 2, 3}, normal(1));
        const auto check = autograd::gradcheck(p, [&] {
          Random drops(7);
          const auto out = stack(x, {4, 2}, Dropout{0.3, variational}, &drops);
          const Cell::State& last = out.forward[1].last;
          const Var kept = last.c.defined() ? last.c : last.h;
          return bidirectional ? concat({out.backward[0].last.h, kept}, 0) * sum(out.states) : out.states;
        });
        INFO(check.report);
        CHECK(check.ok);
        CHECK(check.worst < 1e-6);
      }
}
#endif

TEST_CASE("gru: a step from its input equals a step from the projected input") {
  Random random(5);
  for (const autograd::GRUForm form : {autograd::GRUForm::cho, autograd::GRUForm::pytorch}) {
    const GRU gru(Params(Random(1)), 3, 4, initialiser_config(InitialiserKind::standard), form);
    const Var x = constant(random_array({2, 3}, random)), h = constant(random_array({2, 4}, random));
    CHECK(compare::relative_error(gru(x, h).value(), gru.step(gru.project(x), h).value()) < 1e-5);
  }
}
