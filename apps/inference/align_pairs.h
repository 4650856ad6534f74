// Given pairs aligned by a run's model: what align writes and view shows.
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

// What a record holds besides the alignment: the heads that look at the source; those of self-attention, too; and the
// scores that weights are the softmax of (add_scores).
enum class AttentionDetail { at_source, all, scored };

// data::Error: the model of the run, which `name` names, has no attention, or none to a source where that is
// asked.
void check_attends(const Run& run, const std::string& name, AttentionDetail looks = AttentionDetail::at_source);

// Calls `use` with the record of each pair in turn, its id the pair's place; the attention of a part of the corpus is
// held at a time. `name` is the run's, for the data::Error that its model has no attention.
void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 AttentionDetail looks, const std::function<void(data::Record)>& use);

// The same by two runs of opposite direction, over words: `use` gets the record of the pair, and the reverse's of the
// pair turned. data::Error too if the reverse has another tokeniser, or is of the same direction.
void align_both_ways(const Run& run, const std::string& name, const Run& reverse, const std::string& reverse_name,
                     const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use);

// Gives the weights of each pair the heads of self-attention of the run's model, over pieces as theirs are.
void add_self_attention(std::vector<TeacherForcedPair>& forced, const Run& run, const std::vector<data::Pair>& pairs);

// The same for a hypothesis. A search may write more tokens than the model has positions (models::most_words); then the
// heads over the hypothesis are left out, those over the source are not, and the result is false.
bool add_self_attention(models::Hypothesis& found, const Run& run, const SourceText& source);

// The note on records whose hypotheses are too long for those heads; "" for none.
std::string note_of_self_attention(const Run& run, std::size_t left_out);

// UsageError for align --scores of a run whose records have no scores: an ensemble, a model whose weights are no
// softmax, or one that cuts words into pieces, unless `pieces` are what is aligned.
void check_scores(const Run& run, bool pieces);

// Fills the record's scores and norms: `pair`, the ids of its words, is decoded once more. And those of the records of
// these pairs.
void add_scores(data::Record& record, const Run& run, const data::EncodedPair& pair);
void add_scores(std::vector<data::Record>& records, const Run& run, const std::vector<data::Pair>& pairs);

// Gives the record the picture that its cells are of, if there is one, for those who show it.
void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture);

}  // namespace softalign::apps
