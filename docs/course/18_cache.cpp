// In chapter 18, a decoder layer reads eight words at once, and one by one with a cache. The program compares the
// outputs, and counts the multiplications of both ways.
#include <cmath>
#include <cstdio>

#include "layers/transformer/block.h"

using namespace softalign;
using namespace layers;

int main() {
  const std::size_t T = 8, S = 6, d = 16;
  const Params p(Random(1));
  const DecoderBlock block(p, {.self = {.width = d, .heads = 4}, .feed_forward = 32},
                           initialiser_config(InitialiserKind::standard));
  Random random(2);
  Array words({T, 1, d}), states({S, 1, d});
  for (Real& x : words.span()) x = static_cast<Real>(random.normal());
  for (Real& x : states.span()) x = static_cast<Real>(random.normal());
  const MultiHead::Keys memory = block.memory(autograd::constant(states));

  const autograd::Var all =
      block(autograd::constant(words), memory, {}, ReturnWeights::no, nullptr).x;  // (T, 1, d), causal
  KVCache cache;
  std::printf("step   numbers kept   apart from all at once by\n");
  for (std::size_t t = 0; t < T; ++t) {
    Array word({1, 1, d});
    for (std::size_t c = 0; c < d; ++c) word[c] = words[t * d + c];
    const DecoderBlock::Output out = block.step(autograd::constant(word), t, cache, memory, {});
    cache = out.cache;
    double apart = 0;
    for (std::size_t c = 0; c < d; ++c)
      apart = std::max<double>(apart, std::abs(out.x.value()[c] - all.value()[t * d + c]));
    std::printf("%4zu %14zu   %s\n", t + 1, cache.keys.value().size() + cache.values.value().size(),
                apart < 1e-5 ? "rounding" : "more");
  }

  std::printf(
      "\nproducts of two numbers in one layer's self-attention, d = 512, of n words\n"
      "      n   all over again     with a cache    times\n");
  for (const double n : {10, 30, 100, 300}) {
    const double width = 512;
    double again = 0, cached = 0;
    for (double t = 1; t <= n; ++t) {
      again += 4 * t * width * width + 2 * t * t * width;  // four projections of t words; t x t scores and means
      cached += 4 * width * width + 2 * t * width;         // the same for one word, which attends to t words
    }
    std::printf("%7.0f %13.0f M %14.0f M %8.0f\n", n, again / 1e6, cached / 1e6, again / cached);
  }
}
