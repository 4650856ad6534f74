#include "apps/addressing/copy_batch.h"

#include "autograd/random.h"

namespace softalign::apps {

namespace {

constexpr std::size_t letters = 26;
constexpr autograd::Id mark = letters, nothing = letters + 1;

}  // namespace

CopyBatch::CopyBatch(std::size_t length, std::size_t texts, std::uint64_t seed)
    : n(length), B(texts), words((2 * n + 1) * B, nothing), said((2 * n + 1) * B, -1) {
  autograd::Random random(seed);
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t b = 0; b < B; ++b)
      said[(n + 1 + t) * B + b] = words[t * B + b] = static_cast<autograd::Id>(random.below(letters));
  for (std::size_t b = 0; b < B; ++b) words[n * B + b] = mark;
}

std::size_t CopyBatch::words_known() { return letters + 2; }

}  // namespace softalign::apps
