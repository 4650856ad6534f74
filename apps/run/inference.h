// This file applies a model to many sentences: teacher forcing of pairs and search for translations, in batches of
// similar length. Results are in the order of the input. It records no graph. `params` are the model's parameters;
// small models process several batches at once. With several processes (apps/scatter_gather), each process works on
// some of the batches. The batches are the same as with one process.
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
// and </s>, without padding. All fields have one row or entry per target step, with </s> last.
struct TeacherForcedPair {
  data::AttentionWeights weights;
  std::vector<float> log_prob;     // of each target token, nats
  std::vector<bool> greedy_match;  // whether it was the most probable token; only if requested
};

inline constexpr std::size_t usual_batch = 64;  // sentences

std::vector<TeacherForcedPair> teacher_force(const models::Seq2Seq& model, const autograd::Params& params,
                                             const std::vector<data::EncodedPair>& pairs,
                                             std::size_t batch = usual_batch, const ProcessGroup& processes = {});

// The weights that an alignment layer gives each pair, over words. Nothing else is filled.
std::vector<data::AttentionWeights> layer_weights(const models::AlignmentLayer& layer,
                                                  const std::vector<data::Pair>& pairs, std::size_t batch = usual_batch,
                                                  const ProcessGroup& processes = {});

// The self-attention of the words of each pair: every head, first those of the source. A model without self-attention
// has none.
std::vector<std::vector<data::Head>> self_attention(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& pairs,
                                                    std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {});

// Greedy match: says for each target token of each pair, with </s> last, whether it is the most probable token after
// the tokens before it.
std::vector<std::vector<bool>> greedy_match(const models::Seq2Seq& model, const autograd::Params& params,
                                            const std::vector<data::EncodedPair>& pairs,
                                            std::size_t batch = usual_batch, const ProcessGroup& processes = {});

// Returns the batches that teacher_force() processes. It processes several at once if that is faster.
std::vector<data::Indices> teacher_forced_batches(const autograd::Params& params,
                                                  const std::vector<data::EncodedPair>& pairs,
                                                  std::size_t batch = usual_batch);

// Returns the n best translations of each source, best first. With a shortlist, it uses only the words of the
// shortlist.
std::vector<std::vector<models::Hypothesis>> search(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const models::BeamOptions& options, std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {},
                                                    const models::Shortlist* shortlist = nullptr);

}  // namespace softalign::apps
