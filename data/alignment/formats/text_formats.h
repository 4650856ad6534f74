// These formats are plain text. Some have one line per sentence pair, with links or with attention weights. The others
// have a matrix of several lines per pair.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

// --- links ---
//
// These formats write a link as SOURCE-TARGET and count words from 0. </s> has no links. The formats cannot contain
// weights, gold links or log-probabilities. They do not contain words either, with two exceptions: Marian's format
// contains the target words, and TSV contains the source and target words. The reader returns records with an empty
// matrix and the links of the file. A word may have several links or none.

// Pharaoh is the format of `fast_align` and `awesome-align`. It has one line per pair, for example `0-0 1-2`. The line
// is blank if a pair has no links. The reader treats possible links (`0?0`, `0p0`) as links. The caller must supply the
// words.
std::string write_pharaoh(const Record& record);
std::vector<Record> read_pharaoh(const AlignmentFile& file);

// TSV is this project's corpus format (data/corpus/corpus.h), with the links in the column of gold links. `train
// --guided-alignment` reads it. TSV contains the words. The reader ignores tags.
std::string write_tsv(const Record& record);
std::vector<Record> read_tsv_links(const AlignmentFile& file);

// The format `hard` is the output of Marian's option `--alignment hard`, or of `--alignment` with a threshold: `target
// words ||| 0-0 1-1 5-4`. Marian treats the </s> of both sides as a word, so </s> has links, too. If all sentences with
// links have a link of the target's </s>, the reader removes these links. If only some of these sentences have such a
// link, the reader refuses the file. The caller must supply the source words.
std::string write_marian_hard(const Record& record);
std::vector<Record> read_marian_hard(const AlignmentFile& file);

// The format `fairseq` is the output of `fairseq-generate --print-alignment`: `A-12<TAB>0-0 1-1`. The number 12 is the
// index of the sentence pair, counted from 0. Pairs may come in any order. If an index occurs again, the line has the
// next translation of the same source. The reader also accepts the output of `--print-alignment soft`, which has
// weights as in Marian's format. It ignores lines that start with S-, T-, H-, D- or P-. The caller must supply the
// words.
std::string write_fairseq(const Record& record);
std::vector<Record> read_fairseq(const AlignmentFile& file);

// --- weights on one line per pair ---

// The format `soft` is the output of Marian's option `--alignment soft`: `target words ||| .72,.01,.27 .02,.86,.12`.
// Each target step has a group of weights, with one weight per source position. Spaces separate the groups, and commas
// separate the weights. The last source position and the last target step are </s>. The format cannot contain source
// words, heads, gold links or log-probabilities. The caller must supply the source words.
std::string write_marian_soft(const Record& record);
// Reads Marian's weights. If a matrix has no row for the target's </s>, or no column for the source's </s>, the record
// has no such </s>.
std::vector<Record> read_marian_soft(const AlignmentFile& file);

// --- matrices of several lines per pair ---
//
// Each matrix starts with a header line whose fields are separated by " ||| ". The rows of weights follow, with spaces
// between the weights, and then a blank line. Both formats contain the id, the words, the weights and a score, which is
// -log p of the sentence. The reader ignores this score, because a record has log-probabilities per word. The formats
// cannot contain heads, gold links, log-probabilities of words, or the word |||.

// The format `nematus` is the output of Nematus' `translate -a`: `id ||| target words ||| score ||| source words ||| S
// T`. S and T are the numbers of source and target positions. The matrix has one row per target position, and the last
// positions are </s>. The word lists do not contain </s>. If S equals the number of source words, the source has no
// </s>. If T equals the number of target words, the target has no </s>.
std::string write_nematus(const Record& record);
std::vector<Record> read_nematus(const AlignmentFile& file);

// The format `sockeye` is the output of Sockeye 1 with the type translation_with_alignment_matrix: `id ||| target words
// ||| score ||| source words ||| S ||| T`. S and T are the numbers of source and target positions. The matrix has one
// row per source position, with one weight per target step. It contains </s> only if the words include </s>.
//
// Sockeye removes the source's </s>. If the weights of a step sum to less than 1, the reader therefore gives the rest
// to the missing </s>. The reader refuses a step without any weight, because such a step may not have attended to </s>.
std::string write_sockeye(const Record& record);
std::vector<Record> read_sockeye(const AlignmentFile& file);

}  // namespace softalign::data
