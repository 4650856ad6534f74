#include "models/alignment/alignment_training.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/ops/softmax.h"
#include "autograd/optimise/optimiser.h"
#include "autograd/threads/shards.h"
#include "models/training/step.h"

namespace softalign::models {

using autograd::Real;

namespace {

// A batch is divided into this many parts, which several threads compute. The number is fixed, so that results do not
// depend on the number of threads.
constexpr std::size_t cuts = 4;
constexpr std::size_t longest_joined = 90;  // words per side

// LinkTargets has g, l, r and h of a batch.
struct LinkTargets {
  Array rows;     // (T*B, S)
  Array last;     // (T*B, S)
  Array next;     // (T*B, S)
  Array columns;  // (B, S, T + 1); the last entry is "no word"
};

LinkTargets targets_of(const AlignmentBatch& batch, const std::vector<const data::Links*>& links) {
  const std::size_t B = batch.size(), S = batch.source.steps, T = batch.target.steps - 1;
  LinkTargets t{autograd::zeros({T * B, S}), autograd::zeros({T * B, S}), autograd::zeros({T * B, S}),
                autograd::zeros({B, S, T + 1})};
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t I = batch.target.lengths[b], J = batch.source.lengths[b];
    std::vector<std::size_t> of_target(I, 0), of_source(J, 0);
    for (const data::Link& link : *links[b]) ++of_target.at(link.target), ++of_source.at(link.source);
    for (const data::Link& link : *links[b]) {
      t.rows[(link.target * B + b) * S + link.source] = Real(1) / static_cast<Real>(of_target[link.target]);
      t.columns[(b * S + link.source) * (T + 1) + link.target] = Real(1) / static_cast<Real>(of_source[link.source]);
    }
    const Real* linked = nullptr;  // the row of the nearest linked word
    const auto visit = [&](std::size_t i, Array& positions) {
      const std::size_t row = (i * B + b) * S;
      if (linked) std::copy(linked, linked + J, positions.data() + row);
      if (of_target[i] > 0) linked = t.rows.data() + row;
    };
    for (std::size_t i = 0; i < I; ++i) visit(i, t.last);
    linked = nullptr;
    for (std::size_t i = I; i-- > 0;) visit(i, t.next);
    for (std::size_t i = 0; i < I; ++i)
      if (of_target[i] == 0) t.rows[(i * B + b) * S + J] = 1;
    for (std::size_t j = 0; j < J; ++j)
      if (of_source[j] == 0) t.columns[(b * S + j) * (T + 1) + T] = 1;
  }
  return t;
}

struct AlignmentMasks {
  Array rows;     // (T*B, S) the source words and </s>
  Array columns;  // (B, S, T + 1) the target words and "no word"
};

AlignmentMasks masks_of(const AlignmentBatch& batch) {
  const std::size_t B = batch.size(), S = batch.source.steps, T = batch.target.steps - 1;
  AlignmentMasks m{autograd::zeros({T * B, S}), autograd::zeros({B, S, T + 1})};
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t j = 0; j < S; ++j) {
      for (std::size_t i = 0; i < T; ++i) {
        if (j <= batch.source.lengths[b]) m.rows[(i * B + b) * S + j] = 1;
        if (i < batch.target.lengths[b]) m.columns[(b * S + j) * (T + 1) + i] = 1;
      }
      m.columns[(b * S + j) * (T + 1) + T] = 1;
    }
  return m;
}

// Joined has pairs that were made by joining pairs of the corpus, and the links of these pairs.
struct Joined {
  std::vector<data::Pair> pairs;
  std::vector<data::Links> links;
};

