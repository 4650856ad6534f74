// Formats of plain text: links or weights on one line per pair, and matrices of several lines.
#pragma once

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// --- links ---
//
// Orientation: SOURCE-TARGET in all of them, words counted from 0. </s> has no links: what the attention gives it is
// not written. What they cannot hold: weights, words (but for the target's in Marian's, and TSV), gold,
// log-probabilities. A record read from them has an empty matrix and the links as they stand, several a word or none.

// Pharaoh (fast_align, awesome-align): one pair a line, `0-0 1-2`; a line without links is blank. Reading takes
// possible links (`0?0`, `0p0`) as links. The words must be given.
std::string write_pharaoh(const Record& record);
std::vector<Record> read_pharaoh(const AlignmentFile& file);

// A corpus of ours with the links in its column of gold (data/corpus/corpus.h), for train --guided-alignment. It holds
// the words; tags are not read.
std::string write_tsv(const Record& record);
std::vector<Record> read_tsv_links(const AlignmentFile& file);

// Marian's --alignment hard, or a threshold: `target words ||| 0-0 1-1 5-4`. Marian links its last row, </s>, and the
// source's </s> as if they were words; reading drops those links, of a file in which every sentence with links has one
// of that row, and refuses them in any other. The source words must be given.
std::string write_marian_hard(const Record& record);
std::vector<Record> read_marian_hard(const AlignmentFile& file);

// fairseq-generate's --print-alignment: `A-12<TAB>0-0 1-1`, 12 being the number of the pair, from 0, in any order; the
// same number again is the next of an n-best list. Reading also takes `--print-alignment soft`, whose weights are
// Marian's, and passes over the lines S- T- H- D- P-. The words must be given.
std::string write_fairseq(const Record& record);
std::vector<Record> read_fairseq(const AlignmentFile& file);

// --- weights on one line a pair ---

// Marian's --alignment soft: `target words ||| .72,.01,.27 .02,.86,.12`. Orientation: a group a target step, in it a
// weight a source position; steps are separated by spaces, positions by commas. </s> stands last on both sides. What it
// cannot hold: the source words (they must be given), heads, gold, log-probabilities.
std::string write_marian_soft(const Record& record);
// A matrix of one row or column less is one without </s> on that side.
std::vector<Record> read_marian_soft(const AlignmentFile& file);

// --- matrices of several lines a pair ---
//
// A head of fields between " ||| ", rows of weights separated by spaces, a blank line. Both hold id, words and weights,
// and -log p of the whole sentence as a score, which reading passes over (a record has one per word). What they cannot
// hold: heads, gold, log-probabilities of words, and |||, which no word may be.

// Nematus, translate -a: `id ||| target words ||| score ||| source words ||| S T`. Orientation: a row a target step.
// </s> stands last on both sides and is counted by S and T, but is not among the words; a count that equals the
// number of words is one without </s>.
std::string write_nematus(const Record& record);
std::vector<Record> read_nematus(const AlignmentFile& file);

// Sockeye 1, translation_with_alignment_matrix: `id ||| target words ||| score ||| source words ||| S ||| T`.
// Orientation: a row a SOURCE position, in it a weight a target step. </s> is there where it is written among the
// words. Sockeye itself cuts the source's </s> off; where the weights of a step leave something, reading gives it to
// the </s> that is missing. A step without any weight is refused: nothing says that it attended to </s>.
std::string write_sockeye(const Record& record);
std::vector<Record> read_sockeye(const AlignmentFile& file);

}  // namespace softalign::data
