// These formats have one JSON object per line: records, the output of the Nematus scorer, and the input of two
// visualisers.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

// Reads lines of softalign/1, or of the Nematus scorer's JSON:
//   {"matrix":[[..]],"source_sent":"..","target_sent":"..","id":0,"prob":0}
// softalign/1 (data/alignment/record.h) is a superset of this JSON, so readers of the Nematus format can read it.
// A matrix has one row per target step. </s> is its last row and column, but the sentences do not include </s>. The
// Nematus format cannot contain heads, links, gold links or log-probabilities of words. `prob` is the log-probability
// of the sentence, and the reader ignores it.
std::vector<Record> read_jsonl(const AlignmentFile& file);

// --- These formats are the input of two visualisers, with one JSON object per line ---
//
// The order of the axes is [layer][head][target][source]. </s> is present if it ends the words. If a record has heads
// of kind "cross", the writer writes them; otherwise, it writes the matrix as the only head. If a file has several
// heads, the reader makes them the heads of the record, and the matrix is their mean. The formats cannot contain ids
// (the reader counts lines), links, gold links or log-probabilities.

// This is the format of BertViz, for model_view and head_view of an encoder-decoder:
// {"attention":[{"name":"Cross","attn":[layer][head][t][s],"left_text":target,"right_text":source}]}
// The reader takes the entry of that name.
std::string write_bertviz(const Record& record);
std::vector<Record> read_bertviz(const AlignmentFile& file);

// This is the format of tensor2tensor's attention visualisation:
// {"inp_out":{"att":[layer][head][t][s],"top_text":source,"bot_text":target}}
std::string write_t2t(const Record& record);
std::vector<Record> read_t2t(const AlignmentFile& file);

}  // namespace softalign::data