Joined join(const std::vector<data::Pair>& pairs, const std::vector<data::Links>& links, autograd::Indices batch,
            Random& random) {
  random.shuffle(batch);
  const std::size_t together = 2 + random.below(2);
  Joined joined;
  for (std::size_t k = 0; k < batch.size();) {
    data::Pair one;
    data::Links its;
    const std::size_t end = std::min(k + together, batch.size());
    const auto fits = [&](const data::Pair& next) {
      return one.source.size() + next.source.size() <= longest_joined &&
             one.target.size() + next.target.size() <= longest_joined;
    };
    // A pair that does not fit begins the next joined pair. A single pair always fits.
    for (; k < end && (one.source.empty() || fits(pairs[batch[k]])); ++k) {
      const data::Pair& next = pairs[batch[k]];
      for (const data::Link& link : links[batch[k]])
        its.push_back({link.source + one.source.size(), link.target + one.target.size()});
      one.source.insert(one.source.end(), next.source.begin(), next.source.end());
      one.target.insert(one.target.end(), next.target.begin(), next.target.end());
    }
    joined.pairs.push_back(std::move(one));
    joined.links.push_back(std::move(its));
  }
  return joined;
}

// batches_of returns batches of pairs with similar lengths, in random order.
std::vector<autograd::Indices> batches_of(autograd::Indices order, const std::vector<data::Pair>& pairs,
                                          std::size_t batch, Random& random) {
  random.shuffle(order);
  std::vector<autograd::Indices> batches;
  const std::size_t part = 50 * batch;
  const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(std::min(i, order.size())); };
  const auto length = [&](std::size_t i) { return pairs[i].source.size() + pairs[i].target.size(); };
  for (std::size_t begin = 0; begin < order.size(); begin += part) {
    const std::size_t end = std::min(begin + part, order.size());
    std::stable_sort(at(begin), at(end), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
    for (std::size_t i = begin; i < end; i += batch) batches.emplace_back(at(i), at(std::min(i + batch, end)));
  }
  random.shuffle(batches);
  return batches;
}

// batch_count returns how many batches batches_of returns.
std::size_t batch_count(const AlignmentTrainingOptions& o, std::size_t pairs) {
  return (pairs + o.batch - 1) / o.batch;
}

data::Vocabulary frequent_words(const std::vector<data::Pair>& pairs, data::Tokens data::Pair::*side,
                                const AlignmentTrainingOptions& o) {
  return data::Vocabulary::build(data::count_words(pairs, side),
                                 {.min_count = o.least_count, .max_size = o.most_words});
}

}  // namespace

std::size_t epochs_of(const AlignmentTrainingOptions& options, std::size_t pairs) {
  constexpr std::size_t most_epochs = 32;
  const std::size_t batches = std::max<std::size_t>(1, batch_count(options, pairs));
  return std::max(options.epochs, std::min(most_epochs, (options.least_batches + batches - 1) / batches));
}

Var alignment_loss(const AlignmentLayer& layer, const std::vector<const data::Pair*>& pairs,
                   const std::vector<const data::Links*>& links, double dropout, Random* random) {
  const AlignmentBatch batch = layer.batch(pairs);
  const std::size_t B = batch.size(), S = batch.source.steps, T = batch.target.steps - 1;
  const LinkTargets targets = targets_of(batch, links);
  const AlignmentMasks masks = masks_of(batch);
  const AlignmentLayer::Output out = layer(batch, dropout, random);
  // </s> takes part in no jump. Its columns of `last` and `next` are 0, and its own score gets no score of a jump.
  Array words = masks.rows.clone();
  for (std::size_t r = 0; r < T * B; ++r) words[r * S + batch.source.lengths[r % B]] = 0;
  const Var scores = out.scores + layer.jumps(targets.last, targets.next) * constant(words);
  const Var columns =
      autograd::concat({transpose(reshape(scores, {T, B, S}), {1, 2, 0}), transpose(out.nothing, {1, 0, 2})}, 2);
  return -(sum(constant(targets.rows) * log_softmax(scores, masks.rows)) +
           sum(constant(targets.columns) * log_softmax(columns, masks.columns)));
}

namespace {

// LinkedPairs has the pairs of a training step, and the links of each pair.
struct LinkedPairs {
  std::vector<const data::Pair*> pairs;
  std::vector<const data::Links*> links;

