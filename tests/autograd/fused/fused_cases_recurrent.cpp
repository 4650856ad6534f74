// LSTM and GRU: cells, and sequences with padding, both directions, with and without a state to start from.
#include <array>

#include "autograd/fused/gru.h"
#include "autograd/fused/lstm.h"
#include "autograd/ops/shape.h"
#include "tests/autograd/fused/fused_cases.h"
#include "tests/compare.h"

namespace fused_cases {

using compare::random_array;

namespace {

// Several outputs as one, so that a case has one value.
Var joined(const std::vector<Var>& parts) {
  std::vector<Var> rows;
  for (const Var& part : parts) rows.push_back(reshape(part, {part.value().size()}));
  return concat(rows, 0);
}

struct Sizes {
  std::size_t S, B, H;
};
// Odd widths, one row, one unit, and one that is large enough for several threads.
const std::array sequence_sizes{Sizes{1, 1, 1}, Sizes{4, 3, 3}, Sizes{3, 1, 17}, Sizes{5, 2, 33}, Sizes{2, 130, 128}};
const std::array cell_sizes{Sizes{1, 0, 3},  Sizes{1, 1, 1},  Sizes{1, 3, 3},
                            Sizes{1, 2, 17}, Sizes{1, 5, 33}, Sizes{1, 130, 128}};
const std::array directions{Direction::forward, Direction::backward};
const std::array forms{GRUForm::cho, GRUForm::pytorch};

std::string text(const Sizes& s) {
  return " S" + std::to_string(s.S) + " B" + std::to_string(s.B) + " H" + std::to_string(s.H);
}

// Full length, shorter ones, and a sentence without any word.
std::vector<std::size_t> ragged(const Sizes& s) {
  std::vector<std::size_t> lengths(s.B);
  for (std::size_t b = 0; b < s.B; ++b) lengths[b] = b == 0 ? s.S : (s.S + b) % (s.S + 1);
  return lengths;
}

}  // namespace

Cases lstm_cell_cases() {
  Cases cases;
  for (const Sizes& s : cell_sizes)
    for (const std::string read : {"h and c'", "h", "c'"}) {
      Random random(s.H);
      cases.push_back({text(s) + " reading " + read,
                       {variable(random_array({s.B, 4 * s.H}, random)), variable(random_array({s.B, s.H}, random))},
                       [read](const Inputs& x) {
                         const LSTMState y = lstm_cell(x[0], x[1]);
                         return read == "h" ? y.h : read == "c'" ? y.c : joined({y.h, y.c});
                       }});
    }
  return cases;
}

Cases lstm_sequence_cases() {
  Cases cases;
  for (const Sizes& s : sequence_sizes)
    for (const Direction direction : directions)
      for (const bool padded : {false, true})
        for (const std::string read : {"all", "h", "last c"}) {
          Random random(s.H);
          const auto lengths = padded ? ragged(s) : std::vector<std::size_t>(s.B, s.S);
          const bool start = read != "h";  // an initial state, or none
          Inputs inputs{variable(random_array({s.S * s.B, 4 * s.H}, random)),
                        variable(random_array({s.H, 4 * s.H}, random, 0.3))};
          if (start) {
            inputs.push_back(variable(random_array({s.B, s.H}, random)));
            inputs.push_back(variable(random_array({s.B, s.H}, random)));
          }
          cases.push_back({text(s) + (padded ? " padded" : "") + (direction == Direction::forward ? "" : " backward") +
                               " reading " + read,
                           inputs, [=](const Inputs& x) {
                             const LSTMState before = start ? LSTMState{x[2], x[3]} : LSTMState{};
                             const LSTMSequence y = lstm_sequence(x[0], x[1], before, lengths, direction);
                             if (read == "h") return y.h;
                             return read == "last c" ? y.last.c : joined({y.h, y.last.h, y.last.c});
                           }});
        }
  return cases;
}

Cases gru_cell_cases() {
  Cases cases;
  for (const Sizes& s : cell_sizes)
    for (const GRUForm form : forms)
      for (const bool looped : {false, true}) {
        Random random(s.H);
        Inputs inputs{variable(random_array({s.B, 3 * s.H}, random)), variable(random_array({s.B, s.H}, random)),
                      variable(random_array({s.H, 3 * s.H}, random, 0.3))};
        if (form == GRUForm::pytorch) inputs.push_back(variable(random_array({s.H}, random)));
        cases.push_back({text(s) + (form == GRUForm::cho ? " cho" : " pytorch") + (looped ? ", three steps" : ""),
                         inputs, [=](const Inputs& x) {
                           const Var b_u = form == GRUForm::pytorch ? x[3] : Var();
                           if (!looped) return gru_cell(x[0], x[1], x[2], b_u, form);
                           Var h = x[1];
                           for (int step = 0; step < 3; ++step) h = gru_cell(x[0], h, x[2], b_u, form);
                           return h;
                         }});
      }
  return cases;
}

Cases gru_sequence_cases() {
  Cases cases;
  for (const Sizes& s : sequence_sizes)
    for (const Direction direction : directions)
      for (const GRUForm form : forms)
        for (const bool padded : {false, true}) {
          Random random(s.H);
          const auto lengths = padded ? ragged(s) : std::vector<std::size_t>(s.B, s.S);
          const Var before = padded ? variable(random_array({s.B, s.H}, random)) : Var();
          Inputs inputs{variable(random_array({s.S * s.B, 3 * s.H}, random)),
                        variable(random_array({s.H, 3 * s.H}, random, 0.3))};
          const std::size_t b_u = inputs.size();
          if (form == GRUForm::pytorch) inputs.push_back(variable(random_array({s.H}, random)));
          if (before.defined()) inputs.push_back(before);
          cases.push_back({text(s) + (form == GRUForm::cho ? " cho" : " pytorch") + (padded ? " padded" : "") +
                               (direction == Direction::forward ? "" : " backward"),
                           inputs, [=](const Inputs& x) {
                             const GRUSequence y = gru_sequence(x[0], x[1], form == GRUForm::pytorch ? x[b_u] : Var(),
                                                                form, padded ? x.back() : Var(), lengths, direction);
                             return joined({y.h, y.last});
                           }});
        }
  return cases;
}

}  // namespace fused_cases
