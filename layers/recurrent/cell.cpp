#include "layers/recurrent/cell.h"

namespace softalign::layers {

namespace {

std::variant<LSTM, GRU> make_cell(const Params& p, CellKind kind, std::size_t E, std::size_t H,
                                  const InitialiserConfig& init) {
  if (kind == CellKind::lstm) return LSTM(p, E, H, init);
  return GRU(p, E, H, init, kind == CellKind::gru ? GRUForm::cho : GRUForm::pytorch);
}

}  // namespace

Cell::Cell(const Params& p, CellKind kind, std::size_t E, std::size_t H, const InitialiserConfig& init)
    : cell_(make_cell(p, kind, E, H, init)) {}

std::size_t Cell::gates() const {
  return std::visit([](const auto& cell) { return cell.W.dim(1); }, cell_);
}

Var Cell::project(const Var& x) const {
  return std::visit([&](const auto& cell) { return cell.project(x); }, cell_);
}

GateInputs Cell::read(const Var& x) const {
  return std::visit([&](const auto& cell) { return cell.read(x); }, cell_);
}

Cell::State Cell::start(const Var& h) const {
  if (std::holds_alternative<GRU>(cell_)) return {h, {}};
  return {h, autograd::constant(autograd::zeros(h.shape()))};
}

Cell::State Cell::step(const GateInputs& in, const State& s) const {
  if (const GRU* gru = std::get_if<GRU>(&cell_)) return {gru->step(in, s.h), {}};
  const LSTMState next = std::get<LSTM>(cell_).step(in, {s.h, s.c});
  return {next.h, next.c};
}

Cell::Sequence Cell::run(const Var& x, const std::vector<std::size_t>& lengths, Direction direction) const {
  const Steps steps{x.dim(0), x.dim(1), lengths, direction};
  const auto begin = [&](const auto& cell) { return autograd::constant(autograd::zeros({steps.B, cell.U.dim(0)})); };
  if (const GRU* cell = std::get_if<GRU>(&cell_)) {
    const Var h = gru(cell->form, cell->read(x), cell->U, cell->b_u, begin(*cell), steps);
    return {h, {at(h, steps.at(steps.S - 1)), {}}};
  }
  const LSTM& cell = std::get<LSTM>(cell_);
  const Var zero = begin(cell);
  const autograd::LSTMSequence y = lstm(cell.read(x), cell.U, {zero, zero}, steps);
  return {y.h, {y.last_h, y.last_c}};
}

}  // namespace softalign::layers
