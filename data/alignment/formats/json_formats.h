// Formats of one JSON object per line: records, the Nematus scorer's output, and the input of two visualisers.
#pragma once

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// Lines of softalign/1, or of the Nematus scorer's JSON, of which softalign/1 (data/alignment/record.h) is a superset,
// so that its readers work unchanged: {"matrix":[[..]],"source_sent":"..","target_sent":"..","id":0,"prob":0}
// Orientation: one row per target step. </s> is the last row and column of the matrix and is not in the sentences. It
// cannot contain heads, links, gold, or log-probabilities of words (`prob` is that of the sentence, and reading ignores
// it).
std::vector<Record> read_jsonl(const AlignmentFile& file);

// --- the input of two visualisers, one JSON object a line ---
//
// Orientation: [layer][head][target][source]. </s> is present if it ends the words. If a record has heads of kind
// "cross", these are written, otherwise its matrix as the only head. In reading, several heads become the heads of the
// record, and its matrix is their mean. They cannot contain ids (lines are counted), links, gold, or log-probabilities.

// BertViz, model_view and head_view of an encoder-decoder:
// {"attention":[{"name":"Cross","attn":[layer][head][t][s],"left_text":target,"right_text":source}]}
// Reading takes the entry of that name.
std::string write_bertviz(const Record& record);
std::vector<Record> read_bertviz(const AlignmentFile& file);

// tensor2tensor's attention visualisation:
// {"inp_out":{"att":[layer][head][t][s],"top_text":source,"bot_text":target}}
std::string write_t2t(const Record& record);
std::vector<Record> read_t2t(const AlignmentFile& file);

}  // namespace softalign::data
