// Training needs a fixed amount of memory. After one pass over all batches, steps request no memory from the system.
#include "autograd/kernels/pool.h"
#include "autograd/memory.h"
#include "autograd/optimise/clip.h"
#include "autograd/optimise/optimiser.h"
#include "data/corpus/batches.h"
#include "models/registry.h"
#include "models/training/batch_gradient.h"
#include "tests/catch.h"

using namespace softalign;
using namespace models;

TEST_CASE("a thousand steps over sentences of all lengths allocate no system memory", "[memory]") {
  ModelOptions options;
  options.source_vocabulary = options.target_vocabulary = 30;
  options.embedding = options.hidden = options.attention_size = options.readout = 4;
  Random random(2);
  const autograd::Params params(random);
  const auto model = make_model(options, params);
  autograd::Optimiser optimiser(params, {});

  std::vector<data::EncodedPair> corpus(48);
  const auto sentence = [&] {
    data::Ids ids(1 + random.below(9));
    for (data::Id& id : ids) id = static_cast<data::Id>(4 + random.below(26));
    return ids;
  };
  for (data::EncodedPair& pair : corpus) pair = {sentence(), sentence()};
  const std::vector<data::Indices> plan = data::plan_batches(corpus, {.sentences = 4}, 1);

  const auto step = [&](std::size_t i) {
    add_batch_gradient(*model, params, data::make_batch(corpus, plan[i % plan.size()]), {}, random);
    clip_by_global_norm(params, 1);
    optimiser.step(1e-3);
  };
  for (std::size_t i = 0; i < plan.size(); ++i) step(i);
  const autograd::PoolStatistics before = autograd::pool_statistics();
  const std::size_t arrays = autograd::array_bytes().now;
  for (std::size_t i = 0; i < 1000; ++i) step(i);
  CHECK(autograd::pool_statistics().system_calls == before.system_calls);
  CHECK(autograd::array_bytes().now == arrays);
}
