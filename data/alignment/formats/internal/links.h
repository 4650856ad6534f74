// Formats of links. Orientation: SOURCE-TARGET in all of them, words counted from 0. </s> has no links: what the
// attention gives it is not written. What they cannot hold: weights, words (but for the target's in Marian's, and TSV),
// gold, log-probabilities. A record read from them has an empty matrix and the links as they stand, several a word or
// none.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

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
// Marian's (data/alignment/formats/marian_soft.h), and passes over the lines S- T- H- D- P-. The words must be given.
std::string write_fairseq(const Record& record);
std::vector<Record> read_fairseq(const AlignmentFile& file);

}  // namespace softalign::data