  std::size_t target_words() const {
    std::size_t count = 0;
    for (const data::Pair* pair : pairs) count += pair->target.size();
    return count;
  }
};

// Returns the pairs of a batch, or with a probability of one half the pairs that join() makes of them. The joined pairs
// are stored in `joined`, which must live as long as the result.
LinkedPairs choose_pairs(const std::vector<data::Pair>& pairs, const std::vector<data::Links>& links,
                         const autograd::Indices& batch, Random& random, Joined& joined) {
  LinkedPairs chosen;
  if (random.uniform() < 0.5) {
    joined = join(pairs, links, batch, random);
    for (std::size_t i = 0; i < joined.pairs.size(); ++i)
      chosen.pairs.push_back(&joined.pairs[i]), chosen.links.push_back(&joined.links[i]);
  } else {
    for (const std::size_t i : batch) chosen.pairs.push_back(&pairs[i]), chosen.links.push_back(&links[i]);
  }
  return chosen;
}

// Runs one training step on the pairs and returns the sum of their losses. Several threads divide the pairs among them.
double alignment_step(const AlignmentLayer& layer, autograd::Optimiser& optimiser, const LinkedPairs& chosen,
                      double dropout, const Random& random, const Update& update) {
  const std::size_t targets = chosen.target_words(), shards = std::min(cuts, chosen.pairs.size());
  double loss = 0;
  const auto run_batch = [&](std::size_t) {
    std::vector<double> sums(shards);
    run_shards(layer.params(), shards, [&](std::size_t shard) {
      const auto begin = static_cast<std::ptrdiff_t>(shard * chosen.pairs.size() / shards);
      const auto end = static_cast<std::ptrdiff_t>((shard + 1) * chosen.pairs.size() / shards);
      Random drops = random.split(shard);
      const Var sum = alignment_loss(layer, {chosen.pairs.begin() + begin, chosen.pairs.begin() + end},
                                     {chosen.links.begin() + begin, chosen.links.begin() + end}, dropout, &drops);
      sums[shard] = static_cast<double>(sum.value().item());
      backward(sum * (Real(1) / static_cast<Real>(targets)));
    });
    loss = std::accumulate(sums.begin(), sums.end(), 0.0);
    return loss;
  };
  training_step(layer.params(), optimiser, 1, run_batch, update);
  return loss;
}

}  // namespace

AlignmentLayer train_alignment_layer(const std::vector<data::Pair>& pairs, const std::vector<data::Links>& links,
                                     const AlignmentTrainingOptions& o,
                                     const std::function<void(const AlignmentProgress&)>& progress,
                                     const std::function<bool()>& stop) {
  autograd::Indices linked;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (!links.at(i).empty()) linked.push_back(i);
  if (linked.empty()) throw std::invalid_argument("train_alignment_layer: no pair has a link to learn from");
  const Random random = Random(o.seed).split("alignment layer");
  AlignmentLayer layer(frequent_words(pairs, &data::Pair::source, o), frequent_words(pairs, &data::Pair::target, o),
                       o.layer, random.split("parameters"));
  autograd::Optimiser optimiser(layer.params(), {});
  const std::size_t epochs = epochs_of(o, linked.size());
  const std::size_t steps = epochs * batch_count(o, linked.size());
  std::size_t step = 0, done = 0, all_words = 0;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    Random own = random.split("epoch").split(epoch);
    double loss = 0, words = 0;
    for (const autograd::Indices& batch : batches_of(linked, pairs, o.batch, own)) {
      Joined joined;
      const LinkedPairs chosen = choose_pairs(pairs, links, batch, own, joined);
      const double left = 1 - static_cast<double>(step) / static_cast<double>(steps);
      const Update update{.learning_rate = o.learning_rate * left, .clip = o.clip};
      loss += alignment_step(layer, optimiser, chosen, o.dropout, random.split("dropout").split(step++), update);
      const std::size_t targets = chosen.target_words();
      words += static_cast<double>(targets), all_words += targets;
      done += batch.size();
      if (progress) progress({epoch, epochs, done, epochs * linked.size(), all_words, loss / words});
      if (stop && stop()) return layer;
    }
  }
  check_finite(layer.params());
  return layer;
}

}  // namespace softalign::models
