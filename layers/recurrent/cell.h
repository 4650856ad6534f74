// Cell: an LSTM or a GRU behind one face, so that encoders and decoders are written once.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"

namespace layers {

class Cell {
 public:
  // kind: lstm | gru (Cho et al. 2014) | gru-pytorch. std::invalid_argument names the known ones.
  Cell(const Params& p, const std::string& kind, std::size_t E, std::size_t H, const Scheme& init);

  std::size_t gates() const;                                                        // width of the projection: 4H or 3H
  std::size_t parts() const { return std::holds_alternative<GRU>(cell_) ? 1 : 2; }  // Vars in its States
  Var project(const Var& x) const;                                                  // x W + b  (.., E) -> (.., gates)
  States start(const Var& h) const;                                                 // h_0 = h, everything else 0
  States step(Var xW, const States& s) const;

  struct Sequence {
    Var h;        // (S*B, H)
    States last;  // after the last step taken
  };
  Sequence run(Var xW, const std::vector<std::size_t>& lengths, autograd::Direction direction) const;

 private:
  std::variant<LSTM, GRU> cell_;
};
const std::vector<std::string>& known_cells();

}  // namespace layers
