#include "layers/recurrent/cell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

namespace layers {

const std::vector<std::string>& known_cells() {
  static const std::vector<std::string> names{"lstm", "gru", "gru-pytorch"};
  return names;
}

namespace {

std::variant<LSTM, GRU> make_cell(const Params& p, const std::string& kind, std::size_t E, std::size_t H,
                                  const Scheme& init) {
  if (kind == "lstm") return LSTM(p, E, H, init);
  if (kind == "gru") return GRU(p, E, H, init, autograd::GRUForm::cho);
  if (kind == "gru-pytorch") return GRU(p, E, H, init, autograd::GRUForm::pytorch);
  throw std::invalid_argument(fmt::format("unknown cell '{}'; known are: {}", kind, fmt::join(known_cells(), ", ")));
}

}  // namespace

Cell::Cell(const Params& p, const std::string& kind, std::size_t E, std::size_t H, const Scheme& init)
    : cell_(make_cell(p, kind, E, H, init)) {}

std::size_t Cell::gates() const {
  return std::visit([](const auto& cell) { return cell.W.dim(1); }, cell_);
}

Var Cell::project(const Var& x) const {
  return std::visit([&](const auto& cell) { return cell.project(x); }, cell_);
}

Cell::State Cell::start(const Var& h) const {
  if (std::holds_alternative<GRU>(cell_)) return {h, {}};
  return {h, autograd::constant(autograd::zeros(h.shape()))};
}

Cell::State Cell::step(Var xW, const State& s) const {
  if (const GRU* gru = std::get_if<GRU>(&cell_)) return {gru->step(std::move(xW), s.h), {}};
  const LSTM::State next = std::get<LSTM>(cell_).step(std::move(xW), {s.h, s.c});
  return {next.h, next.c};
}

Cell::Sequence Cell::run(Var xW, const std::vector<std::size_t>& lengths, autograd::Direction direction) const {
  if (const GRU* gru = std::get_if<GRU>(&cell_)) {
    const autograd::GRUSequence s =
        autograd::gru_sequence(std::move(xW), gru->U, gru->b_u, gru->form, {}, lengths, direction);
    return {s.h, {s.last, {}}};
  }
  const autograd::LSTMSequence s =
      autograd::lstm_sequence(std::move(xW), std::get<LSTM>(cell_).U, {}, lengths, direction);
  return {s.h, {s.last.h, s.last.c}};
}

}  // namespace layers
