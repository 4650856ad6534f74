// Chapter 19 writes outer products to a matrix and reads it with queries. The program writes a key twice, and measures
// how many pairs of a key and a value the matrix can store.
#include <cmath>
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/shape.h"
#include "layers/attention/scaled_dot_product.h"
#include "layers/fast_weights/fast_weights.h"

using namespace softalign;
using namespace layers;
using autograd::constant;

namespace {

Var row(std::initializer_list<Real> numbers) { return constant(Array({1, numbers.size()}, numbers)); }

void draw(const char* what, const Var& W) {  // W (1, 3, 2) stores the transpose
  for (std::size_t r = 0; r < 2; ++r)
    std::printf("%-16s  [%4.1f %4.1f %4.1f]\n", r == 0 ? what : "", W.value()[r], W.value()[2 + r], W.value()[4 + r]);
}

// Returns row i of x (n, m) as the input of a step (1, m).
Var step(const Array& x, std::size_t i, std::size_t m) {
  Array one({1, m});
  for (std::size_t c = 0; c < m; ++c) one[c] = x[i * m + c];
  return constant(one);
}

// Returns how many of n values are found again, in percent. A value is found if the output is nearest to it.
template <class Read>
double found(const Array& v, std::size_t n, std::size_t m, const Read& read) {
  std::size_t hits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Array y = read(i).value();
    std::size_t best = 0;
    double least = INFINITY;
    for (std::size_t j = 0; j < n; ++j) {
      double distance = 0;
      for (std::size_t c = 0; c < m; ++c) distance += std::pow(y[c] - v[j * m + c], 2);
      if (distance < least) least = distance, best = j;
    }
    hits += best == i;
  }
  return 100.0 * static_cast<double>(hits) / static_cast<double>(n);
}

}  // namespace

int main() {
  const Var cat = row({1, 0, 0}), dog = row({0, 1, 0}), red = row({5, 1}), green = row({2, 4}), one = row({1});
  const Var empty = no_fast_weights(1, 1, 3, 2);
  const FastStep first = sum_step(empty, cat, cat, red, 1), both = sum_step(first.W, cat, dog, green, 1);
  draw("cat is (5, 1)", first.W);
  draw("dog is (2, 4)", both.W);
  std::printf("and the cat?      (%.0f, %.0f)\n\n", both.y.value()[0], both.y.value()[1]);
  const FastStep sum = sum_step(both.W, cat, cat, green, 1), delta = delta_step(both.W, cat, cat, green, one, 1);
  std::printf("cat is (2, 4): the sum reads (%.0f, %.0f), the delta rule (%.0f, %.0f)\n\n", sum.y.value()[0],
              sum.y.value()[1], delta.y.value()[0], delta.y.value()[1]);

  const std::size_t m = 16;
  std::printf("percent found again of n pairs, keys and values of %zu numbers\n    n    sum   delta   softmax\n", m);
  for (const std::size_t n : {4, 8, 16, 32, 64}) {
    Random random(7);
    Array k({n, m}), v({n, m});
    for (Real& x : v.span()) x = static_cast<Real>(random.normal());
    for (std::size_t i = 0; i < n; ++i) {  // of length 1
      double squares = 0;
      for (std::size_t c = 0; c < m; ++c) squares += std::pow(k[i * m + c] = static_cast<Real>(random.normal()), 2);
      for (std::size_t c = 0; c < m; ++c) k[i * m + c] /= static_cast<Real>(std::sqrt(squares));
    }
    const Var nothing = constant(Array({1, m}, 0)), no = constant(Array({1, 1}, 0));
    Var W = no_fast_weights(1, 1, m, m), D = W;
    for (std::size_t i = 0; i < n; ++i) {
      const Var key = step(k, i, m), value = step(v, i, m);
      W = sum_step(W, key, key, value, 1).W;
      D = delta_step(D, key, key, value, one, 1).W;
    }
    const Var keys = constant(k.reshaped({n, 1, m})), values = constant(v.reshaped({n, 1, m}));
    std::printf("%5zu %6.0f %7.0f %9.0f\n", n,
                found(v, n, m, [&](std::size_t i) { return sum_step(W, step(k, i, m), nothing, nothing, 1).y; }),
                found(v, n, m, [&](std::size_t i) { return delta_step(D, step(k, i, m), nothing, nothing, no, 1).y; }),
                found(v, n, m, [&](std::size_t i) {
                  const Var query = autograd::reshape(step(k, i, m) * Real(80), {1, 1, m});
                  return attention(query, keys, values, 1, {}).context;
                }));
  }
}
