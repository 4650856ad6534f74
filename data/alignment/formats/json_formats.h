// Formats of one JSON object per line: records, the Nematus scorer's output, and the input of two visualisers.
#pragma once

#include "data/alignment/formats/formats.h"

namespace softalign::data {

// Lines of softalign/1, or of the Nematus scorer's JSON, of which softalign/1 (data/alignment/record.h) is a superset,
// so that its readers work unchanged:
// {"matrix":[[..]],"source_sent":"..","target_sent":"..","id":0,"prob":0}
// Orientation: a row a target step. </s> stands last on both sides of the matrix and is not in the sentences. What it
// cannot hold: heads, links, gold, log-probabilities of words (`prob` is the sentence's; reading passes over it).
std::vector<Record> read_jsonl(const AlignmentFile& file);

// --- the input of two visualisers, one JSON object a line ---
//
// Orientation: [layer][head][target][source]. </s> is there where
// it closes the words. A record's heads of kind "cross" are written if it has any, else its matrix as the only head;
// read, several heads become the record's, and its matrix is their mean. What they cannot hold: ids (the line counts),
// links, gold, log-probabilities.

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
