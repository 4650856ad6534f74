// These formats have one JSON object per line. They are alignment records, the output of the translation program
// Nematus, and the input of two programs that visualise attention.
#pragma once

#include "data/alignment/formats/alignment_file.h"

namespace softalign::data {

// Reads lines of alignment records (softalign/1), or of Nematus's JSON:
//   {"matrix":[[..]],"source_sent":"..","target_sent":"..","id":0,"prob":0}
// A record has all keys of this JSON and more, so programs that read Nematus's format can also read records. The matrix
// has one row per target step. Its last row and its last column belong to </s>, which the sentences do not contain.
// Nematus's format cannot contain heads, links, gold links or log-probabilities of words. `prob` is the log-probability
// of the sentence, and the reader ignores it.
std::vector<Record> read_jsonl(const AlignmentFile& file);

// --- Formats of two visualisers, with one JSON object per line ---
//
// The axes of the weights are [layer][head][target][source]. A sentence has a position for </s> only if its last word
// is </s>. If a record has heads of kind "cross", the writer writes these heads. Otherwise, it writes the matrix as the
// only head. If a file has several heads, the reader makes them the heads of the record, and their mean becomes the
// matrix. The formats cannot contain links, gold links or log-probabilities. They have no ids, so the reader numbers
// the lines.

// The format `bertviz` is the input of the visualiser BertViz, for its model_view and head_view of an encoder-decoder:
//   {"attention":[{"name":"Cross","attn":[layer][head][t][s],"left_text":target,"right_text":source}]}
// The reader uses the entry with the name "Cross".
std::string write_bertviz(const Record& record);
std::vector<Record> read_bertviz(const AlignmentFile& file);

// The format `t2t` is the input of tensor2tensor's attention visualisation:
//   {"inp_out":{"att":[layer][head][t][s],"top_text":source,"bot_text":target}}
std::string write_t2t(const Record& record);
std::vector<Record> read_t2t(const AlignmentFile& file);

}  // namespace softalign::data
