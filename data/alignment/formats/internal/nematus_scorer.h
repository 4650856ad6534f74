// The Nematus scorer's JSON, of which softalign/1 (data/alignment/record.h) is a superset, so that its readers work
// unchanged:
// {"matrix":[[..]],"source_sent":"..","target_sent":"..","id":0,"prob":0}
// Orientation: a row a target step. </s> stands last on both sides of the matrix and is not in the sentences. What it
// cannot hold: heads, links, gold, log-probabilities of words (`prob` is the sentence's; reading passes over it).
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

// Lines of either schema.
std::vector<Record> read_jsonl(const AlignmentFile& file);

}  // namespace softalign::data
