// Formats of plain text: links or weights on one line per pair, and matrices of several lines.
#pragma once

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// --- links ---
//
// Orientation: all have SOURCE-TARGET, with words counted from 0. </s> has no links. They cannot contain weights, words
// (except target words in Marian's format, and TSV), gold, or log-probabilities. A record that is read from them has an
// empty matrix and the links of the file, several or none per word.

// Pharaoh (fast_align, awesome-align): one pair a line, `0-0 1-2`; a line without links is blank. Reading takes
// possible links (`0?0`, `0p0`) as links. The words must be given.
std::string write_pharaoh(const Record& record);
std::vector<Record> read_pharaoh(const AlignmentFile& file);

// A corpus of ours with the links in its column of gold (data/corpus/corpus.h), for train --guided-alignment. It
// contains the words. Tags are not read.
std::string write_tsv(const Record& record);
std::vector<Record> read_tsv_links(const AlignmentFile& file);

// Marian's --alignment hard, or a threshold: `target words ||| 0-0 1-1 5-4`. Marian links its last row, </s>, and the
// source's </s> as if they were words. If every sentence with links has a link of that row, reading drops these links,
// and otherwise refuses them. The source words must be given.
std::string write_marian_hard(const Record& record);
std::vector<Record> read_marian_hard(const AlignmentFile& file);

// fairseq-generate's --print-alignment: `A-12<TAB>0-0 1-1`. Here 12 is the number of the pair, from 0, in any order. If
// a number repeats, it is the next entry of an n-best list. Reading also accepts `--print-alignment soft` with weights
// as in Marian's format, and ignores the lines S- T- H- D- P-. The words must be given.
std::string write_fairseq(const Record& record);
std::vector<Record> read_fairseq(const AlignmentFile& file);

// --- weights on one line a pair ---

// Marian's --alignment soft: `target words ||| .72,.01,.27 .02,.86,.12`. Orientation: one group per target step, with
// one weight per source position. Steps are separated by spaces, and positions by commas. </s> is last on both sides.
// It cannot contain the source words (they must be given), heads, gold, or log-probabilities.
std::string write_marian_soft(const Record& record);
// A matrix of one row or column less is one without </s> on that side.
std::vector<Record> read_marian_soft(const AlignmentFile& file);

// --- matrices of several lines a pair ---
//
// A header has fields separated by " ||| ". Rows of weights separated by spaces follow, and then a blank line. Both
// contain id, words and weights, and -log p of the sentence as a score, which reading ignores (a record has one per
// word). They cannot contain heads, gold, log-probabilities of words, or the word |||.

// Nematus, translate -a: `id ||| target words ||| score ||| source words ||| S T`. Orientation: one row per target
// step. </s> is last on both sides. S and T count it, but it is not among the words. If a count equals the number of
// words, there is no </s>.
std::string write_nematus(const Record& record);
std::vector<Record> read_nematus(const AlignmentFile& file);

// Sockeye 1, translation_with_alignment_matrix: `id ||| target words ||| score ||| source words ||| S ||| T`.
// Orientation: one row per SOURCE position, with one weight per target step. </s> is present if it is among the words.
// Sockeye removes the source's </s>. If the weights of a step sum to less than 1, reading gives the rest to the missing
// </s>. A step without any weight is refused, because it may not have attended to </s>.
std::string write_sockeye(const Record& record);
std::vector<Record> read_sockeye(const AlignmentFile& file);

}  // namespace softalign::data
