// Decoder stacks, and how residual connections and added directions change the states of a stack.
#include "autograd/ops/reduce.h"
#include "layers/recurrent/stacks.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace layers;
using autograd::constant;
using compare::random_array;

const double close_enough = sizeof(Real) == 8 ? 1e-10 : 1e-5;
constexpr std::size_t R = 2, E = 3, H = 4;

// Copies every parameter of `from` to the parameter of `to` with the same name.
void copy(const Params& from, const Params& to) {
  REQUIRE(from.all().size() == to.all().size());
  for (std::size_t i = 0; i < to.all().size(); ++i) {
    REQUIRE(from.all()[i].name == to.all()[i].name);
    const Array values = from.all()[i].var.value();
    std::copy_n(values.data(), values.size(), to.all()[i].var.mutable_value().data());
  }
}

}  // namespace

TEST_CASE("a decoder stack begins in the given states, and with one layer it equals a cell") {
  Random random(2);
  Params p(random), twin(random);
  const DecoderStack stack(p, CellKind::lstm, E, H, 1, false, initialiser_config(InitialiserKind::standard));
  const Cell cell(twin, CellKind::lstm, E, H, initialiser_config(InitialiserKind::standard));
  compare::randomise(p, random);
  copy(p, twin);
  const Var h = constant(random_array({R, H}, random)), x = constant(random_array({R, E}, random));
  const DecoderStack::Step step = stack.step(stack.read(x), stack.start({h}));
  const Cell::State now = cell.step(cell.read(x), cell.start(h));
  CHECK(compare::same_bits(step.h.value(), now.h.value()));
  CHECK(compare::same_bits(step.state.layers.at(0).c.value(), now.c.value()));
}

// Wu et al. 2016, section 3.1.
TEST_CASE("a decoder stack equals its cells on top of each other, residual or not") {
  for (const auto& [kind_name, kind] : names_of(CellKind{}))
    for (const bool residual : {false, true}) {
      INFO(kind_name << ", residual " << residual);
      Random random(1);
      Params p(random), twin(random);
      const DecoderStack stack(p, kind, E, H, 3, residual, initialiser_config(InitialiserKind::standard));
      const std::vector<Cell> cells{{twin / "layer0", kind, E, H, initialiser_config(InitialiserKind::standard)},
                                    {twin / "layer1", kind, H, H, initialiser_config(InitialiserKind::standard)},
                                    {twin / "layer2", kind, H, H, initialiser_config(InitialiserKind::standard)}};
      compare::randomise(p, random);
      copy(p, twin);
      REQUIRE(stack.gates() == cells[0].gates());
      DecoderStack::State before;
      for (const Cell& cell : cells) before.layers.push_back(cell.start(constant(random_array({R, H}, random))));
      each_var("", before, [&](const std::string&, Var& part) { part = constant(random_array({R, H}, random)); });
      const Var x = constant(random_array({R, E}, random));
      const DecoderStack::Step step = stack.step(stack.read(x), before);
      REQUIRE(step.state.layers.size() == 3);
      Var up = x;
      for (std::size_t l = 0; l < 3; ++l) {
        const Cell::State now = cells[l].step(cells[l].read(up), before.layers[l]), stacked = step.state.layers[l];
        CHECK(compare::relative_error(stacked.h.value(), now.h.value()) < close_enough);
        CHECK(stacked.c.defined() == (kind == CellKind::lstm));
        if (kind == CellKind::lstm) CHECK(compare::relative_error(stacked.c.value(), now.c.value()) < close_enough);
        up = residual && l > 0 ? now.h + up : now.h;
      }
      CHECK(compare::relative_error(step.h.value(), up.value()) < close_enough);
    }
}

TEST_CASE("an encoder with sum adds the directions that concat joins, and residual adds the input") {
  const std::size_t S = 3, B = 2;
  for (const auto& [kind_name, kind] : names_of(CellKind{})) {
    INFO(kind_name);
    Random random(3);
    Params p(random), q(random);
    StackOptions o{.input = E, .hidden = H};
    const RecurrentStack joining = recurrent_stack(p, kind, o, initialiser_config(InitialiserKind::standard));
    o.add_directions = true;
    const RecurrentStack adding = recurrent_stack(q, kind, o, initialiser_config(InitialiserKind::standard));
    compare::randomise(p, random);
    copy(p, q);
    CHECK(adding.width() == H);
    const Var x = constant(random_array({S, B, E}, random));
    const Var joined = joining(x, {3, 2}).states;
    const Var sum_of_both = slice(joined, 2, 0, H) + slice(joined, 2, H, 2 * H);
    CHECK(compare::relative_error(adding(x, {3, 2}).states.value(), sum_of_both.value()) < close_enough);

    Params two(random), plain_two(random);
    o.layers = 2;
    const RecurrentStack plain = recurrent_stack(plain_two, kind, o, initialiser_config(InitialiserKind::standard));
    o.residual = true;
    const RecurrentStack residual = recurrent_stack(two, kind, o, initialiser_config(InitialiserKind::standard));
    compare::randomise(two, random);
    copy(two, plain_two);
    for (const autograd::Parameter& parameter : q.all()) {  // copies the first layer only
      for (const autograd::Parameter& deep : two.all())
        if (deep.name == "layer0/" + parameter.name)
          std::copy_n(deep.var.value().data(), deep.var.value().size(), parameter.var.mutable_value().data());
    }
    const Var first = adding(x, {3, 2}).states;
    CHECK(compare::relative_error(residual(x, {3, 2}).states.value(), (plain(x, {3, 2}).states + first).value()) <
          close_enough);
  }
}
