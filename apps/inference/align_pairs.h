// This file aligns the words of given sentence pairs with a trained model. `align` writes the results, and `view` shows
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/run/batched_inference.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "data/alignment/record.h"
#include "data/corpus/batches.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

// AttentionDetail says which optional parts an alignment record has: at_source adds the heads of cross-attention, `all`
// also adds the heads of self-attention, and `scored` also adds the scores before the softmax (add_scores). With
// `none`, a record has neither weights nor gold links. It then has only the log-probabilities of the words, so the
// model need not have attention.
enum class AttentionDetail { none, at_source, all, scored };

// Returns true if the run has attention of any kind: to a source, or from a text to itself.
bool has_attention(const LoadedRun& run);

// Throws data::Error if the run's model has no attention. Also throws it if the caller needs attention to a source, and
// the model has only self-attention. `name` names the model in the message.
void check_attends(const LoadedRun& run, const std::string& name, AttentionDetail detail = AttentionDetail::at_source);

// Computes the alignment record of each pair, and calls `use` with the records in the order of the pairs. The id of a
// record is the index of its pair. To save memory, the function computes the records in groups. Throws data::Error for
// a model without attention, unless `detail` is `none`. `name` names the run in the message.
void align_pairs(const LoadedRun& run, const std::string& name, const std::vector<data::Pair>& pairs, Units units,
                 AttentionDetail detail, const std::function<void(data::Record)>& use);

// Aligns the words of the pairs with two runs of opposite direction, for example one from English to French and one
// from French to English. For each pair, `use` gets the record of `run` and the record of `reverse`. Throws data::Error
// like align_pairs. Also throws it if both runs have the same direction or different tokenisers.
void align_both_ways(const LoadedRun& run, const std::string& name, const LoadedRun& reverse,
                     const std::string& reverse_name, const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use);

// Appends the weight matrices of the model's self-attention heads to the matrices of each pair. Such a matrix has one
// row and one column per subword.
void add_self_attention(std::vector<TeacherForcedPair>& teacher_forced, const LoadedRun& run,
                        const std::vector<data::Pair>& pairs);

// Appends the weight matrices of the self-attention heads to a translation. If the translation has more tokens than the
// model has positions (models::most_words), the function adds only the heads between source tokens, and returns false.
bool add_self_attention(models::Hypothesis& found, const LoadedRun& run, const SourceText& source);

// Returns a note that `left_out` records lack the self-attention of the target, because their translations are too
// long. Returns "" if `left_out` is 0.
std::string note_of_self_attention(const LoadedRun& run, std::size_t left_out);

// Throws UsageError if `align --scores` cannot compute scores. An ensemble has no scores, and neither has a model whose
// attention weights are not a softmax of scores. `subwords` is true if the user aligns subwords. A run with subwords
// has scores only for subwords. An alignment layer has scores only for words.
void check_scores(const LoadedRun& run, bool subwords);

// Both functions add the attention scores before the softmax, and the lengths of the vectors that attention averages
// (data::Norms). They run the model again on the words of the record, with teacher forcing. In the first function,
// `pair` has these words as ids. In the second function, record i belongs to pairs[i].
void add_scores(data::Record& record, const LoadedRun& run, const data::EncodedPair& pair);
void add_scores(std::vector<data::Record>& records, const LoadedRun& run, const std::vector<data::Pair>& pairs);

// Adds a picture to the record, for programs that show it. Does nothing if the record belongs to no picture.
void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture);

// Returns the complete record of a translation that the model found. It has the fields of hypothesis_record and of
// add_text (apps/run/run_text.h), and the picture.
data::Record complete_record(const LoadedRun& run, const SourceText& source, const models::Hypothesis& found,
                             data::DecodingMode mode, std::size_t id, std::size_t rank,
                             MatrixBy matrix = MatrixBy::combined);

}  // namespace softalign::apps
