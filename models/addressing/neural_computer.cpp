#include "models/addressing/neural_computer.h"

namespace softalign::models {

NeuralComputer::NeuralComputer(const Options& o, const autograd::Params& p)
    : options_(o),
      words_(p / "words", o.words, o.embedding, layers::normal(1)),
      controller_(p / "controller", o.embedding, o.hidden, initialiser_),
      W_r_((p / "controller").declare("W_r", {o.heads * o.width, 4 * o.hidden}, initialiser_.input(4))),
      interface_(p / "interface", o.hidden, o.width, o.heads, initialiser_.input(1)),
      output_(p / "output", o.hidden + o.heads * o.width, o.words, initialiser_.input(1)) {}

NeuralComputer::Output NeuralComputer::operator()(const Ids& words, std::size_t B, std::size_t positions) const {
  const auto nothing = [B](std::size_t width) { return autograd::constant(autograd::zeros({B, width})); };
  const Var gates = controller_.project(words_(words, B));  // (T, B, 4H)
  layers::LSTMState state{nothing(options_.hidden), nothing(options_.hidden)};
  layers::MemoryState memory = layers::empty_memory(B, positions, options_.width, options_.heads);
  Var r = nothing(options_.heads * options_.width);  // (B, R*W) the read vectors of all heads
  Output output;
  std::vector<Var> said;
  for (std::size_t t = 0; t < gates.dim(0); ++t) {
    state = controller_.step({at(gates, t), {{r, W_r_}}}, state);
    const layers::MemoryInterface xi = interface_(state.h);
    memory = layers::access(xi, memory);
    std::vector<Var> read;
    for (const Var& w : memory.w_r) read.push_back(layers::memory_read(memory.M, w));
    r = read.size() == 1 ? read.front() : autograd::concat(read, 1);
    said.push_back(autograd::concat({state.h, r}, 1));
    output.written.push_back(memory.w_w), output.read.push_back(memory.w_r);
    output.modes.push_back(xi.pi), output.used.push_back(memory.u);
  }
  output.logits = output_(autograd::stack(said));
  return output;
}

}  // namespace softalign::models
