// This file applies a model to many sentences. It computes teacher forcing of pairs, or searches for translations, in
// batches of similar length. It records no computation graph. Results are in the order of the input. `params` are the
// model's parameters. With a small model, several batches are processed at once. With several processes
// (apps/scatter_gather), each process works on some of the batches. The batches are the same as with one process.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/run/run_folder.h"
#include "apps/scatter_gather/scatter_gather.h"
#include "data/alignment/attention_weights.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"
#include "models/alignment/alignment_layer.h"
#include "models/search/beam_search.h"
#include "models/search/shortlist.h"

namespace softalign::apps {

// TeacherForcedPair is the result of teacher forcing for one pair. It has the attention weights over the source words
// and </s>, without padding. Every field has one row or entry per target step, and the last one belongs to </s>.
struct TeacherForcedPair {
  data::AttentionWeights weights;
  std::vector<float> log_prob;     // log-probability of each target token, in nats
  std::vector<bool> greedy_match;  // true if the target token was the most probable; only if requested
};

inline constexpr std::size_t usual_batch = 64;  // sentences

std::vector<TeacherForcedPair> teacher_force(const models::Seq2Seq& model, const autograd::Params& params,
                                             const std::vector<data::EncodedPair>& pairs,
                                             std::size_t batch = usual_batch, const ProcessGroup& processes = {});

// Returns the attention weights that the alignment layer computes for each pair. These are weights between words, not
// between subwords. Only AttentionWeights::matrix is set.
std::vector<data::AttentionWeights> layer_weights(const models::AlignmentLayer& layer,
                                                  const std::vector<data::Pair>& pairs, std::size_t batch = usual_batch,
                                                  const ProcessGroup& processes = {});

// Returns the heads of self-attention of each pair. The heads of the encoder come before the heads of the decoder. A
// model without self-attention has no heads.
std::vector<std::vector<data::Head>> self_attention(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& pairs,
                                                    std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {});

// For each target token of each pair, returns whether the model finds this token the most probable one after the tokens
// before it. The last token of a pair is </s>.
std::vector<std::vector<bool>> greedy_match(const models::Seq2Seq& model, const autograd::Params& params,
                                            const std::vector<data::EncodedPair>& pairs,
                                            std::size_t batch = usual_batch, const ProcessGroup& processes = {});

// Returns the batches into which teacher_force() divides the pairs. Each batch is a list of indices of pairs.
// teacher_force() processes several batches at once if this is faster.
std::vector<data::Indices> teacher_forced_batches(const autograd::Params& params,
                                                  const std::vector<data::EncodedPair>& pairs,
                                                  std::size_t batch = usual_batch);

// Returns the n best translations of each source, best first. If there is a shortlist, translations contain only words
// from it.
std::vector<std::vector<models::Hypothesis>> search(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const models::BeamOptions& options, std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {},
                                                    const models::Shortlist* shortlist = nullptr);

}  // namespace softalign::apps
