// Chapter 27 finds a position of a memory by its content, and moves a head by shifts, which blur its weights. A program
// of steps that we chose by hand copies a text. At the end, the memory of a DNC allocates positions and links them in
// the order of writing.
#include <cstdio>
#include <string>

#include "layers/addressing/addressing.h"
#include "layers/addressing/dynamic_memory.h"

using namespace softalign;
using namespace layers;
using autograd::constant;

namespace {

Var number(Real x) { return constant(Array({1, 1}, x)); }

void print(const Var& w) {
  for (const Real weight : w.value().span()) std::printf(" %5.3f", static_cast<double>(weight));
  std::printf("\n");
}

const Var stay = constant(Array({1, 3}, {0, 1, 0})), move_on = constant(Array({1, 3}, {0, 0, 1}));

// The memory has four rows of three numbers. The third row fits the key best.
void find_by_content() {
  const Var M = constant(Array({4, 1, 3}, {3, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 1})),
            k = constant(Array({1, 3}, {3, 2, 0}));
  std::printf("cosines  "), print(cosines(k, M));
  for (const Real beta : {Real(0), Real(1), Real(5), Real(50)}) {
    std::printf("beta %3.0f ", static_cast<double>(beta));
    print(address({k, number(beta), number(1), stay, number(1)}, constant(Array({1, 4}, Real(0.25))), M));
  }
}

// The head makes ten steps from position 0. In each step, 0.9 of its weight moves by one position, 0.05 by none or two.
void move_softly() {
  const Var M = constant(Array({16, 1, 1}, 1)), k = number(1);
  const Var about_one = constant(Array({1, 5}, {0, 0, Real(.05), Real(.9), Real(.05)}));  // shifts -2 .. 2
  for (const Real gamma : {Real(1), Real(2)}) {
    Array begin({1, 16}, 0);
    begin[0] = 1;
    Var w = constant(begin);
    for (int t = 0; t < 10; ++t) w = address({k, number(1), number(0), about_one, number(gamma)}, w, M);
    std::printf("gamma %.0f: after 10 steps position 10 has %.3f\n", static_cast<double>(gamma),
                static_cast<double>(w.value()[10]));
  }
}

// Copies a text: writes each letter and moves on, finds the beginning by its content, reads each letter and moves on.
void copy(const std::string& text, std::size_t N) {
  const std::size_t letters = 26, W = letters + 1;  // the last number marks the beginning
  const auto vector = [&](std::size_t i) {
    Array x({1, W}, 0);
    x[i] = 1;
    return constant(x);
  };
  Var M = constant(Array({N, 1, W}, Real(0.01)));
  Array begin({1, N}, 0);
  begin[N / 2] = 1;  // any position
  Var w = constant(begin);
  const Address moving{vector(0), number(1), number(0), move_on, number(1)};
  M = memory_write(M, w, constant(Array({1, W}, 1)), vector(letters));
  for (const char letter : text) {
    w = address(moving, w, M);
    M = memory_write(M, w, constant(Array({1, W}, 1)), vector(static_cast<std::size_t>(letter - 'a')));
  }
  w = address({vector(letters), number(50), number(1), stay, number(1)}, w, M);
  std::string said;
  for (std::size_t t = 0; t < text.size(); ++t) {
    w = address(moving, w, M);
    const Array r = memory_read(M, w).value();
    std::size_t most = 0;
    for (std::size_t i = 0; i < W; ++i)
      if (r[i] > r[most]) most = i;
    said += most < letters ? static_cast<char>('a' + most) : '.';
  }
  std::printf("%zu positions: %s -> %s\n", N, text.c_str(), said.c_str());
}

// Prints the allocation weights of four positions. Then it writes to positions 1, 2 and 0, and to 2 again.
void allocate_and_link() {
  std::printf("allocated       "),
      print(allocation_weighting(constant(Array({1, 4}, {Real(.9), Real(.1), Real(.5), Real(.8)}))));
  Var L = constant(Array({1, 4, 4}, 0)), p = constant(Array({1, 4}, 0));
  const auto position = [](std::size_t i) {
    Array w({1, 4}, 0);
    w[i] = 1;
    return constant(w);
  };
  const auto write = [&](std::size_t i) {
    L = link_matrix(L, position(i), p), p = precedence_weighting(p, position(i));
  };
  for (const std::size_t i : {1, 2, 0}) write(i);
  std::printf("forward from 1  "), print(forward_weighting(L, position(1)));
  std::printf("forward from 2  "), print(forward_weighting(L, position(2)));
  std::printf("backward from 0 "), print(backward_weighting(L, position(0)));
  write(2);
  std::printf("forward from 1  "), print(forward_weighting(L, position(1)));
  std::printf("forward from 0  "), print(forward_weighting(L, position(0)));
}

}  // namespace

int main() {
  find_by_content();
  std::printf("\n");
  move_softly();
  std::printf("\n");
  copy("attention", 16);
  copy("attentionbeyondsentences", 32);
  copy("attentionbeyondsentences", 16);
  std::printf("\n");
  allocate_and_link();
}
