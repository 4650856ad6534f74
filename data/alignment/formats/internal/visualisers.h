// The input of two visualisers, one JSON object a line. Orientation: [layer][head][target][source]. </s> is there where
// it closes the words. A record's heads of kind "cross" are written if it has any, else its matrix as the only head;
// read, several heads become the record's, and its matrix is their mean. What they cannot hold: ids (the line counts),
// links, gold, log-probabilities.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

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
