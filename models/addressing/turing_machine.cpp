#include "models/addressing/turing_machine.h"

namespace softalign::models {

namespace {

using autograd::Array;
using autograd::constant;
using autograd::Real;

constexpr Real at_first = Real(0.01);  // the initial value of every number in a memory

// at_place_0 returns weights (B, N) that are 1 at location 0 and 0 elsewhere.
Var at_place_0(std::size_t B, std::size_t N) {
  Array w = autograd::zeros({B, N});
  for (std::size_t b = 0; b < B; ++b) w[b * N] = 1;
  return constant(w);
}

}  // namespace

TuringMachine::TuringMachine(const Options& o, const autograd::Params& p)
    : options_(o),
      words_(p / "words", o.words, o.embedding, layers::normal(1)),
      controller_(p / "controller", o.embedding, o.hidden, initialiser_),
      W_r_((p / "controller").declare("W_r", {o.width, 4 * o.hidden}, initialiser_.input(4))),
      writes_(p / "writes", o.hidden, o.width, initialiser_.input(1)),
      reads_(p / "reads", o.hidden, o.width, initialiser_.input(1)),
      output_(p / "output", o.hidden + o.width, o.words, initialiser_.input(1)) {}

TuringMachine::Output TuringMachine::operator()(const Ids& words, std::size_t B, std::size_t places) const {
  const auto nothing = [B](std::size_t width) { return constant(autograd::zeros({B, width})); };
  const Var gates = controller_.project(words_(words, B));  // (T, B, 4H)
  layers::LSTMState state{nothing(options_.hidden), nothing(options_.hidden)};
  layers::WritingHead::Written memory{at_place_0(B, places), constant(Array({places, B, options_.width}, at_first))};
  Var stands = at_place_0(B, places), r = nothing(options_.width);
  Output output;
  std::vector<Var> said;
  for (std::size_t t = 0; t < gates.dim(0); ++t) {
    state = controller_.step({at(gates, t), {{r, W_r_}}}, state);
    memory = writes_(state.h, memory.w, memory.M);
    stands = layers::address(reads_(state.h), stands, memory.M);
    r = layers::memory_read(memory.M, stands);
    said.push_back(autograd::concat({state.h, r}, 1));
    output.written.push_back(memory.w), output.read.push_back(stands);
  }
  output.logits = output_(autograd::stack(said));
  return output;
}

}  // namespace softalign::models
