#include "apps/run/batched_inference.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "models/search/hypothesis.h"
#include "models/search/sentence_weights.h"

namespace softalign::apps {

static auto fields(TeacherForcedPair& x) {
  auto& [weights, log_prob, greedy_match] = x;
  return std::tie(weights, log_prob, greedy_match);
}

namespace {

std::size_t workers_of(const autograd::Params& params, std::size_t n) {
  // A worker gets at least 4 sentences on average, because fewer sentences use each weight too seldom. Two workers are
  // always allowed.
  constexpr std::size_t least_sentences = 4;
  return std::min(
      {n, autograd::worthwhile_shards(params, autograd::threads()), std::max(std::size_t{2}, n / least_sentences)});
}

// Returns the number of threads for n sentences, which is one per worker. With one worker and several sentences, all
// threads share the matrix products. With one sentence, a product has few rows and uses each weight only a few times. A
// thread then helps only if its weights fill its cache.
int threads_for(const autograd::Params& params, std::size_t n, std::size_t workers) {
  constexpr std::size_t weights = std::size_t{1} << 19;
  if (workers > 1) return static_cast<int>(workers);
  if (n > 1) return autograd::threads();
  return static_cast<int>(std::max<std::size_t>(2, (params.count() + weights - 1) / weights));
}

// Divides the positions 0 .. n-1 into batches of at most `batch`, so that every worker gets a batch. They are sorted by
// length, so that there is little padding.
template <class Length>
std::vector<data::Indices> by_length(const autograd::Params& params, std::size_t n, std::size_t batch,
                                     const Length& length) {
  const std::size_t workers = std::max<std::size_t>(1, workers_of(params, n));
  batch = std::min(batch, (n + workers - 1) / workers);
  data::Indices order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
  std::vector<data::Indices> batches;
  for (std::size_t begin = 0; begin < n; begin += batch) {
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
    batches.emplace_back(first, first + static_cast<std::ptrdiff_t>(std::min(batch, n - begin)));
  }
  return batches;
}

// Returns the results of work(indices) for all batches, in the order of the n sentences. Several batches are computed
// at once if this is faster.
template <class Result, class Work>
std::vector<Result> in_batches(const ProcessGroup& processes, const autograd::Params& params, std::size_t n,
                               const std::vector<data::Indices>& batches, const Work& work) {
  const auto find = [&](const std::vector<std::size_t>& mine, std::vector<std::vector<Result>>& found) {
    const std::size_t workers = workers_of(params, n);
    const autograd::ThreadLimit limit(threads_for(params, n, workers));
    autograd::run_workers(workers, [&](std::size_t worker) {
      const autograd::NoGrad no_grad;
      for (std::size_t i = worker; i < mine.size(); i += workers) found[mine[i]] = work(batches[mine[i]]);
    });
  };
  auto found = scatter_gather<std::vector<Result>>(processes, batches.size(), find);
  std::vector<Result> results(n);
  for (std::size_t i = 0; i < batches.size(); ++i)
    for (std::size_t b = 0; b < batches[i].size(); ++b) results[batches[i][b]] = std::move(found[i][b]);
  return results;
}

// Returns the results of teacher forcing for sentence b of a batch.
TeacherForcedPair unbatch(const models::TeacherForced& teacher_forced, const data::Batch& batch, std::size_t b) {
  TeacherForcedPair pair;
  for (std::size_t t = 0; t < batch.target_lengths[b]; ++t) {
    pair.log_prob.push_back(static_cast<float>(-teacher_forced.losses.value()[t * batch.size + b]));
    append(pair.weights, teacher_forced.weights, t * batch.size + b, batch.places[b]);
  }
  return pair;
}

}  // namespace

std::vector<data::Indices> teacher_forced_batches(const autograd::Params& params,
                                                  const std::vector<data::EncodedPair>& pairs, std::size_t batch) {
  const auto length = [&](std::size_t i) { return std::pair(pairs[i].source.size(), pairs[i].target.size()); };
  return by_length(params, pairs.size(), batch, length);
}

std::vector<TeacherForcedPair> teacher_force(const models::Seq2Seq& model, const autograd::Params& params,
                                             const std::vector<data::EncodedPair>& pairs, std::size_t batch_size,
                                             const ProcessGroup& processes) {
  const auto work = [&](const data::Indices& indices) {
    const data::Batch batch = data::make_batch(pairs, indices);
    const models::TeacherForced teacher_forced = model.teacher_forced(batch);
    std::vector<TeacherForcedPair> found;
    for (std::size_t b = 0; b < batch.size; ++b) found.push_back(unbatch(teacher_forced, batch, b));
    return found;
  };
  return in_batches<TeacherForcedPair>(processes, params, pairs.size(),
                                       teacher_forced_batches(params, pairs, batch_size), work);
}

std::vector<data::AttentionWeights> layer_weights(const models::AlignmentLayer& layer,
                                                  const std::vector<data::Pair>& pairs, std::size_t batch_size,
                                                  const ProcessGroup& processes) {
  constexpr std::size_t most_cells = 1 << 20;  // per part of a batch, with padding
  const auto length = [&](std::size_t i) { return std::pair(pairs[i].source.size(), pairs[i].target.size()); };
  const auto work = [&](const data::Indices& indices) {
    std::size_t cells = 1;
    for (const std::size_t i : indices)
      cells = std::max(cells, (pairs[i].source.size() + 1) * (pairs[i].target.size() + 1));
    const std::size_t together = std::max<std::size_t>(1, most_cells / cells);
    std::vector<data::AttentionWeights> found;
    for (std::size_t begin = 0; begin < indices.size(); begin += together) {
      std::vector<const data::Pair*> part;
      for (std::size_t k = begin; k < std::min(begin + together, indices.size()); ++k)
        part.push_back(&pairs[indices[k]]);
      for (auto& aligned : layer.align(part)) found.emplace_back().matrix = std::move(aligned.weights);
    }
    return found;
  };
  return in_batches<data::AttentionWeights>(processes, layer.params(), pairs.size(),
                                            by_length(layer.params(), pairs.size(), batch_size, length), work);
}

std::vector<std::vector<data::Head>> self_attention(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& pairs, std::size_t batch_size,
                                                    const ProcessGroup& processes) {
  using Heads = std::vector<data::Head>;
  const auto work = [&](const data::Indices& indices) {
    const data::Batch batch = data::make_batch(pairs, indices);
    const std::vector<models::Heads> heads = model.self_attention(batch);
    std::vector<Heads> found(batch.size);
    for (std::size_t b = 0; b < batch.size; ++b)
      append(found[b], heads, b, batch.size, batch.places[b], batch.target_lengths[b]);
    return found;
  };
  return in_batches<Heads>(processes, params, pairs.size(), teacher_forced_batches(params, pairs, batch_size), work);
}

std::vector<std::vector<bool>> greedy_match(const models::Seq2Seq& model, const autograd::Params& params,
                                            const std::vector<data::EncodedPair>& pairs, std::size_t batch_size,
                                            const ProcessGroup& processes) {
  using GreedyMatch = std::vector<bool>;
  const auto work = [&](const data::Indices& indices) {
    const data::Batch batch = data::make_batch(pairs, indices);
    const std::vector<bool> all = models::greedy_matches(model.decoder(), model.encode(batch), batch.targets);
    std::vector<GreedyMatch> found(batch.size);
    for (std::size_t b = 0; b < batch.size; ++b)
      for (std::size_t t = 0; t < batch.target_lengths[b]; ++t) found[b].push_back(all[t * batch.size + b]);
    return found;
  };
  return in_batches<GreedyMatch>(processes, params, pairs.size(), teacher_forced_batches(params, pairs, batch_size),
                                 work);
}

std::vector<std::vector<models::Hypothesis>> search(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const models::BeamOptions& options, std::size_t batch_size,
                                                    const ProcessGroup& processes, const models::Shortlist* shortlist) {
  const auto length = [&](std::size_t i) { return sources[i].source.size(); };
  const auto batches = by_length(params, sources.size(), batch_size, length);
  const auto work = [&](const data::Indices& indices) {
    const data::Batch batch = data::make_source_batch(sources, indices);
    auto found =
        shortlist ? models::beam_search(model, batch, *shortlist, options) : models::beam_search(model, batch, options);
    if (!options.weights)
      for (std::vector<models::Hypothesis>& of_sentence : found)
        for (models::Hypothesis& each : of_sentence) each.weights = {};
    return found;
  };
  return in_batches<std::vector<models::Hypothesis>>(processes, params, sources.size(), batches, work);
}

}  // namespace softalign::apps
