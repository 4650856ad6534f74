// This file aligns given pairs with a run's model. `align` writes the results, and `view` shows them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/run/inference.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// AttentionDetail says which optional parts a record has: the heads of cross-attention, the heads of self-attention,
// and the scores before the softmax (add_scores).
enum class AttentionDetail { at_source, all, scored };

// Throws data::Error if the run's model has no attention, or no attention to a source although the caller needs it.
// `name` names the model in the message.
void check_attends(const Run& run, const std::string& name, AttentionDetail detail = AttentionDetail::at_source);

// Calls `use` with the record of each pair in order. The id is the index of the pair. Only the attention of a part of
// the corpus is in memory at a time. Throws data::Error for a model without attention; `name` names the run in the
// message.
void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 AttentionDetail detail, const std::function<void(data::Record)>& use);

// Does the same for two runs of opposite direction, over words. `use` gets the record of the pair, and the record of
// the reversed pair. Also throws data::Error if the reverse run has another tokeniser or the same direction.
void align_both_ways(const Run& run, const std::string& name, const Run& reverse, const std::string& reverse_name,
                     const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use);

// Adds the heads of self-attention of the run's model to the weights of each pair, over subwords.
void add_self_attention(std::vector<TeacherForcedPair>& teacher_forced, const Run& run,
                        const std::vector<data::Pair>& pairs);

// Does the same for a hypothesis. A search may write more tokens than the model has positions (models::most_words).
// Then the function leaves out only the heads over the hypothesis, and returns false.
bool add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source);

// Returns the note about records with hypotheses that are too long for those heads, or "" if there are none.
std::string note_of_self_attention(const Run& run, std::size_t left_out);

// Throws UsageError for `align --scores` with a run that has no scores: an ensemble, a model without a softmax, or a
// run with subwords, unless `pieces` says that the user aligns subwords.
void check_scores(const Run& run, bool pieces);

// Fills the scores and norms of a record by another pass of teacher forcing over `pair`, the ids of its words. The
// second function does this for all records of these pairs.
void add_scores(data::Record& record, const Run& run, const data::EncodedPair& pair);
void add_scores(std::vector<data::Record>& records, const Run& run, const std::vector<data::Pair>& pairs);

// Adds the picture that the cells belong to, if there is one, to the record, for programs that show it.
void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture);

}  // namespace softalign::apps
