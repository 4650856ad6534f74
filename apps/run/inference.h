// A model put to work on many sentences: forced decoding of pairs and search for translations, in batches of like
// lengths, results in the order of the input. Nothing is recorded for gradients. `params` are the model's: small models
// work on several batches at once. Of several processes (apps/scatter_gather) each works on some of the batches, the
// same ones that one process would make of them.
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

// One pair read by the model, its target given: the attention weights over the source words and </s>, no padding. All
// have one row or entry per target step, </s> last.
struct TeacherForcedPair {
  data::AttentionWeights weights;
  std::vector<float> log_prob;     // of each target token, nats
  std::vector<bool> greedy_match;  // whether it was the most probable one; where that was asked for
};

inline constexpr std::size_t usual_batch = 64;  // sentences

std::vector<TeacherForcedPair> force(const models::Seq2Seq& model, const autograd::Params& params,
                                     const std::vector<data::EncodedPair>& pairs, std::size_t batch = usual_batch,
                                     const ProcessGroup& processes = {});

// The weights that an alignment layer gives each pair, over words; nothing else is filled.
std::vector<data::AttentionWeights> layer_weights(const models::AlignmentLayer& layer,
                                                  const std::vector<data::Pair>& pairs, std::size_t batch = usual_batch,
                                                  const ProcessGroup& processes = {});

// How the words of each pair look among themselves: every head of self-attention, those of the source first. None of a
// model without any.
std::vector<std::vector<data::Head>> self_attention(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& pairs,
                                                    std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {});

// Whether each target token of each pair, </s> last, is the most probable one behind those before it.
std::vector<std::vector<bool>> greedy_match(const models::Seq2Seq& model, const autograd::Params& params,
                                            const std::vector<data::EncodedPair>& pairs,
                                            std::size_t batch = usual_batch, const ProcessGroup& processes = {});

// The batches that force() works on: several at once where that pays.
std::vector<data::Indices> forced_batches(const autograd::Params& params, const std::vector<data::EncodedPair>& pairs,
                                          std::size_t batch = usual_batch);

// The n best translations of each source, best first; with a shortlist among its words.
std::vector<std::vector<models::Hypothesis>> search(const models::Seq2Seq& model, const autograd::Params& params,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const models::BeamOptions& options, std::size_t batch = usual_batch,
                                                    const ProcessGroup& processes = {},
                                                    const models::Shortlist* shortlist = nullptr);

}  // namespace softalign::apps
