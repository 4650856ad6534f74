#include "models/training/batch_gradient.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "autograd/threads/shards.h"
#include "autograd/var.h"
#include "data/corpus/batch.h"
#include "models/training/teacher_forcing.h"

namespace softalign::models {
namespace {

double number(const Var& x) { return static_cast<double>(x.value().item()); }

// matrix_of returns the attention weights. If attention was sampled, it returns the weights that the samples came from.
Var matrix_of(const TeacherForced& teacher_forced, const std::vector<layers::SampledAttention>& sampled) {
  if (sampled.empty()) return teacher_forced.weights.matrix;
  std::vector<Var> alphas;
  for (const layers::SampledAttention& step : sampled) alphas.push_back(step.alpha);
  return concat(alphas, 0);
}

// total_loss returns the objective, summed over the words of the batch. It stores the parts of the objective in `sums`.
Var total_loss(const TeacherForced& teacher_forced, const std::vector<layers::SampledAttention>& sampled,
               const Batch& batch, const Objective& objective, SummedLosses& sums) {
  Var loss = sum(teacher_forced.losses);
  sums.words = number(loss);
  for (std::size_t i = 0; i < sums.attention.size(); ++i) {
    const AttentionLoss& teaching = attention_losses()[i];
    const double weight = objective.*teaching.weight;
    if (weight == 0) continue;
    const Var attention_loss = teaching.of(matrix_of(teacher_forced, sampled), batch);
    sums.attention[i] = number(attention_loss);
    loss = loss + attention_loss * static_cast<Real>(weight);
  }
  if (!objective.hard_attention) return loss;
  const Var reinforced =
      reinforcement(teacher_forced.losses, batch.targets.out, sampled, *objective.hard_attention, sums.rewards);
  sums.reinforcement = number(reinforced);
  return loss + reinforced;
}

// mixed_targets replaces some words by words that are sampled from the model. The model runs without dropout.
Targets mixed_targets(const Seq2Seq& model, const Batch& batch, double teacher_forcing_ratio, Random random) {
  const autograd::NoGrad no_grad;
  return with_sampled_words(model.decoder(), model.encode(batch), batch.targets, teacher_forcing_ratio, random);
}

// read_targets returns the words that the decoder reads.
Targets read_targets(const Seq2Seq& model, const Batch& batch, const Objective& objective, const Random& random) {
  Targets read = batch.targets;
  if (objective.teacher_forcing_ratio < 1)
    read = mixed_targets(model, batch, objective.teacher_forcing_ratio, random.split("sampled words"));
  if (objective.word_dropout == 0) return read;
  return with_word_dropout(std::move(read), objective.word_dropout, random.split("unread words"));
}

}  // namespace

SummedLosses add_batch_gradient(const Seq2Seq& model, const autograd::Params& params, const Batch& batch,
                                const Objective& objective, Random& random, const GradientOptions& options) {
  const RankSlice& slice = options.slice;
  const std::size_t words = options.words > 0 ? options.words : target_words(batch);
  if (words == 0) throw std::invalid_argument("add_batch_gradient: the batch has no target words");
  const std::vector<Batch> parts =
      data::split(batch, autograd::parts_of_batch(batch.size, options.shards, slice.count));
  const std::size_t begin = parts.size() * slice.rank / slice.count,
                    end = parts.size() * (slice.rank + 1) / slice.count;
  const Random streams(random.next());
  std::vector<SummedLosses> sums(end - begin);
  if (sums.empty()) return {};  // fewer sentences than processes
  autograd::run_shards(params, sums.size(), [&](std::size_t shard) {
    Random dropout = streams.split(begin + shard);
    const Batch& part = parts[begin + shard];
    // forward
    const Targets read = read_targets(model, part, objective, dropout);
    const Training training{dropout, static_cast<Real>(objective.label_smoothing), objective.time_noise,
                            objective.linear_start};
    const Memory memory = model.encode(part, &training);
    std::vector<layers::SampledAttention> sampled;
    const TeacherForced teacher_forced =
        objective.hard_attention ? teacher_forced_with_hard_attention(model.decoder(), memory, read, training,
                                                                      *objective.hard_attention, sampled)
                                 : model.decoder().teacher_forced(memory, read, &training);
    const Var loss = total_loss(teacher_forced, sampled, part, objective, sums[shard]);
    // backward
    backward(loss * (Real(1) / static_cast<Real>(words)));
  });
  SummedLosses total;
  for (const SummedLosses& of_shard : sums) total += of_shard;
  return total;
}

}  // namespace softalign::models
