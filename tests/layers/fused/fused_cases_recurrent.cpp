// LSTM and GRU: one step and padded sequences, in both directions, with every kind of gate input.
#include <array>

#include "autograd/ops/shape.h"
#include "layers/recurrent/gru.h"
#include "layers/recurrent/lstm.h"
#include "tests/compare.h"
#include "tests/layers/fused/fused_cases.h"

namespace fused_cases {

using compare::random_array;

namespace {

// Joins several outputs into one, because a case has one value.
Var joined(const std::vector<Var>& parts) {
  std::vector<Var> rows;
  for (const Var& part : parts) rows.push_back(reshape(part, {part.value().size()}));
  return concat(rows, 0);
}

struct Sizes {
  std::size_t S, B, H;
};
// Odd widths, no row, one row, one unit, one step, and a size that several threads share.
const std::array sizes{Sizes{1, 0, 3},  Sizes{1, 1, 1},  Sizes{1, 5, 33},   Sizes{4, 3, 3},
                       Sizes{3, 1, 17}, Sizes{5, 2, 33}, Sizes{2, 130, 128}};
const std::array directions{Direction::forward, Direction::backward};
const std::array forms{GRUForm::cho, GRUForm::pytorch};

std::string text(const Sizes& s) {
  return " S" + std::to_string(s.S) + " B" + std::to_string(s.B) + " H" + std::to_string(s.H);
}

// Lengths: the full length, shorter ones, and a sentence without words.
std::vector<std::size_t> ragged(const Sizes& s) {
  std::vector<std::size_t> lengths(s.B);
  for (std::size_t b = 0; b < s.B; ++b) lengths[b] = b == 0 ? s.S : (s.S + b) % (s.S + 1);
  return lengths;
}

// Gate inputs: numbers that are projected already, or a bias with one or more products.
struct Reading {
  std::string name;
  Inputs inputs;
  std::function<GateInputs(const Inputs&)> gates;  // takes all inputs of the case, of which these are the first
};
std::vector<Reading> readings(const Sizes& s, std::size_t G, Random& random) {
  const auto v = [&](const Shape& shape, double scale = 1) { return variable(random_array(shape, random, scale)); };
  std::vector<Reading> result{{" projected", {v({s.S, s.B, G})}, [](const Inputs& x) { return GateInputs(x[0]); }},
                              {" projecting", {v({G}), v({s.S, s.B, 4}), v({4, G}, 0.3)}, [](const Inputs& x) {
                                 return GateInputs(x[0], {{x[1], x[2]}});
                               }}};
  if (s.S == 1)  // like the step of a decoder
    result.push_back({" with a context", {v({s.B, G}), v({s.B, 5}), v({5, G}, 0.3)}, [](const Inputs& x) {
                        return GateInputs(x[0], {{x[1], x[2]}, {x[1], x[2]}});
                      }});
  return result;
}

// Calls visit(steps, reading, name) for every size and every kind of gate input.
template <class Visit>
void for_each(std::size_t gates, const Visit& visit) {
  for (const Sizes& s : sizes)
    for (const Direction direction : directions)
      for (const bool padded : {false, true}) {
        if (s.S == 1 && (padded || direction == Direction::backward)) continue;
        Random random(s.H);
        const Steps steps{s.S, s.B, padded ? ragged(s) : std::vector<std::size_t>(), direction};
        for (const Reading& reading : readings(s, gates * s.H, random))
          visit(s, steps, reading, random,
                text(s) + reading.name + (padded ? " padded" : "") +
                    (direction == Direction::forward ? "" : " backward"));
      }
}

}  // namespace

Cases lstm_cases() {
  Cases cases;
  for_each(4, [&](const Sizes& s, const Steps& steps, const Reading& reading, Random& random, const std::string& name) {
    for (const std::string read : {"all", "h", "last c"}) {
      Inputs inputs = reading.inputs;
      const std::size_t n = inputs.size();
      inputs.push_back(variable(random_array({s.H, 4 * s.H}, random, 0.3)));
      const bool from_zero = read == "h";  // like an encoder
      for (int part = 0; part < 2; ++part)
        inputs.push_back(from_zero ? variable(zeros({s.B, s.H})) : variable(random_array({s.B, s.H}, random)));
      cases.push_back({name + " reading " + read, inputs, [=](const Inputs& x) {
                         const LSTMSequence y = lstm(reading.gates(x), x[n], {x[n + 1], x[n + 2]}, steps);
                         if (read == "h") return y.h;
                         return read == "last c" ? y.last_c : joined({y.h, y.last_h, y.last_c});
                       }});
    }
  });
  return cases;
}

Cases gru_cases() {
  Cases cases;
  for (const GRUForm form : forms)
    for_each(
        3, [&](const Sizes& s, const Steps& steps, const Reading& reading, Random& random, const std::string& name) {
          Inputs inputs = reading.inputs;
          const std::size_t n = inputs.size();
          inputs.push_back(variable(random_array({s.H, 3 * s.H}, random, 0.3)));
          inputs.push_back(variable(random_array({s.B, s.H}, random)));
          if (form == GRUForm::pytorch) inputs.push_back(variable(random_array({s.H}, random)));
          const auto once = [=](const Inputs& x, const Var& before) {
            return gru(form, reading.gates(x), x[n], form == GRUForm::pytorch ? x[n + 2] : Var(), before, steps);
          };
          cases.push_back({name + (form == GRUForm::cho ? " cho" : " pytorch"), inputs,
                           [=](const Inputs& x) { return once(x, x[n + 1]); }});
          if (s.S == 1)
            cases.push_back(
                {name + (form == GRUForm::cho ? " cho" : " pytorch") + ", three times", inputs, [=](const Inputs& x) {
                   Var h = x[n + 1];
                   for (int step = 0; step < 3; ++step) h = at(once(x, h), 0);
                   return h;
                 }});
        });
  return cases;
}

}  // namespace fused_cases
