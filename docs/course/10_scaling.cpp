// Chapter 10 shows why attention divides dot products of vectors by the square root of the length of the vectors.
#include <cmath>
#include <cstdio>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/softmax.h"
#include "autograd/random.h"
#include "autograd/var.h"

using namespace softalign;
using namespace autograd;

Array normals(const Shape& shape, Random& random) {
  Array a(shape);
  for (Real& v : a.span()) v = static_cast<Real>(random.normal());
  return a;
}

int main() {
  const std::size_t words = 10, draws = 2000;
  std::printf("     d   variance of q.k   largest weight   gradient |   ... of q.k / sqrt(d)\n");
  for (const std::size_t d : {4, 16, 64, 256}) {
    Random random(1);
    double variance[2] = {}, largest[2] = {}, gradient[2] = {};
    for (std::size_t n = 0; n < draws; ++n) {
      const Array q = normals({d}, random), k = normals({words, d}, random);
      for (const int scaled : {0, 1}) {
        Array e({words}, Real(0));
        for (std::size_t j = 0; j < words; ++j) {
          for (std::size_t i = 0; i < d; ++i) e[j] += q[i] * k[j * d + i];
          if (scaled) e[j] /= std::sqrt(static_cast<Real>(d));
          variance[scaled] += e[j] * e[j] / static_cast<double>(words * draws);  // the mean is 0
        }
        const Var scores = variable(e), alpha = softmax(scores);
        const Var first = sum(alpha * constant(Array({words}, {1, 0, 0, 0, 0, 0, 0, 0, 0, 0})));
        backward(first);
        double most = 0, norm = 0;
        for (std::size_t j = 0; j < words; ++j) {
          most = std::max<double>(most, alpha.value()[j]);
          norm += scores.grad()[j] * scores.grad()[j];
        }
        largest[scaled] += most / draws;
        gradient[scaled] += std::sqrt(norm) / draws;
      }
    }
    std::printf("%6zu %17.1f %16.2f %10.3f | %8.1f %8.2f %8.3f\n", d, variance[0], largest[0], gradient[0], variance[1],
                largest[1], gradient[1]);
  }
}
